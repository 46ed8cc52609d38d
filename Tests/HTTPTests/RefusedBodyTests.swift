import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("Bodies of refused requests", .serialized, .timeLimit(.minutes(5)))
struct RefusedBodyTests {
  @Test("a client that sends a body with a request that is refused, and leaves, costs nothing once it is given up")
  func left() async throws {
    let server = try TestServer {
      $0.threadName = "http-refused"
      $0.lastWordSeconds = 1
    }
    try await onThread {
      for length in Self.lengths {
        let client = try server.raw()
        client.send(Array("GET / HTTP/1.1\r\nHost: rig\r\n\(length)\r\n\r\nabcdef".utf8))
        #expect(client.responseHead().first?.hasPrefix("HTTP/1.1 4") == true, "\(length)")
      }
      // As the fuzzer found it: behind a whole request one that is refused, and more bytes than its head.
      let client = try server.raw()
      let garbage = [UInt8](repeating: 0xE4, count: 20)
      client.send(
        Array("GET /hello HTTP/1y1\r\nHost: rig\r\n\r\nGET /ope".utf8) + garbage
          + Array(".0.0.1\r\nContent-Length: 58\r\n\r\n\0\0\ng.0.0.1\r\n\r\n".utf8))
      _ = client.responseHead()
    }
    let left = SystemClock().now
    await eventually { ThreadTime.hasPassed(seconds: 3, since: left) }
    let before = ThreadTime.of("http-refused")
    let begin = SystemClock().now
    await eventually { ThreadTime.hasPassed(seconds: 2, since: begin) }
    #expect(ThreadTime.of("http-refused") - before < 500)
    #expect(await server.curl("/hello").text == "hello \n")
  }

  @Test("while a refused client may still send, the server's thread sleeps", arguments: [1, 3])
  func waits(pieces: Int) async throws {
    let server = try TestServer {
      $0.threadName = "http-waits-\(pieces)"
      $0.lastWordSeconds = 3
    }
    let (heads, closed) = try await onThread {
      let clients = try Self.lengths.map { length in
        let client = try server.raw()
        client.send(Array("GET / HTTP/1.1\r\nHost: rig\r\n\(length)\r\n\r\n".utf8))
        for piece in 0..<pieces { client.send(Array("\(piece)\r\nGET /hello HTTP/1.1\r\n".utf8)) }
        return client
      }
      let heads = clients.map { $0.responseHead().first ?? "" }
      // None of them leaves: they are left when their time is over.
      return (heads, clients.allSatisfy { $0.hasHungUp(within: 20_000) })
    }
    #expect(heads.allSatisfy { $0.hasPrefix("HTTP/1.1 4") }, "\(heads)")
    #expect(closed)
    // All that this server's thread has ever used: the second and a half of a spinning one would show.
    #expect(ThreadTime.of("http-waits-\(pieces)") < 500)
    // What followed the head was nobody's request.
    #expect(server.site.content.withLock { $0.requests.isEmpty })
  }

  @Test("a refusal is read whole by who sends all of its body first, and only then reads")
  func readLate() async throws {
    let server = try TestServer()
    let lines = try await onThread {
      let client = try server.raw()
      client.send(Array("POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n".utf8))
      client.send([UInt8](repeating: 0x61, count: 1_000_000))
      client.endSending()
      return client.rest()
    }
    #expect(lines.first == "HTTP/1.1 403 Forbidden")
    #expect(lines.last == "nothing is taken here")
  }

  private static let lengths = [
    "Content-Length: x", "Content-Length: 0\r\nContent-Length: 5", "Transfer-Encoding: chunked",
    "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked",
  ]
}
