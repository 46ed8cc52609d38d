import Glibc

/// Emulated V4L2 cameras, preloaded into a program of this package (see `Tests/FakeCam`).
package final class FakeCam: Sendable {
  private let directory = TemporaryDirectory()

  /// Where the built programs and this test bundle are.
  package static let builtDirectory: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes {
      readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    let path = String(decoding: buffer[0..<max(count, 0)], as: UTF8.self)
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }()

  private static let sources =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/") + "/FakeCam"

  /// The library, built if it is not there; nil if it cannot be.
  private static let library: String? =
    Program.run("make", ["-s", "-C", sources]).status == 0 ? sources + "/build/libfakecam.so" : nil

  /// `fakecam-run`, which shows the cameras to libudev too; nil where libumockdev is not installed.
  package static let bed: String? =
    Program.run("make", ["-s", "-C", sources, "udev"]).status == 0 ? sources + "/build/fakecam-run" : nil

  /// - Parameter configuration: the cameras, as in `example.conf`.
  package init(_ configuration: String) { write(configuration, "cameras.conf") }

  /// Writes a file that the configuration can name as `path(of:)`.
  package func write(_ text: String, _ name: String) { write(Array(text.utf8), name) }

  package func write(_ bytes: [UInt8], _ name: String) { FileBytes.write(bytes, to: path(of: name)) }

  package func path(of name: String) -> String { "\(directory.path)/\(name)" }

  /// Runs a program of this package with these cameras.
  /// - Parameter script: what happens to them, such as `frame=0:100 skip 0 3`.
  package func run(_ program: String, _ arguments: [String], script: [String] = []) -> Program? {
    guard let library = Self.library else { return nil }
    var environment = [
      "FAKECAM_CONF": path(of: "cameras.conf"), "FAKECAM_ONLY": program, "LD_PRELOAD": library,
      "SWIFT_BACKTRACE": "enable=no",
    ]
    if !script.isEmpty {
      write(script.joined(separator: "\n") + "\n", "script")
      environment["FAKECAM_SCRIPT"] = path(of: "script")
    }
    return Program.run("\(Self.builtDirectory)/\(program)", arguments, environment: environment)
  }
}
