import CamrigModel
import Capture
import Glibc
import TestSupport
import V4L2

/// A camera's controls as a test has them: an automatic that rules its dependents, a write that takes until the test lets
/// it go on, faults.
final class FakeControls: Sendable {
  struct State {
    var controls: [ControlDescription]
    var writes: [String] = []
    var listed = 0
    var open = 0
    var failing: [String: Int32] = [:]
    var gated: Set<String> = []
    var inGate: String?
    var changed: Set<UInt32> = []
    var opening: [CaptureError] = []
    var isGone = false
  }

  let state: Guarded<State>
  let bell: WakeEvent

  init(_ controls: [ControlDescription] = FakeControls.webcam) throws {
    state = Guarded(State(controls: controls))
    bell = try WakeEvent()
  }

  static let webcam: [ControlDescription] = [
    ControlDescription(
      key: "brightness", id: 0x0098_0900, name: "Brightness", type: .integer, minimum: -64, maximum: 64, step: 8,
      defaultValue: .number(0), value: .number(0), role: .brightness),
    ControlDescription(
      key: "auto_exposure", id: 0x009a_0901, name: "Auto Exposure", group: "camera", type: .menu, minimum: 0,
      maximum: 3,
      defaultValue: .number(3), value: .number(3), items: [1: "Manual Mode", 3: "Aperture Priority Mode"],
      role: .exposureAuto),
    ControlDescription(
      key: "exposure_time_absolute", id: 0x009a_0902, name: "Exposure Time, Absolute", group: "camera", type: .integer,
      minimum: 3, maximum: 2047, step: 1, defaultValue: .number(250), value: .number(250), flags: [.inactive],
      role: .exposure),
    ControlDescription(
      key: "exposure_dynamic_framerate", id: 0x009a_0903, name: "Exposure, Dynamic Framerate", group: "camera",
      type: .boolean, defaultValue: .bool(false), value: .bool(true), role: .keepFrameRate),
    ControlDescription(
      key: "zoom_absolute", id: 0x009a_090d, name: "Zoom, Absolute", group: "camera", type: .integer, minimum: 100,
      maximum: 500, step: 1, defaultValue: .number(100), value: .number(100), role: .zoom),
  ]

  // MARK: What the test says and asks

  var writes: [String] { state.withLock { $0.writes } }
  var isOpen: Bool { state.withLock { $0.open > 0 } }
  var listed: Int { state.withLock { $0.listed } }
  func value(_ key: String) -> ControlValue? { state.withLock { $0.controls.first { $0.key == key }?.value } }

  /// Writing this one waits until `open`.
  func gate(_ key: String) { state.withLock { _ = $0.gated.insert(key) } }
  func open(_ key: String) { state.withLock { _ = $0.gated.remove(key) } }
  func isInGate(_ key: String) -> Bool { state.withLock { $0.inGate == key } }
  func fail(_ key: String, _ errno: Int32?) { state.withLock { $0.failing[key] = errno } }
  func failOpening(_ errors: CaptureError...) { state.withLock { $0.opening += errors } }
  func unplug() {
    state.withLock { $0.isGone = true }
    bell.signal()
  }

  /// Somebody else turns it.
  func turn(_ key: String, _ value: ControlValue) {
    state.withLock { state in
      guard let index = state.controls.firstIndex(where: { $0.key == key }) else { return }
      state.controls[index].value = value
      state.changed.insert(state.controls[index].id)
    }
    bell.signal()
  }

  /// What STREAMON does to some cameras. What is read is what was set.
  func forget() { state.withLock { $0.writes = [] } }
}

/// One opening of them.
final class OpenFakeControls: OpenControls {
  private let fake: FakeControls
  init(_ fake: FakeControls) {
    self.fake = fake
    fake.state.withLock { $0.open += 1 }
  }

  func list() throws(V4L2Error) -> [ControlDescription] {
    fake.state.withLock { state in
      state.listed += 1
      return state.controls
    }
  }

  func refresh(_ control: inout ControlDescription) throws(V4L2Error) {
    let id = control.id
    if let found = fake.state.withLock({ $0.controls.first { $0.id == id } }) { control = found }
  }

  func write(_ value: ControlValue, to control: ControlDescription) throws(V4L2Error) -> ControlValue {
    let key = control.key
    fake.state.withLock { $0.inGate = key }
    while fake.state.withLock({ $0.gated.contains(key) }) { usleep(500) }
    let error = fake.state.withLock { state -> Int32? in
      state.inGate = nil
      state.writes.append("\(key)=\(value)")
      if let error = state.failing[key] { return error }
      guard let index = state.controls.firstIndex(where: { $0.key == key }) else { return EINVAL }
      if state.controls[index].flags.contains(.inactive) { return EACCES }
      state.controls[index].value = value
      if key == "auto_exposure", let exposure = state.controls.firstIndex(where: { $0.key == "exposure_time_absolute" })
      {
        state.controls[exposure].flags = value == .number(1) ? [] : [.inactive]
      }
      return nil
    }
    if let error { throw .refused(path: "/dev/fake0", call: "S_EXT_CTRLS", errno: error) }
    return value
  }

  func subscribe(to controls: [ControlDescription]) {}

  func next(wake: Int32, timeout: Duration?) throws(V4L2Error) -> ControlNode.Wake {
    var waits = [
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      pollfd(fd: fake.bell.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&waits, 2, timeout.map { Int32(clamping: $0.inNanoseconds / 1_000_000 + 1) } ?? -1)
    if waits[1].revents != 0 {
      fake.bell.drain()
      if fake.state.withLock({ $0.isGone }) { throw .unplugged(path: "/dev/fake0") }
      let changed = fake.state.withLock { state in
        defer { state.changed = [] }
        return state.changed
      }
      if !changed.isEmpty { return .changed(changed) }
    }
    return waits[0].revents != 0 ? .woken : .timeout
  }

  func close() { fake.state.withLock { $0.open -= 1 } }
}

/// A camera that has only controls.
struct ControlledDevice: CameraDevice {
  let node = "/dev/fake0"
  let controls: FakeControls

  func describe() throws(CaptureError) -> DeviceDescription {
    DeviceDescription(driver: "fake", card: "Fake", bus: "usb-1-1", node: node, formats: [])
  }
  func isHeldByAnotherProgram() -> Bool { false }
  func open(_ wish: FormatWish, bufferCount: Int) throws(CaptureError) -> any OpenCameraDevice {
    throw .noPictures(node: node)
  }
  func letGo() {}
  func openControls() throws(CaptureError) -> (any OpenControls)? {
    let error = controls.state.withLock { $0.opening.isEmpty ? nil : $0.opening.removeFirst() }
    if let error { throw error }
    return OpenFakeControls(controls)
  }
}
