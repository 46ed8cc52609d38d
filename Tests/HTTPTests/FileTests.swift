import CamrigModel
import DaemonKit
import Glibc
import HTTP
import TestSupport
import Testing

@Suite("Files", .serialized, .timeLimit(.minutes(5)))
struct FileTests {
  private let directory = TemporaryDirectory()
  private let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  private func server() throws -> TestServer {
    let server = try TestServer()
    FileBytes.write(bytes, to: directory.path + "/take.mp4")
    server.site.content.withLock { $0.file = directory.path + "/take.mp4" }
    return server
  }

  private func tag(_ server: TestServer) async -> String {
    let run = await server.curl("-I", "/file")
    let line = run.text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("etag: ") }
    return line.map { String($0.dropFirst(6)) } ?? ""
  }

  @Test("a file arrives whole, with its name, its tag and its length")
  func whole() async throws {
    let server = try server()
    let run = await server.curl("-D", directory.path + "/head", "/file")
    let isWhole = FileBytes.areEqual(run.output, bytes)
    #expect(isWhole)
    let head = String(decoding: FileBytes.read(directory.path + "/head"), as: UTF8.self)
    #expect(head.contains("\r\ncontent-length: 1500000\r\n"))
    #expect(head.contains("\r\ncontent-type: video/mp4\r\n"))
    #expect(head.contains("\r\naccept-ranges: bytes\r\n"))
    #expect(
      head.contains(
        "\r\ncontent-disposition: attachment; filename=\"take _1_ _.mp4\"; "
          + "filename*=UTF-8''take%20%221%22%20%C3%BC.mp4\r\n"))
  }

  @Test("a download that was cut goes on where it stopped")
  func resumed() async throws {
    let server = try server()
    FileBytes.write(Array(bytes[..<400_000]), to: directory.path + "/part")
    let run = await server.curl("-C", "-", "-o", directory.path + "/part", "/file")
    #expect(run.status == 0, "\(run.errors)")
    let isWhole = FileBytes.areEqual(FileBytes.read(directory.path + "/part"), bytes)
    #expect(isWhole)
  }

  @Test("a part is sent as a part, and what lies behind the end refused")
  func parts() async throws {
    let server = try server()
    let part = await server.curl("-i", "-r", "100-109", "/file")
    #expect(part.text.hasPrefix("HTTP/1.1 206 Partial Content\r\n"))
    let head = String(decoding: part.output.dropLast(10), as: UTF8.self)
    #expect(head.contains("\r\ncontent-range: bytes 100-109/1500000\r\n"))
    #expect(Array(part.output.suffix(10)) == Array(bytes[100..<110]))
    let last = await server.curl("-r", "-5", "/file")
    #expect(last.output == Array(bytes.suffix(5)))
    let behind = await server.curl("-i", "-r", "1500000-", "/file")
    #expect(behind.text.hasPrefix("HTTP/1.1 416 Range Not Satisfiable\r\n"))
    #expect(behind.text.contains("\r\ncontent-range: bytes */1500000\r\n"))
  }

  @Test("who has it already gets word of that; a part fits only the file it was begun with")
  func conditions() async throws {
    let server = try server()
    let tag = await tag(server)
    #expect(tag.hasPrefix("\""))
    let same = await server.curl("-i", "-H", "If-None-Match: \"x\", \(tag)", "/file")
    #expect(same.text.hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
    #expect(same.text.hasSuffix("\r\n\r\n"))
    let fitting = await server.curl(
      "-r", "0-9", "-H", "If-Range: \(tag)", "-w", "%{http_code}", "-o", "/dev/null", "/file")
    #expect(fitting.text == "206")
    FileBytes.write([1, 2, 3], to: directory.path + "/take.mp4")
    let other = await server.curl("-r", "0-9", "-H", "If-Range: \(tag)", "/file")
    #expect(other.output == [1, 2, 3])
  }

  @Test("HEAD tells the length and sends nothing")
  func head() async throws {
    let server = try server()
    let run = await server.curl("-I", "/file")
    #expect(run.text.contains("\r\ncontent-length: 1500000\r\n"))
    #expect(run.text.hasSuffix("\r\n\r\n"))
  }

  @Test("an empty file is a file")
  func empty() async throws {
    let server = try server()
    FileBytes.write([], to: directory.path + "/take.mp4")
    let run = await server.curl("-w", "%{http_code}", "/file")
    #expect(run.text == "200")
  }

  @Test("a file that is cut while it is sent is not taken for whole")
  func cut() async throws {
    let server = try TestServer()
    let path = directory.path + "/take.mp4"
    FileBytes.write([UInt8](repeating: 1, count: 40 << 20), to: path)
    server.site.content.withLock { $0.file = path }
    let lines = try await onThread {
      let raw = try server.raw()
      raw.send(Array("GET /file HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      let head = raw.responseHead()
      FileBytes.write([1], to: path)
      return head + ["\(raw.count())"]
    }
    #expect(lines.first == "HTTP/1.1 200 OK")
    #expect(Int(lines.last ?? "").map { $0 < 40 << 20 } == true)
  }

  @Test(
    "ranges",
    arguments: [
      (nil, .whole), ("bytes=0-9", .part(0..<10)), ("bytes=90-", .part(90..<100)), ("bytes=-10", .part(90..<100)),
      ("bytes=-1000", .part(0..<100)), ("bytes=50-1000", .part(50..<100)), ("bytes=100-", .unsatisfiable),
      ("bytes=-0", .unsatisfiable), ("bytes=9-0", .whole), ("bytes=a-b", .whole), ("lines=0-9", .whole),
      ("bytes=0-1,5-6", .whole), ("bytes=-", .whole), ("bytes=+1-2", .whole),
      ("bytes=0-99999999999999999999", .part(0..<100)), ("bytes=99999999999999999999-", .unsatisfiable),
      (" Bytes = 1 - 2 ", .part(1..<3)),
    ] as [(String?, ByteRange)])
  func ranges(header: String?, expected: ByteRange) { #expect(ByteRange(header, size: 100) == expected) }

  @Test("of an empty file no part can be had")
  func rangeOfNothing() {
    #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
  }

  @Test("what cannot be sent says why")
  func errors() {
    let volume = Volume("/")
    #expect(throws: HTTPFileError.failed("/nonexistent", 2)) {
      try HTTPFile(path: "/nonexistent", type: "a/b", on: volume)
    }
    #expect(throws: HTTPFileError.notAFile("/tmp")) { try HTTPFile(path: "/tmp", type: "a/b", on: volume) }
    #expect("\(HTTPFileError.notAFile("/tmp"))" == "/tmp cannot be sent: it is no plain file.")
  }

  @Test("a link leads to nothing, nor does a folder that is one; the volume's own path may be one")
  func links() throws {
    let directory = TemporaryDirectory()
    let (takes, secret) = (directory.path + "/takes", directory.path + "/secret")
    mkdir(secret, 0o700)
    mkdir(takes, 0o700)
    mkdir(takes + "/one", 0o700)
    for folder in [secret, takes + "/one"] { FileBytes.write([1, 2, 3], to: folder + "/a.mov") }
    symlink(secret + "/a.mov", takes + "/one/b.mov")
    symlink(secret, takes + "/two")
    symlink(takes, directory.path + "/here")
    for path in [takes, directory.path + "/here"] {
      let volume = Volume(path)
      #expect(try HTTPFile(path: path + "/one/a.mov", type: "a/b", on: volume).size == 3)
      #expect(throws: HTTPFileError.failed(path + "/one/b.mov", ELOOP)) {
        try HTTPFile(path: path + "/one/b.mov", type: "a/b", on: volume)
      }
      #expect(throws: HTTPFileError.failed(path + "/two/a.mov", ELOOP)) {
        try HTTPFile(path: path + "/two/a.mov", type: "a/b", on: volume)
      }
    }
    let missing = takes + "/one/c.mov"
    #expect(throws: HTTPFileError.failed(missing, ENOENT)) {
      try HTTPFile(path: missing, type: "a/b", on: Volume(takes))
    }
    #expect("\(HTTPFileError.failed("/x", ELOOP))".contains("symbolic link"))
  }

  // MARK: More behind a request

  private final class Held: Sendable {
    let wasAsked = Guarded(false)
    let lets = Guarded(false)
  }

  /// The site's file, whose bytes from `offset` on come only once `lets` says so.
  private func hold(_ bytes: [UInt8], from offset: Int, in server: TestServer) -> Held {
    let held = Held()
    let path = server.directory.path + "/held.mp4"
    FileBytes.write(bytes, to: path)
    server.site.content.withLock { content in
      content.file = path
      content.read = { descriptor, memory, count, at in
        if at >= offset {
          held.wasAsked.withLock { $0 = true }
          while !held.lets.withLock({ $0 }) { poll(nil, 0, 1) }
        }
        return pread(descriptor, memory, count, at)
      }
    }
    return held
  }

  /// A loop that spins takes thousands of turns meanwhile.
  private func turnsWhileAnotherClientIsServed(_ server: TestServer) async -> Int {
    let turns = server.server.turns
    for _ in 1...20 { #expect(await server.curl("/hello").text == "hello \n") }
    return server.server.turns - turns
  }

  @Test("what comes behind a request for a short file waits, and is answered; the server's thread does not spin")
  func moreBehindShort() async throws {
    let server = try TestServer()
    let bytes = [UInt8](repeating: 0x61, count: 100_000)
    let held = hold(bytes, from: 0, in: server)
    let raw = try server.raw()
    let next = "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    raw.send(Array("GET /file HTTP/1.1\r\nHost: a\r\n\r\n\(next)".utf8))
    await eventually { held.wasAsked.withLock { $0 } }
    #expect(await turnsWhileAnotherClientIsServed(server) < 1000)
    held.lets.withLock { $0 = true }
    let lines = try await onThread { raw.rest() }
    #expect(lines.contains { $0.hasPrefix(String(repeating: "a", count: bytes.count)) })
    // libwebsockets 4.3 closes the connection instead.
    #expect(lines.contains("hello ") == (lines.count { $0.hasSuffix("HTTP/1.1 200 OK") } == 2))
  }

  @Test(
    "who sends more behind a request for a longer file is refused, and the server's thread does not spin",
    arguments: ["GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", "GET /hel", "\0\u{1}"])
  func moreBehindLong(behind: String) async throws {
    let server = try TestServer()
    let held = hold([UInt8](repeating: 0x61, count: 1_000_000), from: 0, in: server)
    let raw = try server.raw()
    raw.send(Array("GET /file HTTP/1.1\r\nHost: a\r\n\r\n\(behind)".utf8))
    await eventually { server.site.content.withLock { $0.requests.count } == 1 }
    #expect(await turnsWhileAnotherClientIsServed(server) < 1000)
    let lines = try await onThread { raw.rest() }
    #expect(lines.first == "HTTP/1.1 400 Bad Request")
    #expect(lines.last?.contains("Nothing may follow a request for a file") == true)
    held.lets.withLock { $0 = true }
  }

  @Test("what is sent while a file comes makes the server's thread not spin, be the disk as slow as it likes")
  func moreMeanwhile() async throws {
    let server = try TestServer()
    let held = hold([UInt8](repeating: 0x61, count: 1_000_000), from: 512 << 10, in: server)
    let raw = try server.raw()
    raw.send(Array("GET /file HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    #expect(try await onThread { raw.responseHead().first } == "HTTP/1.1 200 OK")
    // The socket is full, and what is sent now comes between two pieces.
    raw.send(Array("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    let reader = Task { try await onThread { raw.count() } }
    await eventually { held.wasAsked.withLock { $0 } }
    #expect(await turnsWhileAnotherClientIsServed(server) < 1000)
    held.lets.withLock { $0 = true }
    raw.endSending()
    _ = try await reader.value
  }
}
