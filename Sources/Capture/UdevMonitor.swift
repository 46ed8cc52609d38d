import CUdev
import CamrigModel
import Glibc

/// A netlink monitor for one subsystem and its context. libudev knows no locks.
///
/// `@unchecked`: made by one thread, then used by the finder's own thread alone.
final class UdevMonitor: @unchecked Sendable {
  /// Hundreds of events: a hub with eight cameras makes about fifty at once.
  private static let receiveBytes: Int32 = 1 << 20

  private let kind: UdevFinder.Kind
  private let udev: OpaquePointer
  private let monitor: OpaquePointer
  /// Without the daemon (a container) nothing ever gets initialised, and what is there is taken as it is.
  private let hasDaemon = access("/run/udev/control", F_OK) == 0

  init(_ kind: UdevFinder.Kind) throws(FinderError) {
    guard let udev = udev_new() else { throw .udev(call: "udev_new", errno: errno) }
    // The group "udev" is told after the rules have run, "kernel" before.
    guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
      let code = errno
      udev_unref(udev)
      throw .udev(call: "a netlink socket", errno: code)
    }
    self.kind = kind
    self.udev = udev
    self.monitor = monitor
    udev_monitor_filter_add_match_subsystem_devtype(monitor, kind.subsystem, nil)
    // Needs a privilege; the default holds a few dozen events, and an overflow is noticed.
    udev_monitor_set_receive_buffer_size(monitor, Self.receiveBytes)
    let result = udev_monitor_enable_receiving(monitor)
    guard result >= 0 else { throw .udev(call: "listening", errno: -result) }
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(udev)
  }

  /// Until `wake` is signalled.
  func run(wake: WakeEvent, _ observer: (FinderEvent) -> Void) {
    observer(.all(enumerate()))
    var waits = [
      pollfd(fd: udev_monitor_get_fd(monitor), events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard poll(&waits, 2, -1) >= 0 || errno == EINTR else { return }
      if wake.drain() { return }
      if waits[0].revents != 0, receive(observer) == .overflowed { observer(.all(enumerate())) }
    }
  }

  private enum Reception { case complete, overflowed }

  private func receive(_ observer: (FinderEvent) -> Void) -> Reception {
    while true {
      errno = 0
      guard let device = udev_monitor_receive_device(monitor) else {
        return errno == ENOBUFS ? .overflowed : .complete
      }
      defer { udev_device_unref(device) }
      guard let sysPath = UdevText.of(udev_device_get_syspath(device)) else { continue }
      if UdevText.of(udev_device_get_action(device)) == "remove" {
        observer(.removed(sysPath: sysPath))
      } else {
        for node in nodes(device) { observer(.present(node)) }
      }
    }
  }

  private func enumerate() -> [FoundNode] {
    guard let list = udev_enumerate_new(udev) else { return [] }
    defer { udev_enumerate_unref(list) }
    udev_enumerate_add_match_subsystem(list, kind.subsystem)
    guard udev_enumerate_scan_devices(list) >= 0 else { return [] }
    var nodes: [FoundNode] = []
    var entry = udev_enumerate_get_list_entry(list)
    while let current = entry {
      entry = udev_list_entry_get_next(current)
      // Gone between listing and asking: its event follows.
      guard let device = udev_device_new_from_syspath(udev, udev_list_entry_get_name(current)) else { continue }
      defer { udev_device_unref(device) }
      nodes += self.nodes(device)
    }
    return nodes
  }

  private func nodes(_ device: OpaquePointer) -> [FoundNode] {
    switch kind {
    case .cameras: camera(device).map { [$0] } ?? []
    case .microphones: UdevSound(udev, hasDaemon: hasDaemon).microphones(device)
    }
  }

  private func camera(_ device: OpaquePointer) -> FoundNode? {
    guard let sysPath = UdevText.of(udev_device_get_syspath(device)),
      let node = UdevText.of(udev_device_get_devnode(device)),
      !hasDaemon || udev_device_get_is_initialized(device) > 0
    else { return nil }
    let index = UdevText.of(udev_device_get_sysattr_value(device, "index")).flatMap { Int($0) } ?? 0
    // The parent belongs to the device: no reference is to be given back.
    let tree = udev_device_get_parent(device).flatMap { UdevText.of(udev_device_get_property_value($0, "OF_FULLNAME")) }
    return FoundNode(
      sysPath: sysPath, node: node, properties: UdevText.properties(device), index: index, deviceTreePath: tree)
  }
}

extension UdevFinder.Kind {
  fileprivate var subsystem: String {
    switch self {
    case .cameras: "video4linux"
    case .microphones: "sound"
    }
  }
}

/// udev's words as Swift's.
enum UdevText {
  /// Always valid text, whatever bytes a device put into its strings.
  static func of(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }

  /// The others differ between an event and the database (ACTION, SEQNUM).
  static func properties(_ device: OpaquePointer) -> [String: String] {
    var properties: [String: String] = [:]
    var entry = udev_device_get_properties_list_entry(device)
    while let current = entry {
      entry = udev_list_entry_get_next(current)
      guard let name = of(udev_list_entry_get_name(current)), name.hasPrefix("ID_") else { continue }
      properties[name] = of(udev_list_entry_get_value(current))
    }
    return properties
  }
}
