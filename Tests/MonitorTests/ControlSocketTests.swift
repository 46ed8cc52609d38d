import CLinux
import CamrigModel
import Glibc
import Monitor
import TestSupport
import Testing

@Suite("The place of the control socket", .timeLimit(.minutes(5)))
struct ControlSocketTests {
  private let directory = TemporaryDirectory()
  private let sink = RecordingLogSink()
  private var path: String { directory.path + "/control.sock" }

  private func serve(group: String? = nil) throws -> ControlServer {
    try ControlServer(
      try ControlSocket.listening(at: path, group: group, log: sink.log), handler: TestRig(), log: sink.log)
  }

  @Test("only its user and its group may use it")
  func mode() throws {
    let server = try serve()
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o660)
    server.stop()
  }

  @Test("a group that does not exist is a warning, and the rig serves")
  func noGroup() throws {
    let server = try serve(group: "no-such-group-here")
    #expect(sink.lines.contains { $0.level == .warning && $0.message.contains("no group no-such-group-here") })
    server.stop()
  }

  @Test("the group that it has already needs no change")
  func sameGroup() throws {
    // Who may not change it, as in a sandbox, gets no warning; root would, so only the call is tried here.
    let group = try #require(getgrgid(getegid()))
    let server = try serve(group: String(cString: group.pointee.gr_name))
    #expect(sink.lines.allSatisfy { $0.level > .warning })
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_gid == getegid())
    server.stop()
  }

  @Test("a socket that a dead daemon left is replaced")
  func stale() async throws {
    let dead = cl_unix_socket()
    #expect(cl_unix_bind(dead, path) == 0)
    close(dead)
    let server = try serve()
    let path = path
    let result = try await onThread { try ControlClient(path: path).call("rig.echo", timeout: .seconds(100)) }
    #expect(result == [:])
    server.stop()
  }

  @Test("a socket that another daemon answers is left to it, with an error that says so")
  func live() async throws {
    let first = try serve()
    #expect(throws: MonitorError.anotherAnswers(path)) { try serve() }
    #expect("\(MonitorError.anotherAnswers(path))".hasPrefix("another camrigd answers on \(path)"))
    let path = path
    let result = try await onThread { try ControlClient(path: path).call("rig.echo", timeout: .seconds(100)) }
    #expect(result == [:])
    first.stop()
  }

  @Test("a file that is no socket is not touched")
  func file() throws {
    close(cl_open(path, O_CREAT | O_WRONLY, 0o600))
    #expect(throws: MonitorError.notASocket(path)) { try serve() }
    #expect(access(path, F_OK) == 0)
  }

  @Test("a missing directory and a path too long are said in words")
  func badPlaces() {
    let missing = directory.path + "/no/control.sock"
    #expect(throws: MonitorError.noDirectory(missing)) {
      try ControlSocket.listening(at: missing, group: nil, log: sink.log)
    }
    let long = directory.path + "/" + String(repeating: "a", count: 120)
    #expect(throws: MonitorError.pathTooLong(long)) {
      try ControlSocket.listening(at: long, group: nil, log: sink.log)
    }
  }

  @Test("stop leaves a socket that another daemon has put in the place")
  func replaced() throws {
    let server = try serve()
    unlink(path)
    let other = cl_unix_socket()
    #expect(cl_unix_bind(other, path) == 0)
    server.stop()
    #expect(access(path, F_OK) == 0)
    close(other)
  }

  @Test("a listening socket given by systemd is served and not removed")
  func inherited() async throws {
    let given = cl_unix_socket()
    #expect(cl_unix_bind(given, path) == 0 && listen(given, 16) == 0)
    let server = try ControlServer(.inherited(given), handler: TestRig(), log: sink.log)
    let path = path
    let result = try await onThread { try ControlClient(path: path).call("rig.echo", timeout: .seconds(100)) }
    #expect(result == [:])
    server.stop()
    #expect(access(path, F_OK) == 0)
  }
}
