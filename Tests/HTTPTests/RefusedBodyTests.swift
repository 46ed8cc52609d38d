import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("Bodies of refused requests", .serialized, .timeLimit(.minutes(2)))
struct RefusedBodyTests {
  @Test("a client that sends a body with a request that is refused, and leaves, costs nothing once it is given up")
  func left() async throws {
    let server = try TestServer {
      $0.threadName = "http-refused"
      $0.lastWordSeconds = 1
    }
    let lengths = [
      "Content-Length: x", "Content-Length: 0\r\nContent-Length: 5", "Transfer-Encoding: chunked",
    ]
    try await onThread {
      for length in lengths {
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
}
