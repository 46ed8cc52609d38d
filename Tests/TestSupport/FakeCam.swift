import CLinux
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

  /// The library, built if it is not there; nil if it cannot be.
  private static let library: String? = {
    let sources =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
      + "/FakeCam"
    guard ProcessRun("/usr/bin/make", ["-s", "-C", sources])?.status == 0 else { return nil }
    return "\(sources)/build/libfakecam.so"
  }()

  /// - Parameter configuration: the cameras, as in `example.conf`.
  package init(_ configuration: String) { write(configuration, "cameras.conf") }

  /// Writes a file that the configuration can name as `path(of:)`.
  package func write(_ text: String, _ name: String) { write(Array(text.utf8), name) }

  package func write(_ bytes: [UInt8], _ name: String) {
    let file = cl_open(path(of: name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(file >= 0, "a test can write into its directory")
    _ = Glibc.write(file, bytes, bytes.count)
    close(file)
  }

  package func path(of name: String) -> String { "\(directory.path)/\(name)" }

  /// Runs a program of this package with these cameras.
  /// - Parameter script: what happens to them, such as `frame=0:100 skip 0 3`.
  package func run(_ program: String, _ arguments: [String], script: [String] = []) -> ProcessRun? {
    guard let library = Self.library else { return nil }
    var environment = [
      "FAKECAM_CONF": path(of: "cameras.conf"), "FAKECAM_ONLY": program, "LD_PRELOAD": library,
      "SWIFT_BACKTRACE": "enable=no",
    ]
    if !script.isEmpty {
      write(script.joined(separator: "\n") + "\n", "script")
      environment["FAKECAM_SCRIPT"] = path(of: "script")
    }
    return ProcessRun("\(Self.builtDirectory)/\(program)", arguments, environment: environment)
  }
}
