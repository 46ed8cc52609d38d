import CLinux
import CamrigModel
import Glibc

/// Another program while it runs. It ends with this object at the latest, and all that it has started with it.
package final class RunningProgram: Sendable {
  private enum State {
    case running(pid_t)
    case ended(Int32)
  }

  private let directory = TemporaryDirectory()
  private let state: Guarded<State>

  /// Starts a program found on the path, with `environment` added to the test's own. Its language is C, whatever the
  /// tester's, and its home is empty.
  package init(
    _ name: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) {
    FileBytes.write(input, to: directory.path + "/in")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, directory.path + "/in", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, directory.path + "/out", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, directory.path + "/err", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: what it starts can be ended with it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)

    let variables = Self.variables(["LC_ALL": "C.UTF-8", "HOME": directory.path].merging(environment) { $1 })
    let argv = ([name] + arguments).map { strdup($0) } + [nil]
    let envp = variables.map { strdup($0) } + [nil]
    defer { for word in argv + envp { free(word) } }
    var process = pid_t()
    let result = posix_spawnp(&process, name, &actions, &attributes, argv, envp)
    state = Guarded(result == 0 ? .running(process) : .ended(127))
  }

  deinit {
    signal(SIGKILL)
    if case .running(let process) = state.withLock({ $0 }) { waitpid(process, nil, 0) }
  }

  /// Of the program; nil once it has ended.
  package var process: pid_t? {
    if case .running(let process) = state.withLock({ $0 }) { process } else { nil }
  }

  package var isRunning: Bool { status == nil }

  package var byteCount: Int { bytes("out").count }

  /// What it has written so far.
  package var text: String { String(decoding: bytes("out"), as: UTF8.self) }
  package var errors: String { String(decoding: bytes("err"), as: UTF8.self) }
  package var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// To the program and all that it has started.
  package func signal(_ number: Int32) {
    state.withLock { state in
      if case .running(let process) = state { kill(-process, number) }
    }
  }

  /// Blocks until it has ended; after `seconds` it is killed.
  package func waitForEnd(seconds: Int = 120) -> Program {
    let deadline = SystemClock().now + .seconds(seconds)
    while isRunning {
      if SystemClock().now > deadline { signal(SIGKILL) }
      poll(nil, 0, 2)
    }
    return ended
  }

  /// Suspends until it has ended; after `seconds` it is killed.
  package func ended(seconds: Int = 120) async -> Program {
    let deadline = SystemClock().now + .seconds(seconds)
    while isRunning {
      if SystemClock().now > deadline { signal(SIGKILL) }
      // A test that was given up ends here; the program then ends with this object.
      if (try? await Task.sleep(for: .milliseconds(2))) == nil { signal(SIGKILL) }
    }
    return ended
  }

  private var ended: Program { Program(status: status ?? -1, output: bytes("out"), errors: errors) }

  /// Nil while it runs.
  private var status: Int32? {
    state.withLock { state in
      switch state {
      case .ended(let status): return status
      case .running(let process):
        var result: Int32 = 0
        guard waitpid(process, &result, WNOHANG) == process else { return nil }
        // WIFEXITED and WEXITSTATUS are macros.
        let status = result & 0x7f == 0 ? (result >> 8) & 0xff : 128 + (result & 0x7f)
        state = .ended(status)
        return status
      }
    }
  }

  private func bytes(_ name: String) -> [UInt8] {
    let path = "\(directory.path)/\(name)"
    return access(path, R_OK) == 0 ? FileBytes.read(path) : []
  }

  private static func variables(_ added: [String: String]) -> [String] {
    var variables = added.map { "\($0.key)=\($0.value)" }
    var entry = environ
    while let text = entry.pointee {
      let own = String(cString: text)
      if added[String(own.prefix { $0 != "=" })] == nil { variables.append(own) }
      entry += 1
    }
    return variables
  }
}
