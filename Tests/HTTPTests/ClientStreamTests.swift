import CamrigModel
import Glibc
import HTTP
import TestSupport
import Testing

@Suite("The client's long answers, and servers on this machine", .serialized, .timeLimit(.minutes(5)))
struct ClientStreamTests {
  /// Keeps what comes, up to `most` bytes; blocks at each piece for as long as it is told to.
  private final class Basket: HTTPBodySink {
    struct Content {
      var status = 0
      var bytes: [UInt8] = []
      var isHolding = false
      var pieces = 0
    }

    let content: Guarded<Content>
    private let most: Int

    init(most: Int = .max, isHolding: Bool = false) {
      self.most = most
      content = Guarded(Content(isHolding: isHolding))
    }

    func began(status: Int, headers: HTTPHeaders) -> Bool {
      content.withLock { $0.status = status }
      return most > 0
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let kept = content.withLock { content in
        content.pieces += 1
        content.bytes += bytes
        return content.bytes.count
      }
      while content.withLock({ $0.isHolding }) { poll(nil, 0, 2) }
      return kept < most
    }

    var bytes: [UInt8] { content.withLock { $0.bytes } }
  }

  private func client(_ server: TestServer, seconds: UInt32 = 20) throws -> HTTPClient {
    var settings = HTTPClient.Settings(host: "127.0.0.1", port: server.port, trust: .plain)
    settings.answerBytes = 1000
    settings.seconds = seconds
    return try HTTPClient(settings)
  }

  /// A stream that has sent one byte, and a client of little patience.
  private func streaming() throws -> (TestServer, HTTPClient, TestStream) {
    let server = try TestServer()
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    stream.put([1])
    return (server, try client(server, seconds: 1), stream)
  }

  @Test("an answer of any length is handed on as it comes, to its end")
  func whole() async throws {
    let server = try TestServer()
    let client = try client(server)
    let basket = Basket()
    #expect(try await client.fetch("/big", into: basket))
    #expect(FileBytes.areEqual(basket.bytes, [UInt8](repeating: 0x61, count: 3 << 20)))
    let none = Basket()
    #expect(try await client.fetch("/none", into: none))
    #expect(none.content.withLock { $0.status } == 404)
    try await onThread { client.close() }
  }

  @Test("who wants no more ends it, before the first piece or after any, and the server hears so", arguments: [0, 1])
  func stopped(_ most: Int) async throws {
    let server = try TestServer()
    let client = try client(server)
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    stream.put([1, 2, 3])
    #expect(try await !client.fetch("/stream", into: Basket(most: most)))
    stream.put([4])
    await eventually { stream.ends == 1 }
    try await onThread { client.close() }
  }

  @Test("who takes long over a piece is given the time; the server's pieces do not pile up meanwhile")
  func slow() async throws {
    let server = try TestServer()
    // One second is libwebsockets' grain.
    let client = try client(server, seconds: 1)
    let stream = TestStream()
    server.site.content.withLock { $0.streams["/stream"] = stream }
    stream.put([1])
    let basket = Basket(isHolding: true)
    async let end = client.fetch("/stream", into: basket)
    await eventually { basket.bytes == [1] }
    let held = SystemClock().now
    await eventually { SystemClock().now - held > .milliseconds(2500) }
    stream.put([2])
    stream.finish()
    basket.content.withLock { $0.isHolding = false }
    #expect(try await end)
    #expect(basket.bytes == [1, 2])
    try await onThread { client.close() }
  }

  @Test("a server that falls silent is given up")
  func silent() async throws {
    let (server, client, _) = try streaming()
    await #expect(throws: HTTPClientError.lost("127.0.0.1:\(server.port)")) {
      try await client.fetch("/stream", into: Basket())
    }
    try await onThread { client.close() }
  }

  @Test("an answer that may rest does so for as long as the server is there, and then goes on")
  func rests() async throws {
    let (server, client, stream) = try streaming()
    let basket = Basket()
    async let end = client.fetch("/stream", into: basket, lifeSign: "/hello")
    await eventually { server.site.content.withLock { $0.requests.filter { $0.path == "/hello" }.count } >= 3 }
    stream.put([2])
    await eventually { basket.bytes == [1, 2] }
    stream.finish()
    #expect(try await end)
    try await onThread { client.close() }
  }

  @Test("an answer that may rest is given up when the server does not answer anything else either")
  func hangs() async throws {
    let (server, client, _) = try streaming()
    let basket = Basket()
    await #expect(throws: HTTPClientError.lost("127.0.0.1:\(server.port)")) {
      try await client.fetch("/stream", into: basket, lifeSign: "/slow")
    }
    #expect(basket.bytes == [1])
    server.site.content.withLock { $0.isReleased = true }
    try await onThread { client.close() }
  }

  @Test(
    "a server on this machine is reached at its Unix socket; one that is not there is named"
  )
  func unixSocket() async throws {
    let server = try TestServer()
    let client = try HTTPClient(.init(socketPath: server.socketPath))
    let answer = try await client.send(.get, "/peer")
    #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("process \(getpid()) of user \(getuid())"))
    #expect(server.site.content.withLock { $0.requests.last?.headers["host"] } == "localhost")
    try await onThread { client.close() }
    let path = server.directory.path + "/nobody.sock"
    let nobody = try HTTPClient(.init(socketPath: path))
    do throws(HTTPClientError) {
      _ = try await nobody.send(.get, "/")
      Issue.record("nobody listens there")
    } catch {
      #expect(error.description.hasPrefix("\(path) cannot be reached"), "\(error)")
    }
    try await onThread { nobody.close() }
  }
}
