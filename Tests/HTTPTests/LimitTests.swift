import CLinux
import CamrigModel
import Glibc
import HTTP
import TestSupport
import Testing

@Suite("Limits of a server", .serialized, .timeLimit(.minutes(5)))
struct LimitTests {
  @Test("beyond the number of connections the next one is closed, and room is room again")
  func all() async throws {
    let server = try TestServer {
      $0.limits.connections = 3
      $0.limits.connectionsPerAddress = 10
    }
    try await onThread { try Self.fill(server, 3) }
    #expect(server.sink.lines.contains { $0.message.hasSuffix("is refused: 3 are open already.") })
    // The server hears of their end a moment after it.
    await eventually { await server.curl("/hello").text == "hello \n" }
  }

  @Test("without descriptors for a client the server waits, says so, and takes it later")
  func noDescriptors() async throws {
    let failures = Guarded(3)
    let server = try TestServer(accept: { listener in
      let fails = failures.withLock { left in
        left -= 1
        return left >= 0
      }
      return fails ? -EMFILE : cl_accept(listener)
    })
    #expect(await server.curl("/hello").text == "hello \n")
    #expect(failures.withLock { $0 } < 0)
    #expect(server.sink.lines.contains { $0.message.contains("Raise LimitNOFILE= of the service") })
  }

  @Test("one address may not take the room of all")
  func each() async throws {
    let server = try TestServer { $0.limits.connectionsPerAddress = 2 }
    let other = try await onThread { [server] in
      let held = try Self.hold(server, 2)
      let refused = try server.raw()
      let isRefused = refused.line() == nil
      _ = held
      return isRefused
    }
    #expect(other)
    #expect(server.sink.lines.contains { $0.message.hasSuffix("is refused: it has 2 open already.") })
  }

  /// Connections that are open and known to the server.
  private static func hold(_ server: TestServer, _ count: Int) throws -> [RawMonitor] {
    try (0..<count).map { _ in
      let raw = try server.raw()
      raw.send(Array("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      _ = raw.responseHead()
      _ = raw.line()
      return raw
    }
  }

  private static func fill(_ server: TestServer, _ count: Int) throws {
    let held = try hold(server, count)
    let refused = try server.raw()
    #expect(refused.line() == nil)
    _ = held
  }

  @Test("who sends its head drop by drop is closed when the time is over", arguments: [false, true])
  func slowHead(silent: Bool) async throws {
    let server = try TestServer { $0.limits.headerSeconds = 1 }
    let isClosed = try await onThread {
      let raw = try server.raw()
      if !silent { raw.send(Array("GET /".utf8)) }
      while raw.send(silent ? [] : [0x61]), !raw.hasEnded(within: 100) {}
      return raw.hasEnded(within: 20_000)
    }
    #expect(isClosed)
  }

  @Test("who sends its body drop by drop is closed when the time is over")
  func slowBody() async throws {
    let server = try TestServer { $0.limits.bodySeconds = 1 }
    let isClosed = try await onThread {
      let raw = try server.raw()
      raw.send(Array("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n".utf8))
      while raw.send([0x61]), !raw.hasEnded(within: 100) {}
      return raw.hasEnded(within: 20_000)
    }
    #expect(isClosed)
    #expect(server.site.content.withLock { $0.requests.isEmpty })
  }

  @Test("who takes nothing of its response is closed when the time is over")
  func slowReader() async throws {
    let server = try TestServer { $0.limits.sendSeconds = 1 }
    let got = try await onThread {
      let raw = try server.raw()
      raw.send(Array("GET /big HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      _ = raw.responseHead()
      while !raw.hasHungUp(within: 100) {}
      return raw.count()
    }
    #expect(got < 3 << 20)
  }

  @Test("a download from a volume that hangs ends when the time is over, and the next request is answered")
  func hangingVolume() async throws {
    let server = try TestServer { $0.limits.fileSeconds = 1 }
    let directory = TemporaryDirectory()
    FileBytes.write([UInt8](repeating: 1, count: 1_000_000), to: directory.path + "/take.mp4")
    let hangs = Guarded(true)
    server.site.content.withLock { content in
      content.file = directory.path + "/take.mp4"
      content.read = { descriptor, memory, count, offset in
        while offset > 0, hangs.withLock({ $0 }) { poll(nil, 0, 1) }
        return pread(descriptor, memory, count, offset)
      }
    }
    let run = await server.curl("-o", "/dev/null", "-w", "%{http_code} %{size_download}", "/file")
    // 18: it was cut short, so nobody takes it for whole.
    #expect(run.status == 18 && run.text.hasPrefix("200 "), "\(run.status) \(run.text)")
    #expect(await server.curl("/hello").text == "hello \n")
    hangs.withLock { $0 = false }
    #expect(await server.curl("-o", "/dev/null", "-w", "%{size_download}", "/file").text == "1000000")
  }

  @Test("an idle connection is closed when the time is over")
  func idle() async throws {
    let server = try TestServer { $0.limits.idleSeconds = 1 }
    let isClosed = try await onThread {
      let raw = try server.raw()
      raw.send(Array("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      _ = raw.responseHead()
      _ = raw.line()
      return raw.hasEnded(within: 20_000)
    }
    #expect(isClosed)
  }

  @Test("who goes on sending a body that was refused is closed")
  func refusedBody() async throws {
    let server = try TestServer { $0.lastWordSeconds = 1 }
    let (first, isClosed) = try await onThread {
      let raw = try server.raw()
      raw.send(Array("POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n".utf8))
      let first = raw.responseHead().first
      _ = raw.line()
      while raw.send([0x61]), !raw.hasEnded(within: 100) {}
      return (first, raw.hasEnded(within: 20_000))
    }
    #expect(first == "HTTP/1.1 403 Forbidden")
    #expect(isClosed)
  }
}
