import CamrigModel
import Glibc
import HTTP
import TestSupport
import Testing

@Suite("HTTPS", .serialized, .timeLimit(.minutes(5)))
struct SecureServerTests {
  private let now = SystemClock().anchor.wall

  /// A server that speaks HTTPS on a second port, and its authority.
  private func secure(
    _ change: (inout WebSocketsServer.Settings) -> Void = { _ in }
  ) throws -> (TestServer, CertificateAuthority, UInt16) {
    let server = try TestServer(change)
    let authority = try CertificateAuthority(
      directory: server.directory.path + "/tls", name: "camrig test", host: "rig")
    server.server.use(try authority.certificate(for: ["rig.local", "127.0.0.1"], at: now).certificate)
    let socket = try ListeningSocket.open(.network(address: "127.0.0.1", port: 0))
    guard case .network(_, let port) = socket.place else { throw HTTPServerError.noCertificate }
    try server.server.serve(socket, isSecure: true)
    return (server, authority, port)
  }

  private func curl(_ server: TestServer, _ port: UInt16, _ arguments: String...) async -> Program {
    await Program.ended(
      "curl",
      [
        "-sS", "--max-time", "60", "--cacert", server.directory.path + "/tls/ca.pem", "--resolve",
        "rig.local:\(port):127.0.0.1",
      ] + arguments)
  }

  @Test("a client that trusts the authority is served by name and by address, over HTTP/1.1")
  func served() async throws {
    let (server, authority, port) = try secure()
    let byName = await curl(server, port, "--http2", "-w", " %{http_version}", "https://rig.local:\(port)/peer")
    #expect(byName.text == "127.0.0.1 true true\n 1.1", "\(byName.errors)")
    #expect(await curl(server, port, "https://127.0.0.1:\(port)/hello").text == "hello \n")
    #expect(await curl(server, port, "https://localhost:\(port)/hello").status == 60)
    #expect(await Program.ended("curl", ["-sS", "https://127.0.0.1:\(port)/hello"]).status == 60)
    _ = authority
  }

  @Test("large responses and bodies go through whole")
  func large() async throws {
    let (server, _, port) = try secure()
    let big = await curl(server, port, "https://127.0.0.1:\(port)/big")
    #expect(big.output.count == 3 << 20)
    let bytes = [UInt8](repeating: 0x37, count: 500_000)
    FileBytes.write(bytes, to: server.directory.path + "/body")
    let echo = await curl(
      server, port, "--data-binary", "@\(server.directory.path)/body", "https://127.0.0.1:\(port)/echo")
    let isWhole = FileBytes.areEqual(echo.output, bytes)
    #expect(isWhole)
  }

  @Test("files from a disk that is waited for piece by piece go through whole, one after the other over one connection")
  func files() async throws {
    let (server, _, port) = try secure()
    let bytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    FileBytes.write(bytes, to: server.directory.path + "/take.mp4")
    server.site.content.withLock { content in
      content.file = server.directory.path + "/take.mp4"
      content.read = { descriptor, memory, count, offset in
        poll(nil, 0, 5)
        return pread(descriptor, memory, count, offset)
      }
    }
    let url = "https://127.0.0.1:\(port)/file"
    let run = await curl(server, port, "-w", "%{stderr}%{num_connects}", url, url)
    let isWhole = FileBytes.areEqual(run.output, bytes + bytes)
    #expect(isWhole && run.errors == "10")
  }

  @Test("a new certificate is used at once, and connections that are open stay open")
  func reloaded() async throws {
    let (server, authority, port) = try secure()
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    let viewer = RunningProgram(
      "curl", ["-sSN", "--cacert", server.directory.path + "/tls/ca.pem", "https://127.0.0.1:\(port)/stream"])
    await eventually { stream.hasBegun }
    stream.put(Array("before\n".utf8))
    await eventually { viewer.text == "before\n" }
    let before = await serial(port)
    let (certificate, reason) = try authority.certificate(for: ["rig.local", "127.0.0.1", "new.local"], at: now)
    #expect(reason == .names)
    server.server.use(certificate)
    await eventually { await serial(port) != before }
    let run = await Program.ended(
      "curl",
      [
        "-sS", "--cacert", server.directory.path + "/tls/ca.pem", "--resolve", "new.local:\(port):127.0.0.1",
        "https://new.local:\(port)/hello",
      ])
    #expect(run.text == "hello \n", "\(run.errors)")
    stream.put(Array("after\n".utf8))
    await eventually { viewer.text == "before\nafter\n" }
    stream.finish()
    #expect(await viewer.ended().status == 0)
  }

  private func serial(_ port: UInt16) async -> String {
    let shown = await Program.ended("openssl", ["s_client", "-connect", "127.0.0.1:\(port)"])
    return await Program.ended("openssl", ["x509", "-noout", "-serial"], input: shown.output).text
  }

  @Test("the whole chain is shown, and nothing older than TLS 1.2 is spoken")
  func handshake() async throws {
    let (server, _, port) = try secure()
    let ca = server.directory.path + "/tls/ca.pem"
    let shown = await Program.ended(
      "openssl", ["s_client", "-showcerts", "-verify_return_error", "-CAfile", ca, "-connect", "127.0.0.1:\(port)"])
    #expect(shown.text.components("BEGIN CERTIFICATE") == 2)
    #expect(shown.text.contains("Verify return code: 0 (ok)"))
    #expect(shown.text.contains("TLSv1.3"))
    let two = await Program.ended("openssl", ["s_client", "-tls1_2", "-connect", "127.0.0.1:\(port)"])
    #expect(two.text.contains("Cipher is ECDHE-ECDSA"))
    let old = await Program.ended(
      "openssl", ["s_client", "-tls1_1", "-cipher", "ALL@SECLEVEL=0", "-connect", "127.0.0.1:\(port)"])
    #expect(old.text.contains("Cipher is (NONE)"))
  }

  @Test("who comes in plain HTTP is sent to HTTPS, and gets nothing else")
  func plain() async throws {
    let (server, _, port) = try secure()
    let run = await Program.ended("curl", ["-sS", "-i", "http://127.0.0.1:\(port)/hello"])
    #expect(run.text.hasPrefix("HTTP/1.1 302 Found\r\n"))
    #expect(run.text.contains("\r\nlocation: https://127.0.0.1:\(port)/\r\n"))
    let evil = await Program.ended("curl", ["-sS", "-i", "-H", "Host: evil/x@y", "http://127.0.0.1:\(port)/hello"])
    #expect(evil.text.hasPrefix("HTTP/1.1 426 "))
    let post = await Program.ended("curl", ["-sS", "-i", "--data", "x", "http://127.0.0.1:\(port)/echo"])
    #expect(post.text.hasPrefix("HTTP/1.1 426 "))
    let socket = await Program.ended(
      "curl",
      [
        "-sS", "-i", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Version: 13", "-H",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "http://127.0.0.1:\(port)/socket",
      ])
    #expect(socket.text.hasPrefix("HTTP/1.1 302 "))
    #expect(server.site.content.withLock { $0.requests.isEmpty && $0.sessions.isEmpty })
  }

  @Test("who does not finish the handshake is closed when the time is over")
  func slowHandshake() async throws {
    let (server, _, port) = try secure { $0.limits.headerSeconds = 1 }
    let client = RunningProgram(
      "/usr/bin/python3",
      [
        "-u", "-c",
        "import socket\ns = socket.create_connection((\"127.0.0.1\", \(port)))\ns.send(b\"\\x16\\x03\\x01\")\n"
          + "print(s.recv(1))",
      ])
    #expect(await client.ended().text == "b''\n")
    #expect(await server.curl("/hello").text == "hello \n")
  }

  @Test("WebSockets go over TLS")
  func webSocket() async throws {
    let (server, _, port) = try secure()
    let run = await PythonClient.run(
      server,
      """
      import ssl
      trust = ssl.create_default_context(cafile="\(server.directory.path)/tls/ca.pem")
      async with websockets.connect("wss://127.0.0.1:\(port)/socket", ssl=trust, max_size=None) as ws:
          await ws.send(b"z" * 900000)
          print(await ws.recv() == b"z" * 900000)
          await ws.send("text")
          print(await ws.recv())
      """)
    #expect(run.text == "True\ntext\n", "\(run.errors)")
    #expect(server.site.sessions.first?.socket?.head.isSecure == true)
  }

  @Test("HTTPS without a certificate is an error, not a server that cannot answer")
  func noCertificate() throws {
    let server = try TestServer()
    let socket = try ListeningSocket.open(.network(address: "127.0.0.1", port: 0))
    #expect(throws: HTTPServerError.noCertificate) { try server.server.serve(socket, isSecure: true) }
  }
}

extension String {
  /// How often `part` is in it.
  fileprivate func components(_ part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
