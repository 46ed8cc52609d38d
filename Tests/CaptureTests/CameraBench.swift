import CamrigModel
import Capture
import CaptureSupport
import DaemonKit
import Dispatch
import Frames
import TestSupport
import Testing

/// A camera on a test's clock with a fake device, and what it has told so far.
final class CameraBench: Sendable {
  let clock: TestClock
  let sink = RecordingLogSink()
  let device: FakeCameraDevice
  let camera: Camera
  let queue = FrameQueue(capacity: .seconds(100_000), capacityBytes: 1 << 30)
  private let buses: SharedBuses
  /// Nothing is too late by itself.
  private let timer = ManualTimer()
  private let told: Told
  /// Fetched from the queue, but not asked for yet.
  private let early = Guarded<[StreamItem]>([])

  /// Statuses in the order in which they were told.
  private final class Told: Sendable {
    let statuses = Guarded<[CameraStreamState]>([])
    let news = DispatchSemaphore(value: 0)
  }

  /// - Parameter other: of the same rig, with its clock.
  init(
    beside other: CameraBench? = nil, bus: String = "usb-1-1", pauses: Int = 1000,
    _ configure: (inout CaptureConfiguration) -> Void = { _ in }, steps: [FakeCameraDevice.Step] = []
  ) throws {
    clock = other?.clock ?? TestClock()
    buses = other?.buses ?? SharedBuses()
    var configuration = CaptureConfiguration()
    configure(&configuration)
    let told = Told()
    self.told = told
    device = try FakeCameraDevice(clock, bus: bus, steps)
    camera = Camera(
      id: CameraID(other == nil ? "test" : "other"), configuration: configuration, clock: clock, log: sink.log,
      sleeper: TestSleeper(clock, pauses: pauses), buses: buses, timer: timer
    ) { camera in
      // Read and kept in one order, whichever threads tell.
      told.statuses.withLock { $0.append(camera.status) }
      told.news.signal()
    }
    camera.hub.add(queue)
  }

  deinit {
    timer.expireAll()
    camera.shutdown()
  }

  /// Plugs it in and wants it open.
  func run() {
    camera.demand(.take)
    camera.attach(device)
  }

  /// Waits until `isTrue`; far longer than it can take.
  func wait(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, until isTrue: () -> Bool
  ) throws {
    let deadline = SystemClock().now + .seconds(120)
    while !isTrue() {
      if SystemClock().now > deadline {
        Issue.record("in vain: \(what); states \(states)", sourceLocation: sourceLocation)
        throw InVain()
      }
      _ = told.news.wait(timeout: .now() + .milliseconds(5))
    }
  }

  struct InVain: Error {}

  func wait(for state: CameraState, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait("state \(state)", sourceLocation: sourceLocation) { camera.status.state == state }
  }

  /// The next items of the stream, as many as asked for.
  func items(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws -> [StreamItem] {
    var items = early.withLock { early in
      defer { early = [] }
      return early
    }
    let deadline = SystemClock().now + .seconds(120)
    while items.count < count, SystemClock().now < deadline {
      items += queue.take(timeout: .milliseconds(100)) ?? []
    }
    if items.count < count {
      Issue.record("only \(words(items)) of \(count) items came; states \(states)", sourceLocation: sourceLocation)
      throw InVain()
    }
    early.withLock { $0 = Array(items[count...]) }
    return Array(items[..<count])
  }

  /// All items up to the end of the run.
  func itemsToEnd(sourceLocation: SourceLocation = #_sourceLocation) throws -> [StreamItem] {
    var items: [StreamItem] = []
    while true {
      items += try self.items(1, sourceLocation: sourceLocation)
      if case .ended? = items.last { return items }
    }
  }

  var statuses: [CameraStreamState] { told.statuses.withLock { $0 } }

  /// The states in their order, each once in a row.
  var states: [CameraState] {
    statuses.map(\.state).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  var lines: [String] { sink.lines.filter { $0.level <= .notice }.map(\.message) }
}

/// Items in words: `start 1`, `frame 3`, `lost 4+2 driverGap`, `end stopped`.
func words(_ items: [StreamItem]) -> [String] {
  items.map { item in
    switch item {
    case .started(let run): "start \(run.number)"
    case .frame(let frame): "frame \(frame.sequence)"
    case .lost(let loss): "lost \(loss.firstSequence)+\(loss.count) \(loss.cause.rawValue)"
    case .ended(let end): "end \(end.reason.rawValue)"
    }
  }
}
