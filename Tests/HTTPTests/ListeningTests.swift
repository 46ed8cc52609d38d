import CLinux
import CamrigModel
import Glibc
import HTTP
import TestSupport
import Testing

@Suite("Where a server listens", .serialized, .timeLimit(.minutes(5)))
struct ListeningTests {
  @Test("port 0 is a free port, and the real one is told")
  func anyPort() throws {
    let socket = try ListeningSocket.open(.network(address: "127.0.0.1", port: 0))
    guard case .network("127.0.0.1", let port) = socket.place else { throw HTTPServerError.noCertificate }
    #expect(port > 0)
    #expect("\(socket.place)" == "127.0.0.1:\(port)")
  }

  @Test("all addresses are both kinds")
  func everywhere() async throws {
    let server = try TestServer()
    let socket = try ListeningSocket.open(.network(address: nil, port: 0))
    guard case .network(nil, let port) = socket.place else { throw HTTPServerError.noCertificate }
    try server.server.serve(socket, isSecure: false)
    let four = await Program.ended("curl", ["-sS", "http://127.0.0.1:\(port)/peer"])
    #expect(four.text == "127.0.0.1 false true\n")
    let six = await Program.ended("curl", ["-sS", "http://[::1]:\(port)/peer"])
    #expect(six.text == "::1 false true\n")
  }

  @Test("a taken port is an error that says how to find who has it")
  func taken() throws {
    let first = try ListeningSocket.open(.network(address: "127.0.0.1", port: 0))
    #expect(throws: HTTPServerError.portTaken(first.place)) { try ListeningSocket.open(first.place) }
    guard case .network(_, let port) = first.place else { return }
    #expect(
      "\(HTTPServerError.portTaken(first.place))"
        == "127.0.0.1:\(port) is taken by another program. Find it with: ss -ltnp, or choose another port with Listen=."
    )
  }

  @Test("an address of somebody else's, or a name, is an error")
  func foreign() {
    for address in ["192.0.2.1", "localhost", "rig.local"] {
      let place = ListenPlace.network(address: address, port: 0)
      #expect(throws: HTTPServerError.noSuchAddress(place)) { try ListeningSocket.open(place) }
    }
  }

  @Test("on a Unix socket the kernel tells who asks, and its mode is the one wanted")
  func local() async throws {
    let server = try TestServer()
    let run = await Program.ended("curl", ["-sS", "--unix-socket", server.socketPath, "http://rig/peer"])
    #expect(run.text.hasSuffix(" of user \(getuid()) false true\n"))
    var status = stat()
    #expect(stat(server.socketPath, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
  }

  @Test("a socket that a dead program left is replaced, one that is answered is not, and a file neither")
  func leftOver() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/http.sock"
    let dead = cl_unix_socket()
    #expect(cl_unix_bind(dead, path) == 0)
    close(dead)
    let place = ListenPlace.path(path, mode: 0o660)
    let socket = try ListeningSocket.open(place)
    #expect(throws: HTTPServerError.anotherAnswers(path)) { try ListeningSocket.open(place) }
    _ = socket
    FileBytes.write([1], to: directory.path + "/file")
    #expect(throws: HTTPServerError.notASocket(directory.path + "/file")) {
      try ListeningSocket.open(.path(directory.path + "/file", mode: 0o660))
    }
    #expect(throws: HTTPServerError.noDirectory(directory.path + "/none/x")) {
      try ListeningSocket.open(.path(directory.path + "/none/x", mode: 0o660))
    }
    let long = directory.path + "/" + String(repeating: "x", count: 108)
    #expect(throws: HTTPServerError.pathTooLong(long)) { try ListeningSocket.open(.path(long, mode: 0o660)) }
  }

  @Test("the socket's name goes with the server, and stays when another has taken it")
  func withdrawn() async throws {
    let server = try TestServer()
    #expect(access(server.socketPath, F_OK) == 0)
    try await onThread { server.stop() }
    #expect(access(server.socketPath, F_OK) != 0)
  }

  @Test("sockets that systemd hands over are served, network and Unix")
  func inherited() async throws {
    let server = try TestServer()
    let directory = TemporaryDirectory()
    let path = directory.path + "/given.sock"
    let given = cl_unix_socket()
    #expect(cl_unix_bind(given, path) == 0)
    #expect(listen(given, 8) == 0)
    try server.server.serve(ListeningSocket.open(.inherited(given)), isSecure: false)
    let run = await Program.ended("curl", ["-sS", "--unix-socket", path, "http://rig/hello"])
    #expect(run.text == "hello \n")

    let deaf = cl_unix_socket()
    defer { close(deaf) }
    #expect(throws: HTTPServerError.notListening(.inherited(deaf))) { try ListeningSocket.open(.inherited(deaf)) }
  }

  @Test("a network socket that systemd hands over tells its address")
  func inheritedNetwork() throws {
    let given = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #expect(listen(given, 8) == 0)
    let socket = try ListeningSocket.open(.inherited(given))
    guard case .network(nil, let port) = socket.place else { throw HTTPServerError.noCertificate }
    #expect(port > 0)
  }

  @Test("a listener that is withdrawn takes nobody new")
  func closed() async throws {
    let server = try TestServer()
    let socket = try ListeningSocket.open(.network(address: "127.0.0.1", port: 0))
    guard case .network(_, let port) = socket.place else { throw HTTPServerError.noCertificate }
    try server.server.serve(socket, isSecure: false)
    #expect(await Program.ended("curl", ["-sS", "http://127.0.0.1:\(port)/hello"]).text == "hello \n")
    server.server.withdraw(socket)
    await eventually {
      await Program.ended("curl", ["-sS", "--max-time", "1", "http://127.0.0.1:\(port)/hello"]).status != 0
    }
    #expect(await server.curl("/hello").text == "hello \n")
  }

  @Test("who has just come when the server stops is answered; who says nothing does not hold it up for long")
  func lastOnes() async throws {
    let server = try TestServer { $0.lastWordSeconds = 1 }
    let first = try server.raw()
    first.send(Array("GET /hello HTTP/1.1\r\nHost: rig\r\n".utf8))
    let silent = try server.raw()
    // Answered, so that those before it were accepted.
    let third = try server.raw()
    third.send(Array("GET /hello HTTP/1.1\r\nHost: rig\r\n\r\n".utf8))
    #expect(third.line()?.hasPrefix("HTTP/1.1 200") == true)
    async let stopping: Void = onThread { server.stop() }
    let answer = try await onThread {
      // Who was answered before goes at the beginning of the end.
      while third.line() != nil {}
      first.send(Array("\r\n".utf8))
      return first.line()
    }
    #expect(answer?.hasPrefix("HTTP/1.1 200") == true)
    try await stopping
    #expect(silent.line() == nil)
  }

  @Test(
    "places",
    arguments: [
      ("127.0.0.1:8470", .network(address: "127.0.0.1", port: 8470)), ("[::1]:0", .network(address: "::1", port: 0)),
      ("*:8470", .network(address: nil, port: 8470)), (":80", .network(address: nil, port: 80)),
      ("8470", .network(address: nil, port: 8470)), ("::1:80", nil), ("127.0.0.1", nil), ("1:65536", nil),
      ("1:-1", nil),
      ("", nil), ("[127.0.0.1]:80", nil), ("1:", nil),
    ] as [(String, ListenPlace?)])
  func places(text: String, expected: ListenPlace?) { #expect(ListenPlace(text) == expected) }

  @Test(
    "what only this machine reaches is no place for others",
    arguments: [
      ("*:8470", 8470), ("192.0.2.7:1", 1), ("[2001:db8::1]:2", 2), ("127.0.0.1:8470", nil), ("127.8.0.1:8470", nil),
      ("[::1]:8470", nil),
    ] as [(String, UInt16?)])
  func portInNetwork(text: String, port: UInt16?) { #expect(ListenPlace(text)?.portInNetwork == port) }
}
