import CLinux
import Glibc
import TestSupport

/// Runs a program and gives its exit status and what it wrote to stdout and stderr, both together.
func run(_ arguments: String...) -> (status: Int32, output: String) {
  let directory = TemporaryDirectory()
  let log = directory.path + "/output"
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  posix_spawn_file_actions_adddup2(&actions, 1, 2)
  var child = pid_t()
  var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
  defer { for case let argument? in argv { free(argument) } }
  guard posix_spawnp(&child, arguments[0], &actions, nil, &argv, environ) == 0 else { return (127, "") }
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0 && errno == EINTR {}
  let exit = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  return (exit, String(decoding: readFile(log), as: UTF8.self))
}

func readFile(_ path: String) -> [UInt8] {
  let file = open(path, O_RDONLY)
  guard file >= 0 else { return [] }
  defer { close(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[0..<count] }
  return bytes
}

func writeFile(_ bytes: [UInt8], _ path: String) {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  precondition(file >= 0, "a test can write to its own directory")
  defer { close(file) }
  var at = 0
  bytes.withUnsafeBytes {
    while at < $0.count {
      let count = write(file, $0.baseAddress! + at, $0.count - at)
      precondition(count > 0, "a test can write to its own directory")
      at += count
    }
  }
}

/// The same numbers each time (xorshift).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
