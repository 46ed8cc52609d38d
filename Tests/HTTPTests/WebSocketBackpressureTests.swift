import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("WebSockets that are not read", .serialized, .timeLimit(.minutes(5)))
struct WebSocketBackpressureTests {
  @Test("previews: nothing queues, and who reads again gets the newest")
  func latest() async throws {
    // However long a machine takes for it, the client is stopped and not gone.
    let server = try TestServer {
      $0.limits.deadSeconds = 100
      $0.limits.hangupSeconds = 100
    }
    let client = PythonClient.script(
      server,
      """
      async with connect("/socket", max_queue=1, read_limit=1000) as ws:
          print("open")
          while (await asyncio.get_event_loop().run_in_executor(None, sys.stdin.readline)) != "": pass
          numbers = []
          while not numbers or numbers[-1] != 999999:
              numbers.append(int((await ws.recv())[3:9]))
          print(numbers == sorted(numbers), len(numbers))
      """)
    // Its standard input is empty: it begins to read when the test lets it go on.
    await eventually { server.site.sessions.first?.socket != nil }
    client.signal(19)
    let session = try #require(server.site.sessions.first)
    var made = 0
    var still = 0
    while still < 50 {
      made += 1
      let before = session.state.withLock { $0.taken }
      session.put(Self.picture(made))
      try await Task.sleep(for: .milliseconds(1))
      still = session.state.withLock { $0.taken } == before ? still + 1 : 0
    }
    let taken = session.state.withLock { $0.taken }
    #expect(taken < made)
    session.put(Self.picture(999_999))
    client.signal(18)
    let words = await client.ended().text.split(whereSeparator: \.isWhitespace)
    #expect(words.count == 3 && words[1] == "True")
    #expect(words.last.flatMap { Int($0) } == taken + 1)
  }

  private static func picture(_ number: Int) -> [UInt8] {
    let digits = Array("\(number)".utf8)
    return [UInt8](repeating: 0x30, count: 6 - digits.count) + digits + [UInt8](repeating: 0x2E, count: 150_000)
  }

  @Test("messages that must not be lost wait within a bound; beyond it the socket is closed with a reason")
  func bounded() async throws {
    let server = try TestServer { $0.limits.queuedMessages = 16 }
    let client = PythonClient.script(
      server,
      """
      async with connect("/socket") as ws:
          print("open")
          try:
              while True: await ws.recv()
          except ConnectionClosed as end: print(end.rcvd.code, end.rcvd.reason)
      """)
    await eventually { server.site.sessions.first?.socket != nil }
    client.signal(19)
    let session = try #require(server.site.sessions.first)
    let text = String(repeating: "x", count: 100_000)
    while session.closing == nil, !Task.isCancelled {
      session.socket?.send(text)
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(session.closing?.code == 1008)
  }

  @Test("one that reads slowly, but reads, gets everything")
  func slow() async throws {
    let server = try TestServer()
    let client = PythonClient.script(
      server,
      """
      async with connect("/socket", max_queue=1) as ws:
          total = 0
          while total < 300:
              message = await ws.recv()
              assert message == str(total) + "x" * 20000, message[:20]
              total += 1
              await asyncio.sleep(0.001)
          print(total)
      """)
    await eventually { server.site.sessions.first?.socket != nil }
    let session = try #require(server.site.sessions.first)
    for number in 0..<300 {
      let message = "\(number)" + String(repeating: "x", count: 20_000)
      // As a caller does that waits for an answer before it sends on.
      await eventually { (session.socket?.waitingMessages ?? 0) < 8 }
      session.socket?.send(message)
    }
    let run = await client.ended()
    #expect(run.text == "300\n", "\(run.errors)")
  }
}
