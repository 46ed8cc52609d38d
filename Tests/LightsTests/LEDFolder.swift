import CLinux
import DaemonKit
import Glibc
import Lights
import TestSupport

/// A folder that looks like /sys/class/leds.
struct LEDFolder: ~Copyable {
  let directory: TemporaryDirectory
  var leds: LEDClass { LEDClass(root: directory.path) }

  init(_ names: [String: Int]) {
    directory = TemporaryDirectory()
    for (name, max) in names {
      mkdir("\(directory.path)/\(name)", 0o755)
      put(name, "max_brightness", "\(max)\n")
      put(name, "brightness", "0\n")
    }
  }

  func put(_ name: String, _ file: String, _ text: String) {
    let descriptor = cl_open("\(directory.path)/\(name)/\(file)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    _ = write(descriptor, text, text.utf8.count)
    close(descriptor)
  }

  func text(_ name: String, _ file: String) -> String {
    let bytes = (try? AtomicFile.read("\(directory.path)/\(name)/\(file)")) ?? []
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }
}
