import CLinux
import DaemonKit
import Glibc

/// The kernel's LEDs, each a folder of small files (Documentation/leds/leds-class.rst).
package struct LEDClass: Sendable {
  package struct LED: Hashable, Sendable {
    package let name: String
    package let maxLevel: Int
    /// A light to see by, as its driver or device tree says: the function in its name is `torch` or `flash`.
    package var isTorch: Bool {
      let words = name.split { ":-_".contains($0) }
      return words.contains("torch") || words.contains("flash")
    }
  }

  /// `/sys/class/leds`, or what stands for it in a test.
  package let root: String

  package init(root: String = "/sys/class/leds") { self.root = root }

  /// In the order of their names; none where the kernel has no such class.
  package var all: [LED] { names.sorted().compactMap { led($0) } }

  package func led(_ name: String) -> LED? {
    number(name, "max_brightness").map { LED(name: name, maxLevel: max(1, $0)) }
  }

  /// What it is at now, whoever has set it. Nil: it is gone.
  package func level(_ name: String) -> Int? { number(name, "brightness") }

  package func brightnessFile(_ name: String) -> String { "\(root)/\(name)/brightness" }

  /// The folder of the device that the LED belongs to, without links; nil where it has none.
  package func device(_ name: String) -> String? {
    guard let path = realpath("\(root)/\(name)/device", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// What the kernel itself makes it show (`none` for nothing); nil where it cannot.
  package func trigger(_ name: String) -> String? {
    guard let bytes = try? AtomicFile.read("\(root)/\(name)/trigger", limit: 65536) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
      .first { $0.hasPrefix("[") && $0.hasSuffix("]") }.map { String($0.dropFirst().dropLast()) }
  }

  package func setTrigger(_ name: String, _ trigger: String) throws(LightError) { try write(name, "trigger", trigger) }

  package func setLevel(_ name: String, _ level: Int) throws(LightError) {
    guard let led = led(name) else { throw .noSuchLED(name) }
    try write(name, "brightness", String(min(max(0, level), led.maxLevel)))
  }

  private var names: [String] {
    guard let folder = opendir(root) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  // A file that is missing or holds no number is the kernel's way to say that there is no such LED (any more).
  private func number(_ name: String, _ file: String) -> Int? {
    guard let bytes = try? AtomicFile.read("\(root)/\(name)/\(file)", limit: 4096) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
  }

  private func write(_ name: String, _ file: String, _ text: String) throws(LightError) {
    let descriptor = cl_open("\(root)/\(name)/\(file)", O_WRONLY | O_TRUNC, 0)
    guard descriptor >= 0 else {
      if descriptor == -ENOENT { throw .noSuchLED(name) }
      throw .failed(.led(name), code: -descriptor)
    }
    defer { close(descriptor) }
    let bytes = Array((text + "\n").utf8)
    while Glibc.write(descriptor, bytes, bytes.count) < 0 {
      guard errno == EINTR else { throw .failed(.led(name), code: errno) }
    }
  }
}
