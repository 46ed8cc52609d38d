import CLinux
import CamrigModel
import Glibc
import HTTP
import TestSupport
import Testing

/// By TCP, whose kernel has a patience of its own.
@Suite("Paused downloads", .serialized, .timeLimit(.minutes(5)))
struct PausedDownloadTests {
  private static let bytes = 32 << 20

  private func serve(_ change: @escaping (inout HTTPLimits) -> Void = { _ in }) throws -> TestServer {
    let server = try TestServer {
      $0.limits.sendSeconds = 1
      $0.limits.deadSeconds = 1
      change(&$0.limits)
    }
    let path = server.directory.path + "/take.mp4"
    FileBytes.write([UInt8](repeating: 0x61, count: Self.bytes), to: path)
    server.site.content.withLock { $0.file = path }
    return server
  }

  /// Asks for the file, reads its head, and pauses.
  private static func paused(_ raw: RawMonitor, path: String = "/file") -> RawMonitor {
    raw.send(Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    #expect(raw.status() == "HTTP/1.1 200 OK")
    return raw
  }

  /// Asks again and again, each time on a connection of its own, until there is room for one.
  private static func room(_ server: TestServer) throws {
    while true {
      let new = try server.raw()
      new.send(Array("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      if new.status() == "HTTP/1.1 200 OK" { return }
      poll(nil, 0, 20)
    }
  }

  @Test("a file that nobody takes for a while is there when it is taken again; another response is not")
  func resumed() async throws {
    let server = try serve()
    let (got, then) = try await onThread {
      let file = Self.paused(try RawMonitor.network(server.port))
      let other = Self.paused(try server.raw(), path: "/big")
      // What ends all else goes by the second, and the kernel's patience as well.
      let begin = SystemClock().now
      while !other.hasHungUp(within: 100) || !ThreadTime.hasPassed(seconds: 4, since: begin) { poll(nil, 0, 20) }
      let got = file.count(Self.bytes)
      file.send(Array("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      return (got, file.status())
    }
    #expect(got == Self.bytes)
    #expect(then == "HTTP/1.1 200 OK")
  }

  @Test("who takes nothing of a file for too long is closed")
  func tooLong() async throws {
    let server = try serve { $0.pausedSeconds = 1 }
    #expect(try await onThread { Self.paused(try server.raw()).hasHungUp(within: 30_000) })
  }

  @Test("who says nothing at all is closed, as far as TCP tells")
  func silent() async throws {
    let server = try serve {
      $0.sendSeconds = 100
      $0.connections = 1
      // Nobody is as quick as that.
      $0.silentSeconds = 0
    }
    let got = try await onThread {
      let file = Self.paused(try RawMonitor.network(server.port))
      try Self.room(server)
      return file.count(Self.bytes)
    }
    #expect(got < Self.bytes)
  }

  @Test("where there is no room, the download that has rested longest makes some")
  func makesRoom() async throws {
    let server = try serve { $0.connectionsPerAddress = 2 }
    let (first, second) = try await onThread {
      let downloads = [Self.paused(try server.raw()), Self.paused(try server.raw())]
      // Refused until they have rested for a while.
      try Self.room(server)
      return (downloads[0].hasHungUp(within: 20_000), downloads[1].count(Self.bytes))
    }
    #expect(first)
    #expect(second == Self.bytes)
  }
}

extension RawMonitor {
  /// A client by TCP, on this machine.
  static func network(_ port: UInt16) throws -> RawMonitor {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw HTTPServerError.noCertificate }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return RawMonitor(adopting: descriptor)
  }

  /// A head's first line, with nothing read beyond the head; nil where none comes.
  func status() -> String? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard let byte = take(1).first else { return nil }
      head.append(byte)
    }
    return String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self)
  }

  /// The bytes that come, up to so many.
  func count(_ most: Int) -> Int {
    var bytes = 0
    while bytes < most {
      let piece = take(min(1 << 20, most - bytes))
      if piece.isEmpty { break }
      bytes += piece.count
    }
    return bytes
  }

  /// Empty at the end, or where nothing comes in 20 s.
  private func take(_ most: Int) -> [UInt8] {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 100_000) > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      count = max(0, cl_read(descriptor, buffer.baseAddress, most))
    }
  }
}
