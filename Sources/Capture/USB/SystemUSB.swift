import DaemonKit

/// USB devices as the kernel shows them in `/sys`.
package struct SystemUSB: Sendable {
  package init() {}

  package struct Facts: Hashable, Sendable {
    package var bus: Int
    package var speed: USBBus
    package var link: USBVideoLink
    /// Bytes per interval that its stream has reserved just now; nil while it does not stream.
    package var reserved: Int?
  }

  /// - Parameter sysPath: of a video node: `/sys/devices/…/1-1/1-1:1.0/video4linux/video0`. Nil: not on USB, or gone.
  package func facts(_ sysPath: String) -> Facts? {
    let parts = sysPath.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 4 else { return nil }
    let device = parts.dropLast(3).joined(separator: "/")
    // `1-1:1.0`: configuration 1, interface 0.
    guard let control = parts[parts.count - 3].split(separator: ".").last.flatMap({ Int($0) }),
      let bus = number(device + "/busnum"), let megabits = number(device + "/speed"),
      let descriptors = try? AtomicFile.read(device + "/descriptors", limit: 1 << 20),
      let link = USBVideoLink(descriptors: descriptors, control: control)
    else { return nil }
    let interface = parts[parts.count - 3].split(separator: ".").dropLast().joined(separator: ".")
    let setting = number("\(device)/\(interface).\(link.interface)/bAlternateSetting") ?? 0
    return Facts(
      bus: bus, speed: USBBus(megabits: megabits), link: link, reserved: setting > 0 ? link.settings[setting] : nil)
  }

  /// The number in a file of one line.
  private func number(_ path: String) -> Int? {
    // What cannot be read is a device that has just gone.
    guard let bytes = try? AtomicFile.read(path, limit: 8192) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return Int(text.filter { $0.isNumber || $0 == "." }.prefix { $0 != "." })
  }
}
