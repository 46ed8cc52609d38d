import CLinux
import Glibc

/// The thread of the rig's web server, as the kernel knows it.
struct ServerThread: Sendable {
  static let shared = ServerThread()

  private let path: String

  private init() {
    _ = FuzzedRig.shared
    let tasks = "/proc/self/task/"
    let found = Self.names(in: tasks).first { Self.text(tasks + $0 + "/comm") == "http\n" }
    guard let found else { preconditionFailure("the server has no thread") }
    path = tasks + found + "/schedstat"
  }

  /// What it has used of a processor.
  var nanoseconds: Int64 { Self.text(path).split(separator: " ").first.flatMap { Int64($0) } ?? 0 }

  private static func names(in directory: String) -> [String] {
    guard let entries = opendir(directory) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      names.append(
        withUnsafePointer(to: entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  private static func text(_ path: String) -> String {
    let descriptor = cl_open(path, O_RDONLY, 0)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
