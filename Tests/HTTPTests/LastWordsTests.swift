import CLinux
import Glibc
import HTTP
import TestSupport
import Testing

@Suite("Last words", .timeLimit(.minutes(5)))
struct LastWordsTests {
  private static let first: UInt64 = 1000

  @Test("what still comes is thrown away, and the end of the other side ends it")
  func thrownAway() throws {
    let room = try Room()
    let other = try room.keep()
    #expect(room.words.count == 1)
    #expect(send(other, "abc", 3, Int32(MSG_NOSIGNAL)) == 3)
    room.turn()
    #expect(room.words.count == 1)
    shutdown(other, Int32(SHUT_WR))
    room.turn()
    #expect(room.words.count == 0)
    close(other)
  }

  @Test("who sends without end is closed after so many bytes")
  func bytes() throws {
    let room = try Room()
    let other = try room.keep()
    let piece = [UInt8](repeating: 1, count: 32768)
    var sent = 0
    while room.words.count > 0, sent < 2 * LastWords.mostBytes {
      sent += max(0, send(other, piece, piece.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
      room.turn()
    }
    #expect(sent >= LastWords.mostBytes && sent < 2 * LastWords.mostBytes)
    close(other)
  }

  @Test("beyond their number the oldest one is closed")
  func number() async throws {
    let room = try Room()
    let others = try (0...LastWords.most).map { _ in try room.keep() }
    #expect(room.words.count == LastWords.most)
    await eventually { Self.isClosed(others[0]) }
    #expect(!Self.isClosed(others[1]))
    others.forEach { close($0) }
  }

  @Test("when its time is over each is closed, and the timer then sleeps")
  func time() async throws {
    let room = try Room(patience: .milliseconds(20))
    let others = try (0..<3).map { _ in try room.keep() }
    await eventually {
      room.turn()
      return room.words.count == 0
    }
    await eventually { others.allSatisfy(Self.isClosed) }
    var left = itimerspec()
    timerfd_gettime(room.words.timer, &left)
    #expect(left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0)
    others.forEach { close($0) }
  }

  /// A program that another test starts just then has a copy of it for a moment.
  private static func isClosed(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 0
  }

  /// What the server's loop is to it. Unchecked: a test uses it on one task.
  private final class Room: @unchecked Sendable {
    struct NoSocket: Error {}

    let epoll = cl_epoll()
    let words: LastWords
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)

    init(patience: Duration = .seconds(60)) throws {
      words = LastWords(epoll: epoll, firstID: first, patience: patience)
      guard cl_epoll_set(epoll, EPOLL_CTL_ADD, words.timer, EPOLLIN.rawValue, 1) == 0 else { throw NoSocket() }
    }

    deinit {
      scratch.deallocate()
      close(epoll)
    }

    /// The other side of one that is kept.
    func keep() throws -> Int32 {
      var pair: [Int32] = [-1, -1]
      // Other tests start programs, which must not keep it open.
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw NoSocket() }
      _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
      words.keep(pair[0])
      close(pair[0])
      return pair[1]
    }

    /// Carries out what epoll tells, without waiting.
    func turn() {
      var ids = [UInt64](repeating: 0, count: 64)
      var events = [UInt32](repeating: 0, count: 64)
      let count = Int(cl_epoll_wait(epoll, &ids, &events, 64, 0))
      for id in ids.prefix(max(0, count)) {
        if id == 1 { words.timerWent() } else { words.ready(id, scratch) }
      }
    }
  }
}
