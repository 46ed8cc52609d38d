import CLinux
import Glibc

/// One output line of a GPIO chip. The kernel keeps it as it was set for as long as this object lives; what the line
/// does afterwards is the driver's affair, so it is set to off first.
/// By the kernel's own interface: the libgpiod of Debian 12 and that of 13 have different calls for it.
package final class GPIOLine: Sendable {
  private let place: LightPlace
  private let descriptor: Int32

  /// Off at first.
  package init(chip: String, line: UInt32, activeLow: Bool, folder: String = "/dev") throws(LightError) {
    place = .gpio(chip: chip, line: line, activeLow: activeLow)
    descriptor = cl_gpio_output("\(folder)/\(chip)", line, activeLow ? 1 : 0, "camrig")
    guard descriptor >= 0 else {
      if descriptor == -ENOENT { throw .noSuchChip(chip) }
      throw .failed(place, code: -descriptor)
    }
  }

  deinit { close(descriptor) }

  package func set(_ on: Bool) throws(LightError) {
    let result = cl_gpio_set(descriptor, on ? 1 : 0)
    guard result == 0 else { throw .failed(place, code: -result) }
  }
}
