import CamrigModel
import Capture
import CaptureSupport
import DaemonKit
import RigControl
import Settings
import TestSupport

/// A rig with cameras that a test plugs in and out, and what it has told. They draw their own pictures, in real time.
final class RigBench: Sendable {
  let directory: TemporaryDirectory
  let finder = FakeFinder()
  let microphoneFinder = FakeFinder()
  let probe = FakeProbe()
  let sink = RecordingLogSink()
  let timer = ManualTimer()
  let rig: Rig
  private let told = Told()

  /// Shared with what outlives a call.
  private final class Told: Sendable {
    let events = Guarded<[RigEvent]>([])
    let ended = Guarded(false)
    let lines = Guarded<[String]>([])
    /// Nodes that another program has.
    let held = Guarded<Set<String>>([])
  }

  /// - Parameter directory: the state of a rig before; nil: none.
  init(
    demo: Int = 2, in directory: TemporaryDirectory = TemporaryDirectory(),
    readingPatience: Duration = Volume.readingPatience,
    _ configure: (inout Configuration) -> Void = { _ in }
  ) {
    self.directory = directory
    var configuration = Self.configuration
    configure(&configuration)
    var parts = Rig.Parts(
      configuration: configuration, stateDirectory: directory.path, finder: finder,
      settings: SettingsStore(path: directory.path + "/settings.json", log: sink.log), log: sink.log)
    parts.probe = probe
    parts.device = { [told] node in PluggedPattern(node: node) { told.held.withLock { $0.contains(node) } } }
    parts.microphoneFinder = microphoneFinder
    parts.soundDevice = { PluggedTone(node: $0) }
    parts.demoCameras = demo
    parts.timer = timer
    parts.readingPatience = readingPatience
    parts.tellStatus = { [told] line in told.lines.withLock { $0.append(line) } }
    rig = Rig(parts)
    let (events, told) = (rig.events.subscribe(), told)
    Task {
      for await event in events { told.events.withLock { $0.append(event) } }
      told.ended.withLock { $0 = true }
    }
  }

  deinit { timer.expireAll() }

  /// As a test wants it: room on the volume is no matter, and a camera that nobody wants closes soon.
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.storage.diskReserveBytes = 16 << 20
    configuration.cameras.idleTimeout = .zero
    return configuration
  }

  var events: [RigEvent] { told.events.withLock { $0 } }
  var eventsEnded: Bool { told.ended.withLock { $0 } }
  var statusLines: [String] { told.lines.withLock { $0 } }

  /// A webcam comes into a socket; its ID.
  @discardableResult
  func plug(_ port: Int) async -> CameraID {
    probe.put("/dev/video\(port)", .success(.webcam()))
    finder.tell(.present(.webcam("\(port)", serial: "S\(port)", node: port)))
    let id = webcamID("S\(port)")
    await eventually {
      let state = await self.state(id)
      return state != nil && state != .offline
    }
    return id
  }

  /// The microphone of the webcam in that socket comes.
  func plugMicrophone(_ port: Int) {
    microphoneFinder.tell(.present(.microphone("\(port)", serial: "S\(port)", card: port)))
  }

  func unplug(_ port: Int) { finder.tell(.removed(sysPath: FoundNode.webcam("\(port)", node: port).sysPath)) }

  /// Another program has it, or has it no more.
  func hold(_ port: Int, _ isHeld: Bool = true) {
    told.held.withLock { held in
      if isHeld { held.insert("/dev/video\(port)") } else { held.remove("/dev/video\(port)") }
    }
  }

  func state(_ id: CameraID) async -> CameraState? { await rig.cameras().first { $0.id == id }?.state }

  func become(_ id: CameraID, _ state: CameraState) async { await eventually { await self.state(id) == state } }

  /// Until each camera of the running take has so many pictures on the volume.
  func waitForPictures(_ count: UInt64) async {
    await eventually {
      await self.rig.status().recording?.cameras.allSatisfy { $0.frames >= count } == true
    }
  }

  /// The events of takes by name, with the camera where there is one.
  var takeWords: [String] {
    events.compactMap { event in
      guard case .take(let event) = event else { return nil }
      return switch event {
      case .started: "started"
      case .clipOpened(let event): "clip \(event.camera)"
      case .progress(let progress): "progress \(progress.camera)"
      case .gapOpened(let event): "gap \(event.camera)"
      case .gapClosed(let event): "gap closed \(event.camera)"
      case .lossNoticed(let event): "loss \(event.camera)"
      case .stopping: "stopping"
      case .stopped: "stopped"
      case .trouble(let trouble): "trouble \(trouble.kind.rawValue)"
      }
    }
  }
}

/// A test pattern behind the node of a webcam.
struct PluggedPattern: CameraDevice {
  let node: String
  let isHeld: @Sendable () -> Bool
  private let pattern = TestPatternDevice(number: 1)

  init(node: String, isHeld: @escaping @Sendable () -> Bool) {
    self.node = node
    self.isHeld = isHeld
  }

  func describe() throws(CaptureError) -> DeviceDescription {
    var description = try pattern.describe()
    description.node = node
    return description
  }

  func isHeldByAnotherProgram() -> Bool { isHeld() }
  func letGo() {}

  func open(_ wish: FormatWish, bufferCount: Int) throws(CaptureError) -> any OpenCameraDevice {
    if isHeld() { throw .device(.busy(path: node)) }
    return try pattern.open(wish, bufferCount: bufferCount)
  }
}
