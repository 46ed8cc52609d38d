import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("WebSockets", .serialized, .timeLimit(.minutes(5)))
struct WebSocketTests {
  @Test("text and bytes come back, also long ones and those in fragments")
  func echo() async throws {
    let server = try TestServer()
    let run = await PythonClient.run(
      server,
      """
      async with connect("/socket") as ws:
          for message in ["höllo", b"\\x00\\xff", "", b"", "x" * 70000, b"y" * 900000, "z" * 125, "z" * 126]:
              await ws.send(message)
              print(await ws.recv() == message, end=" ")
          await ws.send(["one ", "two ", "three"])
          print(await ws.recv())
          await ws.send([b"1" * 100000, b"2" * 100000])
          print(await ws.recv() == b"1" * 100000 + b"2" * 100000)
      """)
    #expect(run.text == "True True True True True True True True one two three\nTrue\n", "\(run.errors)")
    await eventually { server.site.sessions.first?.closing == WebSocketClosing(1000, "") }
    #expect(server.site.sessions.first?.received.first == .text("höllo"))
  }

  @Test("the subprotocol is the first one offered that is known; a token beside it is seen and not chosen")
  func subprotocols() async throws {
    let server = try TestServer()
    let run = await PythonClient.run(
      server,
      """
      async with connect("/socket", subprotocols=["camrig.token.abc", "camrig.test.v2", "camrig.test.v1"]) as ws:
          print(ws.subprotocol)
      async with connect("/socket") as ws:
          print(ws.subprotocol)
      async with connect("/socket", subprotocols=["camrig.token." + "-_9" * 14 + "A", "camrig.test.v1"]) as ws:
          print(ws.subprotocol)
      for offer in [["other"], ["camrig-unnamed"], ["a" * 130], ["a" * 64, "camrig.test.v1"]]:
          try:
              async with connect("/socket", subprotocols=offer): print("open")
          except InvalidStatusCode as refusal: print(refusal.status_code)
      """)
    #expect(run.text == "camrig.test.v2\nNone\ncamrig.test.v1\n400\n400\n431\n431\n", "\(run.errors)")
    let socket = server.site.sessions.first?.socket
    #expect(socket?.subprotocol == "camrig.test.v2")
    #expect(socket?.head.offeredSubprotocols == ["camrig.token.abc", "camrig.test.v2", "camrig.test.v1"])
  }

  @Test("the handler refuses by path and origin, with a status that says why")
  func refused() async throws {
    let server = try TestServer()
    let run = await PythonClient.run(
      server,
      """
      for path, origin in [("/none", None), ("/socket", "https://evil.test"), ("/socket", "https://rig.test")]:
          try:
              async with connect(path, origin=origin): print("open")
          except InvalidStatusCode as refusal: print(refusal.status_code, refusal.headers["x-frame-options"])
      """)
    #expect(run.text == "404 DENY\n403 DENY\nopen\n", "\(run.errors)")
    let said = await server.curl(
      "-i", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Version: 13", "-H",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "-H", "Origin: https://evil.test", "/socket")
    #expect(said.text.hasSuffix("\r\n\r\nhttps://evil.test may not use this rig.\n"))
  }

  @Test(
    "a handshake that is not right is refused",
    arguments: [
      (["Sec-WebSocket-Version: 8", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="], "426"),
      (["Sec-WebSocket-Version: 13"], "400"),
    ])
  func handshake(headers: [String], status: String) async throws {
    let server = try TestServer()
    let options = (headers + ["Connection: Upgrade", "Upgrade: websocket"]).flatMap { ["-H", $0] }
    let run = await Program.ended(
      "curl", ["-sS", "-o", "/dev/null", "-w", "%{http_code}"] + options + ["\(server.url)/socket"])
    #expect(run.text == status)
    #expect(server.site.sessions.isEmpty)
  }

  @Test("a message beyond the limit closes the socket with 1009, in one piece or in many")
  func tooLarge() async throws {
    let server = try TestServer { $0.limits.messageBytes = 10_000 }
    let run = await PythonClient.run(
      server,
      """
      for message in ["x" * 10001, ["x" * 4000] * 4]:
          async with connect("/socket") as ws:
              try:
                  await ws.send(message)
                  await ws.recv()
              except ConnectionClosed as end: print(end.rcvd.code, end.rcvd.reason)
      """)
    #expect(run.text == "1009 the message is too large\n1009 the message is too large\n", "\(run.errors)")
    await eventually { server.site.sessions.allSatisfy { $0.closing?.code == 1009 } }
  }

  @Test("text that is not UTF-8 closes the socket")
  func notUTF8() async throws {
    let server = try TestServer()
    let run = await PythonClient.run(
      server,
      """
      async with connect("/socket") as ws:
          await ws.write_frame(True, 1, b"\\xff\\xfe")
          try: await ws.recv()
          except ConnectionClosed as end: print(end.rcvd.code)
      """)
    #expect(run.text == "1007\n", "\(run.errors)")
    await eventually { server.site.sessions.first?.closing != nil }
    #expect(server.site.sessions.first?.received.isEmpty == true)
  }

  @Test("either side closes with a code and a reason that the other gets")
  func closing() async throws {
    let server = try TestServer()
    server.site.content.withLock { $0.greeting = { $0.close(WebSocketClosing(4001, "revoked")) } }
    let run = await PythonClient.run(
      server,
      """
      async with connect("/socket") as ws:
          try: await ws.recv()
          except ConnectionClosed as end: print(end.rcvd.code, end.rcvd.reason)
      """)
    #expect(run.text == "4001 revoked\n", "\(run.errors)")
    server.site.content.withLock { $0.greeting = nil }
    _ = await PythonClient.run(server, "async with connect(\"/socket\") as ws: await ws.close(4002, \"tired\")")
    await eventually { server.site.sessions.last?.closing == WebSocketClosing(4002, "tired") }
    #expect(server.site.sessions.first?.closing == WebSocketClosing(4001, "revoked"))
  }

  @Test("what was sent comes before the close")
  func order() async throws {
    let server = try TestServer()
    server.site.content.withLock { $0.greeting = { socket in for number in 0..<100 { socket.send("\(number)") } } }
    let run = await PythonClient.run(
      server,
      """
      async with connect("/socket") as ws:
          print(" ".join([await ws.recv() for _ in range(100)]))
      """)
    #expect(run.text == (0..<100).map(String.init).joined(separator: " ") + "\n", "\(run.errors)")
  }

  @Test("a stopped server says that it goes away")
  func stopped() async throws {
    let server = try TestServer()
    let client = PythonClient.script(
      server,
      """
      async with connect("/socket") as ws:
          print("open")
          try: await ws.recv()
          except ConnectionClosed as end: print(end.rcvd.code)
      """)
    await eventually { server.site.sessions.first?.socket != nil }
    try await onThread { server.stop() }
    #expect(await client.ended().text == "open\n1001\n")
    #expect(server.site.sessions.first?.closing == .goingAway)
  }

  @Test("what waits when the server stops is heard first, whole and in order")
  func lastWords() async throws {
    let server = try TestServer { $0.lastWordSeconds = 60 }
    let client = PythonClient.script(
      server,
      """
      async with connect("/socket") as ws:
          print("open")
          try:
              for number in range(1000): assert len(text := await ws.recv()) == 2000 and int(text) == number, number
          except ConnectionClosed as end: print(number, end.rcvd.code)
      """)
    await eventually { server.site.sessions.first?.socket != nil }
    let socket = try #require(server.site.sessions.first?.socket)
    // More than goes out at once, and said while the server has no turn between it and its stop.
    for number in 0..<200 { socket.send(String(repeating: "0", count: 2000 - "\(number)".utf8.count) + "\(number)") }
    try await onThread { server.stop() }
    #expect(await client.ended().text == "open\n200 1001\n")
    #expect(server.site.sessions.first?.closing == .goingAway)
  }

  @Test("a dead peer is found without anybody sending anything, and one that lives is kept")
  func dead() async throws {
    let server = try TestServer {
      $0.limits.pingSeconds = 1
      // Looked for every two seconds: an answer may just have missed the look before.
      $0.limits.hangupSeconds = 4
    }
    let dead = PythonClient.script(server, "async with connect(\"/socket\") as ws: await ws.recv()")
    let alive = PythonClient.script(server, "async with connect(\"/socket\") as ws: await ws.recv()")
    await eventually { server.site.sessions.filter { $0.socket != nil }.count == 2 }
    dead.signal(19)
    await eventually { server.site.sessions.filter { $0.closing == .lost }.count == 1 }
    await eventually { ThreadTime.hasPassed(seconds: 7, since: server.begun) }
    #expect(server.site.sessions.filter { $0.closing == nil }.count == 1)
    #expect(alive.isRunning)
  }
}
