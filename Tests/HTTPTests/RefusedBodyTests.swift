import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("Bodies of refused requests", .serialized, .timeLimit(.minutes(2)))
struct RefusedBodyTests {
  @Test("a client that sends a body with a request that is refused, and leaves, costs nothing from then on")
  func left() async throws {
    let server = try TestServer { $0.threadName = "http-refused" }
    let lengths = [
      "Content-Length: x", "Content-Length: 0\r\nContent-Length: 5", "Transfer-Encoding: chunked",
    ]
    try await onThread {
      for length in lengths {
        let client = try server.raw()
        client.send(Array("GET / HTTP/1.1\r\nHost: rig\r\n\(length)\r\n\r\nabcdef".utf8))
        #expect(client.responseHead().first?.hasPrefix("HTTP/1.1 4") == true, "\(length)")
      }
    }
    let before = ThreadTime.of("http-refused")
    let begin = SystemClock().now
    await eventually { ThreadTime.hasPassed(seconds: 2, since: begin) }
    #expect(ThreadTime.of("http-refused") - before < 500)
    #expect(await server.curl("/hello").text == "hello \n")
  }
}
