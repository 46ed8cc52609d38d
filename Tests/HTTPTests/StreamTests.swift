import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("Streams", .serialized, .timeLimit(.minutes(5)))
struct StreamTests {
  private func piece(_ number: Int, bytes: Int = 0) -> [UInt8] {
    Array("piece \(number)\n".utf8) + [UInt8](repeating: 0x2E, count: bytes) + (bytes > 0 ? [0x0A] : [])
  }

  @Test("what is there goes out at once, and the end of the stream ends the response")
  func live() async throws {
    let server = try TestServer()
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    let client = RunningProgram("curl", ["-sSN", "\(server.url)/stream"])
    await eventually { stream.hasBegun }
    for number in 1...3 {
      stream.put(piece(number))
      await eventually { client.text.hasSuffix("piece \(number)\n") }
    }
    stream.finish()
    let run = await client.ended()
    #expect(run.status == 0)
    #expect(run.text == "piece 1\npiece 2\npiece 3\n")
    await eventually { stream.ends == 1 }
  }

  @Test("a viewer that does not read gets no more pieces made, and later the newest")
  func latest() async throws {
    let server = try TestServer()
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    let raw = try server.raw()
    raw.send(Array("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    await eventually { stream.hasBegun }
    // Pieces are taken until the socket is full; of what comes then only the last one is kept.
    var made = 0
    var still = 0
    while still < 50 {
      made += 1
      let before = stream.taken
      stream.put(piece(made, bytes: 100_000))
      try await Task.sleep(for: .milliseconds(1))
      still = stream.taken == before ? still + 1 : 0
    }
    let taken = stream.taken
    #expect(taken < made)
    stream.put(piece(1_000_000))
    let lines = try await onThread {
      var lines: [String] = []
      while let line = raw.line(), line != "piece 1000000" { lines.append(line) }
      return lines
    }
    #expect(lines.filter { $0.hasPrefix("piece") }.count <= taken + 1)
  }

  @Test("the end of a viewer ends its stream, also while nothing is sent")
  func gone() async throws {
    let server = try TestServer()
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    let client = RunningProgram("curl", ["-sSN", "\(server.url)/stream"])
    await eventually { stream.hasBegun }
    client.signal(9)
    _ = await client.ended()
    await eventually { stream.ends == 1 }
  }

  /// A loop that spins takes thousands of turns while a picture goes out.
  @Test(
    "who sends more behind a request for a stream is cut off, with a reason, and the server's thread does not spin",
    arguments: ["GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", "GET /hel", "\0\u{1}", "POST /echo HTTP/1.1\r\nHost: a\r\nC"])
  func more(behind: String) async throws {
    let server = try TestServer()
    let (stream, other) = (TestStream(), TestStream())
    server.site.content.withLock { $0.streams = ["/stream": stream, "/stream/other": other] }
    let raw = try server.raw()
    raw.send(Array("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n\(behind)".utf8))
    let client = RunningProgram("curl", ["-sSN", "\(server.url)/stream/other"])
    await eventually { other.hasBegun }
    await eventually { stream.ends == 1 }
    let lines = try await onThread { raw.rest() }
    #expect(!lines.dropFirst().contains { $0.hasPrefix("HTTP/1.1") || $0.hasPrefix("hello") })
    #expect(server.sink.lines.contains { $0.message.contains("was cut off: it sent more behind a request") })
    let turns = server.server.turns
    for number in 1...50 {
      other.put(piece(number))
      await eventually { client.text.hasSuffix("piece \(number)\n") }
    }
    #expect(server.server.turns - turns < 1000)
    other.finish()
    _ = await client.ended()
  }

  @Test("a stopped server ends its streams")
  func stopped() async throws {
    let server = try TestServer { $0.lastWordSeconds = 1 }
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    let client = RunningProgram("curl", ["-sSN", "\(server.url)/stream"])
    await eventually { stream.hasBegun }
    try await onThread { server.stop() }
    #expect(stream.ends == 1)
    _ = await client.ended()
  }

  @Test("HEAD of a stream begins none")
  func head() async throws {
    let server = try TestServer()
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    let run = await server.curl("-X", "HEAD", "-I", "/stream")
    #expect(run.text.hasPrefix("HTTP/1.1 404"))
    #expect(!stream.hasBegun)
  }

  @Test("while nothing happens the server does nothing, whatever a client has sent too early")
  func idle() async throws {
    let server = try TestServer { $0.threadName = "http-idle" }
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    let raw = try server.raw()
    raw.send(Array("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    await eventually { stream.hasBegun }
    raw.send(Array("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    let slow = try server.raw()
    slow.send(Array("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    await eventually { server.site.content.withLock { $0.requests.count } == 2 }
    let half = try server.raw()
    half.send(Array("GET /big HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    half.endSending()
    // Full: the viewer reads nothing.
    for number in 0..<200 {
      stream.put(piece(number, bytes: 100_000))
      try await Task.sleep(for: .milliseconds(1))
    }
    let before = ThreadTime.of("http-idle")
    try await Task.sleep(for: .milliseconds(500))
    let spent = ThreadTime.of("http-idle") - before
    // A loop that spins takes all of the 500 ms that the machine gives it.
    #expect(spent < 100, "\(spent) ms")
    server.site.content.withLock { $0.isReleased = true }
    let lines = try await onThread {
      _ = slow.responseHead()
      let first = slow.line()
      _ = slow.responseHead()
      return [first, slow.line()]
    }
    // libwebsockets 4.3 has closed the connection for that.
    #expect(lines == ["at last", "hello "] || lines == [nil, nil])
  }
}
