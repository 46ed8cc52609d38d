import CLinux
import CVideo4Linux
import CamrigModel
import Glibc

/// A second handle on a camera's node, for its controls alone: neither streams nor buffers are touched by it, and
/// whoever streams is not disturbed. Used by one thread at a time.
package final class ControlNode {
  package let path: String
  private var fd: Int32
  private var subscribed = false
  /// The driver takes no notice of a value that it was told before, though its camera has lost it since.
  private let ignoresEqualValues: Bool

  /// Drivers that let STREAMON reset the camera's controls, and leave it to the kernel's control framework to compare
  /// what is set with what was.
  private static let forgetful: Set<String> = ["facetimehd"]

  package init(path: String) throws(V4L2Error) {
    self.path = path
    fd = cl_open(path, O_RDWR | O_NONBLOCK, 0)
    guard fd >= 0 else { throw V4L2Error(-fd, "open", path: path) }
    var answer = v4l2_capability()
    ignoresEqualValues =
      cv4l2_querycap(fd, &answer) == 0 && Self.forgetful.contains(deviceText(of: answer.driver))
  }

  deinit { close() }

  package func close() {
    guard fd >= 0 else { return }
    Glibc.close(fd)
    fd = -1
  }

  /// All controls with their values; with queries only. Throws only if the camera is gone.
  package func list() throws(V4L2Error) -> [ControlDescription] {
    var controls = ControlList.read(self)
    for index in controls.indices { try refresh(&controls[index]) }
    return controls
  }

  /// Flags, range and value as they are now. What cannot be read has no value. Throws only if the camera is gone.
  package func refresh(_ control: inout ControlDescription) throws(V4L2Error) {
    if case .control(let offered) = query(control.id, next: false) {
      let now = ControlList.describe(offered, self)
      (control.flags, control.minimum, control.maximum) = (now.flags, now.minimum, now.maximum)
      (control.step, control.defaultValue, control.items) = (now.step, now.defaultValue, now.items)
    }
    try read(&control)
  }

  /// The value alone.
  package func read(_ control: inout ControlDescription) throws(V4L2Error) {
    guard !control.flags.contains(.writeOnly), !control.flags.contains(.disabled) else { return }
    do throws(V4L2Error) {
      control.value = try value(of: control)
    } catch {
      if case .unplugged = error { throw error }
      control.value = nil
    }
  }

  /// Sets it and gives what the driver made of the value, which is one that `settled` has given.
  package func write(_ value: ControlValue, to control: ControlDescription) throws(V4L2Error) -> ControlValue {
    if ignoresEqualValues, control.value == value, let other = control.nearest(otherThan: value) {
      _ = try set(other, control)
    }
    return try set(value, control)
  }

  private func set(_ value: ControlValue, _ control: ControlDescription) throws(V4L2Error) -> ControlValue {
    switch control.type {
    case .string:
      guard case .text(let text) = value else { preconditionFailure("a string is set to a text") }
      return try withText(control, text) { (one) throws(V4L2Error) in try put(&one, control) }
    case .integer64:
      var one = blank(control)
      cv4l2_set_value64(&one, value.asNumber ?? 0)
      try put(&one, control)
      return .number(cv4l2_value64(&one))
    case .integer, .boolean, .menu, .integerMenu, .button, .bitmask:
      var one = blank(control)
      cv4l2_set_value(&one, Int32(truncatingIfNeeded: value.asNumber ?? 0))
      try put(&one, control)
      return Self.value(cv4l2_value(&one), of: control.type)
    case .unsupported: preconditionFailure("what cannot be set is refused before")
    }
  }

  private func value(of control: ControlDescription) throws(V4L2Error) -> ControlValue? {
    switch control.type {
    case .button, .unsupported: return nil
    case .string: return try withText(control, nil) { (one) throws(V4L2Error) in try get(&one) }
    case .integer64:
      var one = blank(control)
      try get(&one)
      return .number(cv4l2_value64(&one))
    case .integer, .boolean, .menu, .integerMenu, .bitmask:
      var one = blank(control)
      try get(&one)
      return Self.value(cv4l2_value(&one), of: control.type)
    }
  }

  static func value(_ raw: Int32, of type: ControlType) -> ControlValue {
    switch type {
    case .boolean: .bool(raw != 0)
    case .bitmask: .number(Int64(UInt32(bitPattern: raw)))
    case .integer, .menu, .integerMenu, .integer64, .button, .string, .unsupported: .number(Int64(raw))
    }
  }

  // MARK: Live changes

  /// From now on `next` tells when somebody else changes one of these.
  package func subscribe(to controls: [ControlDescription]) {
    for control in controls where control.type != .unsupported {
      var subscription = v4l2_event_subscription()
      subscription.type = UInt32(V4L2_EVENT_CTRL)
      subscription.id = control.id
      // Some drivers know no such event for some controls: those are read when somebody asks.
      if cv4l2_subscribe_event(fd, &subscription) == 0 { subscribed = true }
    }
  }

  package enum Wake: Hashable, Sendable {
    case timeout
    case woken
    /// These have changed.
    case changed(Set<UInt32>)
  }

  /// Waits at most `timeout` (nil: for ever) for a change or for something to read on `wake`.
  package func next(wake: Int32, timeout: Duration?) throws(V4L2Error) -> Wake {
    var waits = (
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      // A negative descriptor is passed over. Without events poll still tells that a camera is gone.
      pollfd(fd: fd, events: subscribed ? Int16(POLLPRI) : 0, revents: 0)
    )
    let milliseconds = timeout.map { max(0, min(($0.inNanoseconds &+ 999_999) / 1_000_000, 3_600_000)) } ?? -1
    let ready = withUnsafeMutableBytes(of: &waits) {
      poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, Int32(milliseconds))
    }
    guard ready >= 0 else {
      if errno == EINTR { return .timeout }
      throw V4L2Error(errno, "poll", path: path)
    }
    if waits.1.revents & Int16(POLLHUP | POLLNVAL) != 0 { throw .unplugged(path: path) }
    if waits.1.revents & Int16(POLLPRI) != 0 {
      let changed = events()
      if !changed.isEmpty { return .changed(changed) }
      // An event that cannot be fetched would wake us for ever.
      subscribed = false
    } else if waits.1.revents & Int16(POLLERR) != 0 {
      throw .unplugged(path: path)
    }
    return waits.0.revents != 0 ? .woken : .timeout
  }

  private func events() -> Set<UInt32> {
    var changed: Set<UInt32> = []
    var event = v4l2_event()
    // The kernel keeps one event for each control; the bound is for a driver that never ends.
    for _ in 0..<ControlList.most {
      guard cv4l2_dqevent(fd, &event) == 0 else { break }
      if event.type == UInt32(V4L2_EVENT_CTRL) { changed.insert(event.id) }
      if event.pending == 0 { break }
    }
    return changed
  }

  // MARK: Calls

  private func blank(_ control: ControlDescription) -> v4l2_ext_control {
    var one = v4l2_ext_control()
    one.id = control.id
    return one
  }

  private func get(_ one: inout v4l2_ext_control) throws(V4L2Error) { try call(&one, "G_EXT_CTRLS", cv4l2_g_ext_ctrls) }

  private func put(_ one: inout v4l2_ext_control, _ control: ControlDescription) throws(V4L2Error) {
    try call(&one, "S_EXT_CTRLS", cv4l2_s_ext_ctrls)
  }

  private func call(
    _ one: inout v4l2_ext_control, _ name: String,
    _ function: (Int32, UnsafeMutablePointer<v4l2_ext_controls>?) -> Int32
  ) throws(V4L2Error) {
    let result = withUnsafeMutablePointer(to: &one) { pointer in
      var all = v4l2_ext_controls()
      all.count = 1
      all.controls = pointer
      return function(fd, &all)
    }
    guard result < 0 else { return }
    switch -result {
    case ENODEV, ENXIO: throw .unplugged(path: path)
    // Of a control these say nothing of the node.
    default: throw .refused(path: path, call: name, errno: -result)
    }
  }

  private func withText(
    _ control: ControlDescription, _ text: String?, _ body: (inout v4l2_ext_control) throws(V4L2Error) -> Void
  ) throws(V4L2Error) -> ControlValue {
    // The driver's own length and the zero; what it says of its length is not believed beyond reason.
    let size = max(Int(clamping: min(control.maximum ?? 0, 65535)), text?.utf8.count ?? 0) + 1
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    if let text { memory.copyBytes(from: text.utf8) }
    var one = blank(control)
    cv4l2_set_string(&one, memory.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(size))
    try body(&one)
    return .text(String(decoding: memory.prefix { $0 != 0 }, as: UTF8.self))
  }
}

extension ControlNode: ControlSource {
  package func query(_ id: UInt32, next: Bool) -> ControlAnswer {
    let asked = next ? id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND) : id
    var extended = v4l2_query_ext_ctrl()
    extended.id = asked
    let result = cv4l2_query_ext_ctrl(fd, &extended)
    if result == 0 { return .control(OfferedControl(extended)) }
    if result == -EINVAL { return .none }
    // A driver from before this call; its controls are all single values.
    guard result == -ENOTTY else { return .failed(extended.id == asked ? 0 : extended.id) }
    var old = v4l2_queryctrl()
    old.id = next ? id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) : id
    switch cv4l2_queryctrl(fd, &old) {
    case 0: return .control(OfferedControl(old))
    case -EINVAL where !next: return .none
    case -EINVAL: return id == 0 ? .unknownCall : .none
    default: return .unknownCall
    }
  }

  package func menuItem(_ id: UInt32, index: Int64, isInteger: Bool) -> String? {
    var item = v4l2_querymenu()
    item.id = id
    item.index = UInt32(truncatingIfNeeded: index)
    guard cv4l2_querymenu(fd, &item) == 0 else { return nil }
    if isInteger { return "\(cv4l2_menu_value(&item))" }
    var name = [CChar](repeating: 0, count: 32)
    cv4l2_menu_name(&item, &name)
    return name.withUnsafeBytes { deviceText($0) }
  }
}

extension OfferedControl {
  init(_ raw: v4l2_query_ext_ctrl) {
    self.init(
      id: raw.id, type: raw.type, name: deviceText(of: raw.name), minimum: raw.minimum, maximum: raw.maximum,
      step: raw.step, defaultValue: raw.default_value, flags: raw.flags,
      isArray: raw.nr_of_dims > 0 || raw.type >= UInt32(V4L2_CTRL_COMPOUND_TYPES.rawValue))
  }

  init(_ raw: v4l2_queryctrl) {
    self.init(
      id: raw.id, type: raw.type, name: deviceText(of: raw.name), minimum: Int64(raw.minimum),
      maximum: Int64(raw.maximum), step: UInt64(clamping: raw.step), defaultValue: Int64(raw.default_value),
      flags: raw.flags)
  }
}
