import CamrigModel
import Capture
import CaptureSupport
import DaemonKit
import Dispatch
import Settings
import TestSupport

/// Keeps what it was told.
final class FakeCamera: CameraStreaming {
  let id: CameraID
  private let changed: @Sendable () -> Void
  private let state = Guarded(State())

  struct State {
    var calls: [String] = []
    var node: String?
    var told: CameraState?
    var reported: CameraStreamState?
    /// What the next look finds.
    var found: CameraState?
  }

  init(_ id: CameraID, _ changed: @escaping @Sendable () -> Void) {
    self.id = id
    self.changed = changed
  }

  var calls: [String] { state.withLock { $0.calls } }
  var node: String? { state.withLock { $0.node } }

  func become(_ new: CameraState) {
    state.withLock { $0.told = new }
    changed()
  }

  /// All of it.
  func report(_ new: CameraStreamState) {
    state.withLock { $0.reported = new }
    changed()
  }

  /// Whoever looks the next time sees that it has changed, and nobody before.
  func changeUnseen(_ new: CameraState) { state.withLock { $0.found = new } }

  func look() {
    call("look")
    let found = state.withLock { state in
      defer { state.found = nil }
      return state.found
    }
    if let found { become(found) }
  }

  func attach(_ device: any CameraDevice) {
    state.withLock {
      $0.calls.append("attach \(device.node)")
      $0.node = device.node
    }
  }

  func detach() {
    state.withLock {
      $0.calls.append("detach")
      $0.node = nil
    }
  }

  func setWish(_ wish: FormatWish) { call("wish \(wish.size?.description ?? "-")") }
  func setEnabled(_ enabled: Bool) { call("enabled \(enabled)") }
  func setPicture(_ picture: PictureSetting) { if !picture.isIdentity { call("zoom \(picture.zoom)") } }
  func retryNow() { call("retry") }
  func shutdown() { call("shutdown") }

  var status: CameraStreamState {
    state.withLock { $0.reported ?? CameraStreamState($0.told ?? ($0.node == nil ? .offline : .idle)) }
  }

  private func call(_ text: String) { state.withLock { $0.calls.append(text) } }
}

struct FakeDevice: CameraDevice {
  let node: String
  func describe() throws(CaptureError) -> DeviceDescription { throw .testPattern("a fake") }
  func isHeldByAnotherProgram() -> Bool { false }
  func open(_ wish: FormatWish, bufferCount: Int) throws(CaptureError) -> any OpenCameraDevice {
    throw .testPattern("a fake")
  }
  func letGo() {}
}

/// A registry with fakes around it.
final class RegistryBench: Sendable {
  let directory = TemporaryDirectory()
  let finder = FakeFinder()
  let probe = FakeProbe()
  let clock = TestClock()
  let timer = ManualTimer()
  let sink = RecordingLogSink()
  let registry: CameraRegistry<FakeCamera>
  private let store: SettingsStore
  private let heard: Events
  private let made: Cameras

  final class Events: Sendable {
    private let list = Guarded<[CaptureEvent]>([])
    func add(_ event: CaptureEvent) { list.withLock { $0.append(event) } }
    var all: [CaptureEvent] { list.withLock { $0 } }
  }

  final class Cameras: Sendable {
    private let list = Guarded<[FakeCamera]>([])
    func add(_ camera: FakeCamera) -> FakeCamera {
      list.withLock { $0.append(camera) }
      return camera
    }
    var all: [FakeCamera] { list.withLock { $0 } }
  }

  init(settings: String? = nil) {
    let (heard, made) = (Events(), Cameras())
    let store = SettingsStore(path: settings ?? directory.path + "/settings.json", log: sink.log, clock: clock)
    var parts = CameraRegistry<FakeCamera>.Parts(
      finder: finder, store: store, log: sink.log, camera: { id, changed in made.add(FakeCamera(id, changed)) },
      observer: { heard.add($0) })
    parts.probe = probe
    parts.clock = clock
    parts.timer = timer
    parts.device = { FakeDevice(node: $0) }
    registry = CameraRegistry(parts)
    self.store = store
    (self.heard, self.made) = (heard, made)
  }

  deinit { timer.expireAll() }

  var events: [CaptureEvent] { heard.all }
  var settingsPath: String { directory.path + "/settings.json" }
  var kept: RigSettings { SettingsStore(path: settingsPath, log: sink.log, clock: clock).current }

  func start(_ nodes: [FoundNode] = []) async throws {
    try await registry.start()
    finder.tell(.all(nodes))
    let ids = Set(nodes.map(\.sysPath)).count
    await eventually { await self.registry.onlineIDs.count >= ids }
  }

  func camera(_ id: CameraID) -> FakeCamera? { made.all.last { $0.id == id } }

  /// Nothing gets onto the disk until the gate is opened.
  func holdDisk() async -> Gate {
    let gate = Gate()
    let store = store
    Task { try await onThread { try store.update { _ in gate.wait() } } }
    await eventually { gate.isHeld }
    return gate
  }

  final class Gate: Sendable {
    private let held = Guarded(false)
    private let opened = DispatchSemaphore(value: 0)
    var isHeld: Bool { held.withLock { $0 } }
    func open() { opened.signal() }

    fileprivate func wait() {
      held.withLock { $0 = true }
      opened.wait()
    }
  }

  func hear(_ event: CaptureEvent, times: Int = 1) async {
    await eventually { self.events.filter { $0 == event }.count >= times }
  }

  func state(_ id: CameraID) async -> CameraState? { await registry.description(id)?.state }

  /// A webcam in a socket. Its node answers as a camera does.
  func webcam(_ port: String, serial: String = "", node: Int) -> FoundNode {
    probe.put("/dev/video\(node)", .success(Self.facts()))
    return .webcam(port, serial: serial, node: node)
  }

  static func facts(formats: Int = 2) -> NodeFacts { .webcam(formats: formats) }
}
