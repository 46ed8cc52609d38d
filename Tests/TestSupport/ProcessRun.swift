import CLinux
import Glibc

/// A program that has run to its end.
package struct ProcessRun: Sendable {
  /// The exit status; -1 if a signal ended it.
  package let status: Int32
  package let output: String
  package let errors: String

  /// Runs `path` with `environment` added to this process's own. Blocks. Nil: it could not be started.
  package init?(_ path: String, _ arguments: [String], environment: [String: String] = [:]) {
    let directory = TemporaryDirectory()
    let files = ["out", "err"].map { "\(directory.path)/\($0)" }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, files[0], O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, files[1], O_WRONLY | O_CREAT, 0o600)

    var variables: [String] = environment.map { "\($0.key)=\($0.value)" }
    var entry = environ
    while let text = entry.pointee {
      let own = String(cString: text)
      let name = String(own.prefix { $0 != "=" })
      if environment[name] == nil { variables.append(own) }
      entry += 1
    }
    var process: pid_t = 0
    let result = Self.withStrings([path] + arguments) { arguments in
      Self.withStrings(variables) { variables in
        posix_spawn(&process, path, &actions, nil, arguments, variables)
      }
    }
    guard result == 0 else { return nil }
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0, errno == EINTR {}
    // WIFEXITED and WEXITSTATUS are macros.
    status = state & 0x7f == 0 ? (state >> 8) & 0xff : -1
    output = Self.text(files[0])
    errors = Self.text(files[1])
  }

  package var lines: [String] { output.split(separator: "\n").map(String.init) }

  private static func withStrings<R>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("an array with its nil has a first element") }
      return body(base)
    }
  }

  private static func text(_ path: String) -> String {
    let file = cl_open(path, O_RDONLY, 0)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes.append(contentsOf: chunk[0..<count])
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
