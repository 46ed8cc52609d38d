import CLinux
import Glibc

/// Another program that has run to its end.
package struct Program: Sendable {
  /// The exit status; 128 and the signal if a signal ended it; 127 if it could not be started.
  package let status: Int32
  package let output: [UInt8]
  package let errors: String

  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Runs a program found on the path and waits for its end; after `seconds` it is killed. Its language is C, whatever
  /// the tester's.
  package static func run(
    _ name: String, _ arguments: [String], input: [UInt8] = [], seconds: Int = 120
  ) -> Program {
    let directory = TemporaryDirectory()
    let files = ["in", "out", "err"].map { "\(directory.path)/\($0)" }
    let given = cl_open(files[0], O_WRONLY | O_CREAT | O_EXCL, 0o600)
    var rest = input[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(given, $0.baseAddress, $0.count) }
      precondition(count > 0, "a test needs room in /tmp")
      rest = rest.dropFirst(count)
    }
    close(given)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, files[1], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, files[2], O_WRONLY | O_CREAT | O_TRUNC, 0o600)

    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let words = ["timeout", "-k", "5", "\(seconds)", name] + arguments
    let argv = Self.copies(words)
    let environment = Self.copies(["PATH=\(path)", "LC_ALL=C.UTF-8", "HOME=\(directory.path)"])
    defer { for word in argv + environment { free(word) } }
    var child = pid_t()
    guard posix_spawnp(&child, "timeout", &actions, nil, argv, environment) == 0 else {
      return Program(status: 127, output: [], errors: "timeout(1) could not be started")
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    return Program(
      status: code, output: bytes(of: files[1]), errors: String(decoding: bytes(of: files[2]), as: UTF8.self))
  }

  /// C strings, to be freed, and a null at the end.
  private static func copies(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { word in strdup(word) } + [nil]
  }

  private static func bytes(of path: String) -> [UInt8] {
    let file = cl_open(path, O_RDONLY, 0)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(file, buffer.baseAddress, buffer.count)
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
