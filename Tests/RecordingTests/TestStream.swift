import CamrigModel
import Frames
import Recording
import TestSupport

/// A camera fed by hand. One test drives it.
final class TestStream: @unchecked Sendable {
  let id: CameraID
  let name: String
  let hub = FrameHub(prerollLength: .seconds(10), prerollCapacityBytes: 1 << 30)
  let clock: TestClock
  let size: PixelSize
  let pixelFormat: PixelFormat
  private let pool = FramePool()
  private(set) var run = 0
  var sequence: UInt64 = 0
  var frameTime = Duration.milliseconds(40)
  let keyframeRequests = Guarded(0)
  let demands = Guarded(0)

  init(
    _ name: String, clock: TestClock, size: PixelSize = PixelSize(width: 64, height: 48),
    pixelFormat: PixelFormat = .mjpeg
  ) {
    id = CameraID("id-\(name)")
    self.name = name
    self.clock = clock
    self.size = size
    self.pixelFormat = pixelFormat
  }

  var camera: TakeCamera {
    TakeCamera(
      id: id, name: name, hub: hub, requestKeyframe: { self.keyframeRequests.withLock { $0 += 1 } },
      demand: { self.demands.withLock { $0 += 1 } }, release: { self.demands.withLock { $0 -= 1 } })
  }

  func begin(size: PixelSize? = nil, rate: FrameRate? = FrameRate(25)) {
    run += 1
    sequence = 0
    hub.publish(
      .started(
        StreamRun(
          number: run, format: VideoFormat(pixelFormat, size ?? self.size, rate: rate), time: clock.now)))
  }

  func end(_ reason: StreamEnd.Reason) {
    hub.publish(.ended(StreamEnd(run: run, reason: reason, message: "", time: clock.now)))
  }

  /// Publishes pictures a frame time apart; the clock goes with them.
  func frames(_ count: Int, bytes: Int = 500, size: PixelSize? = nil, keyframe: Bool = true) {
    for _ in 0..<count { frame([UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: bytes), size, keyframe) }
  }

  func frame(_ bytes: [UInt8], _ size: PixelSize? = nil, _ keyframe: Bool = true) {
    clock.advance(by: frameTime)
    let buffer = bytes.withUnsafeBytes { pool.buffer(copying: $0) }
    hub.publish(
      .frame(
        Frame(
          buffer, format: pixelFormat, size: size ?? self.size, presentationTime: clock.now, run: run,
          sequence: sequence, isKeyframe: keyframe)))
    sequence += 1
  }

  /// The time of the lost pictures passes too.
  func lose(_ count: UInt64, _ cause: LossCause = .driverGap) {
    clock.advance(by: frameTime * Int(count))
    hub.publish(
      .lost(Loss(cause: cause, run: run, firstSequence: sequence, count: count, time: clock.now)))
    sequence += count
  }
}

/// Keeps what a take tells, and lets a test wait for it.
final class TestObserver: Sendable {
  private struct State {
    var events: [TakeEvent] = []
    var waiting: [(test: @Sendable ([TakeEvent]) -> Bool, done: CheckedContinuation<Void, Never>)] = []
  }
  private let state = Guarded(State())

  func hear(_ event: TakeEvent) {
    let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.events.append(event)
      let events = state.events
      let ready = state.waiting.filter { $0.test(events) }.map(\.done)
      state.waiting.removeAll { $0.test(events) }
      return ready
    }
    for continuation in ready { continuation.resume() }
  }

  var events: [TakeEvent] { state.withLock { $0.events } }

  /// Returns as soon as the events so far pass the test.
  func wait(until test: @escaping @Sendable ([TakeEvent]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> Bool in
        if test(state.events) { return true }
        state.waiting.append((test, continuation))
        return false
      }
      if ready { continuation.resume() }
    }
  }

  func waitForSync(of camera: CameraID, run: Int, sequence: UInt64) async {
    await wait { events in
      events.contains {
        if case .progress(let progress) = $0 {
          return progress.camera == camera && progress.syncedRun == run && progress.syncedSequence >= sequence
        }
        return false
      }
    }
  }

  var gaps: [TakeGap] {
    events.compactMap { if case .gapOpened(let event) = $0 { event.gap } else { nil } }
  }
  var troubles: [TakeTrouble] {
    events.compactMap { if case .trouble(let trouble) = $0 { trouble } else { nil } }
  }
}

/// A recorder on a folder of its own.
struct TestRig {
  let folder = TemporaryDirectory()
  let clock = TestClock()
  let observer = TestObserver()
  let recorder: TakeRecorder

  init(files: any ClipFiles = SystemClipFiles(), _ adjust: (inout RecordingOptions) -> Void = { _ in }) {
    var options = RecordingOptions(
      mediaDirectory: folder.path + "/takes", reserveBytes: 1 << 20, deliveryLimit: .seconds(10),
      version: "1.0")
    adjust(&options)
    let observer = observer
    recorder = TakeRecorder(options: options, clock: clock, files: files, retryInterval: .milliseconds(20)) {
      observer.hear($0)
    }
  }

  var media: MediaDirectory { MediaDirectory(folder.path + "/takes") }

  /// The pictures published so far, all of them within the pre-roll, open the take.
  func start(_ streams: [TestStream], name: String? = nil) async throws -> TakeStarted {
    try await recorder.start(TakeRequest(name: name, prerollSeconds: 10), cameras: streams.map(\.camera))
  }

  /// Its writers hear what is published from now on.
  func begun() async {
    while recorder.progressMarks.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// The take, once it has ended, whoever ended it.
  func ended() async throws -> TakeManifest {
    await observer.wait { $0.contains { if case .stopped = $0 { true } else { false } } }
    let last = observer.events.compactMap { if case .stopped(let take) = $0 { take } else { nil } }.last
    guard let last else { throw TestTrouble("no take has ended") }
    return last
  }

  func stop() async throws -> TakeManifest {
    guard let manifest = await recorder.stop(TakeStop(.requested, "stopped by the test")) else {
      throw TestTrouble("no take was running")
    }
    return manifest
  }
}

struct TestTrouble: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
