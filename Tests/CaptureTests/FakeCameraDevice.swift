import CLinux
import CamrigModel
import Capture
import Glibc
import TestSupport

/// A camera that does what a test has written down, one step after another; then it waits to be woken. Its
/// pictures are as they should be, unless a step says otherwise. Time passes on the test's clock only.
final class FakeCameraDevice: CameraDevice {
  enum Step {
    /// After `after` on the clock. `stamp`: when it says that it was made, if not then.
    case picture(
      UInt32, bytes: [UInt8]? = nil, flagged: Bool = false, stamp: MediaTime? = nil, monotonic: Bool = true,
      after: Duration = .milliseconds(33))
    case silence(Duration)
    case fail(CaptureError)
    case sourceChanged
  }

  static let size = PixelSize(width: 8, height: 8)

  private struct State {
    var steps: [Step]
    var describing: [CaptureError] = []
    var opening: [CaptureError] = []
    var starting: [CaptureError] = []
    var held = false
    var formats: [FormatDescription]
    var granted: VideoFormat?
    var wishes: [FormatWish] = []
    var openedAt: [MediaTime] = []
    var described = 0
    var open = 0
    var lent = 0
    var keyframes = 0
    var obeys = false
    var signal: PixelSize?
    var signals: [PixelSize] = []
    var signalTrouble: CaptureError?
  }

  let node: String
  private let bus: String
  private let clock: TestClock
  private let state: Guarded<State>
  private let more: WakeEvent

  init(_ clock: TestClock, node: String = "/dev/fake0", bus: String = "usb-1-1", _ steps: [Step] = []) throws {
    self.node = node
    self.bus = bus
    self.clock = clock
    more = try WakeEvent()
    state = Guarded(
      State(
        steps: steps,
        formats: [
          FormatDescription(
            fourcc: "GREY", label: "Grey", pixelFormat: .grey,
            sizes: [SizeDescription(size: Self.size, rates: [FrameRate(30)])])
        ]))
  }

  // MARK: What the test says

  func push(_ steps: Step...) {
    state.withLock { $0.steps += steps }
    more.signal()
  }

  /// The next attempts fail, one with each.
  func failDescribing(_ errors: CaptureError...) { state.withLock { $0.describing += errors } }
  func failOpening(_ errors: [CaptureError]) { state.withLock { $0.opening += errors } }
  func failStarting(_ errors: CaptureError...) { state.withLock { $0.starting += errors } }
  func hold(_ held: Bool) { state.withLock { $0.held = held } }
  func offer(_ formats: [FormatDescription]) { state.withLock { $0.formats = formats } }
  /// It can be asked for keyframes from now on; whether one comes is the test's affair.
  func obey() { state.withLock { $0.obeys = true } }
  /// What comes into it.
  func get(signal: PixelSize?) { state.withLock { $0.signal = signal } }
  /// Another one at each opening, and then the last.
  func get(signals: [PixelSize]) { state.withLock { $0.signals = signals } }
  /// What it says of its input.
  func lose(signal trouble: CaptureError?) { state.withLock { $0.signalTrouble = trouble } }
  func grant(_ format: VideoFormat?) { state.withLock { $0.granted = format } }

  // MARK: What the test asks

  var wishes: [FormatWish] { state.withLock { $0.wishes } }
  var openedAt: [MediaTime] { state.withLock { $0.openedAt } }
  var isOpen: Bool { state.withLock { $0.open > 0 } }
  var described: Int { state.withLock { $0.described } }
  /// Pictures that were not given back yet.
  var lent: Int { state.withLock { $0.lent } }
  var keyframes: Int { state.withLock { $0.keyframes } }

  // MARK: What the camera asks

  func describe() throws(CaptureError) -> DeviceDescription {
    let (error, formats) = state.withLock { state in
      state.described += 1
      return (state.describing.isEmpty ? nil : state.describing.removeFirst(), state.formats)
    }
    if let error { throw error }
    return DeviceDescription(driver: "fake", card: "Fake", bus: bus, node: node, formats: formats)
  }

  func isHeldByAnotherProgram() -> Bool { state.withLock { $0.held } }

  func open(_ wish: FormatWish, bufferCount: Int) throws(CaptureError) -> any OpenCameraDevice {
    let now = clock.now
    let (error, granted) = state.withLock { state -> (CaptureError?, VideoFormat?) in
      state.wishes.append(wish)
      state.openedAt.append(now)
      if !state.signals.isEmpty { state.signal = state.signals.removeFirst() }
      let error = state.opening.isEmpty ? nil : state.opening.removeFirst()
      if error == nil { state.open += 1 }
      return (error, state.granted)
    }
    if let error { throw error }
    let asked = VideoFormat(wish.pixelFormat ?? .grey, wish.size ?? Self.size, rate: wish.rate)
    return Opened(self, granted: granted ?? asked)
  }

  func letGo() {}

  private final class Opened: OpenCameraDevice {
    let granted: VideoFormat
    private let device: FakeCameraDevice
    private var lent: [Int: UnsafeMutableRawBufferPointer] = [:]
    private var next = 0
    private var isStopped = false

    init(_ device: FakeCameraDevice, granted: VideoFormat) {
      self.device = device
      self.granted = granted
    }

    /// What a good picture is.
    private var picture: [UInt8] { [UInt8](repeating: 0x55, count: granted.rawByteCount) }

    func start() throws(CaptureError) {
      let error = device.state.withLock { $0.starting.isEmpty ? nil : $0.starting.removeFirst() }
      if let error { throw error }
    }

    func stop() {
      guard !isStopped else { return }
      isStopped = true
      device.state.withLock { $0.open -= 1 }
    }

    func next(timeout: Duration, wake: Int32) throws(CaptureError) -> CameraEvent {
      while true {
        // As a poll of both does: what wakes comes first.
        var woken = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        if poll(&woken, 1, 0) > 0 { return .woken }
        let step = device.state.withLock { $0.steps.isEmpty ? nil : $0.steps.removeFirst() }
        switch step {
        case .picture(let sequence, let bytes, let flagged, let stamp, let monotonic, let after):
          device.clock.advance(by: after)
          return .picture(lend(sequence, bytes ?? picture, flagged, stamp ?? device.clock.now, monotonic))
        case .silence(let length):
          guard length <= timeout else {
            device.clock.advance(by: timeout)
            let rest = length - timeout
            device.state.withLock { $0.steps.insert(.silence(rest), at: 0) }
            return .timeout
          }
          device.clock.advance(by: length)
        case .fail(let error): throw error
        case .sourceChanged: return .sourceChanged
        case nil:
          var waits = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            pollfd(fd: device.more.descriptor, events: Int16(POLLIN), revents: 0),
          ]
          _ = poll(&waits, 2, -1)
          if waits[0].revents != 0 { return .woken }
          device.more.drain()
        }
      }
    }

    private func lend(
      _ sequence: UInt32, _ bytes: [UInt8], _ flagged: Bool, _ stamp: MediaTime, _ monotonic: Bool
    ) -> DequeuedPicture {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
      memory.copyBytes(from: bytes)
      lent[next] = memory
      defer { next += 1 }
      device.state.withLock { $0.lent += 1 }
      return DequeuedPicture(
        index: next, bytes: UnsafeRawBufferPointer(rebasing: memory[0..<bytes.count]), timestamp: stamp,
        timestampIsMonotonic: monotonic, rawSequence: sequence, isErrorFlagged: flagged)
    }

    func giveBack(_ picture: DequeuedPicture) throws(CaptureError) {
      guard let memory = lent.removeValue(forKey: picture.index) else { return }
      // Whoever still looks at it sees that it is no longer his.
      for index in memory.indices { memory[index] = 0xee }
      memory.deallocate()
      device.state.withLock { $0.lent -= 1 }
    }

    var signal: PixelSize? { device.state.withLock { $0.signal } }
    var signalTrouble: CaptureError? { device.state.withLock { $0.signalTrouble } }

    func requestKeyframe() -> Bool {
      device.state.withLock { state in
        state.keyframes += 1
        return state.obeys
      }
    }
  }
}

/// Moves the test's clock instead of waiting; waits for real once the test has no more time to give.
final class TestSleeper: CaptureSleeper {
  private let clock: TestClock
  private let budget: Guarded<Int>

  /// - Parameter pauses: how many may pass.
  init(_ clock: TestClock, pauses: Int) {
    self.clock = clock
    budget = Guarded(pauses)
  }

  func wait(atMost timeout: Duration, wake: WakeEvent) {
    if wake.drain() { return }
    let passes = budget.withLock { budget in
      guard budget > 0 else { return false }
      budget -= 1
      return true
    }
    if passes { clock.advance(by: timeout) } else { wake.wait(atMost: .seconds(3600)) }
  }
}
