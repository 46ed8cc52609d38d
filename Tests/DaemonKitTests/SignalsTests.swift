import CamrigModel
import DaemonKit
import Glibc
import TestSupport
import Testing

@Suite("Signals and threads", .timeLimit(.minutes(5)))
struct SignalsTests {
  @Test("each signal is delivered to the handler as the wish that it is")
  func delivered() async throws {
    let (wishes, wish) = AsyncStream.makeStream(of: Signals.Wish.self)
    let signals = try Signals { wish.yield($0) }
    var iterator = wishes.makeAsyncIterator()
    for expected in Signals.Wish.allCases {
      signals.send(expected)
      #expect(await iterator.next() == expected)
    }
    signals.stop()
  }

  @Test("a signal sent before the thread listens is not lost, and does not end the program")
  func early() async throws {
    for _ in 0..<20 {
      let (wishes, wish) = AsyncStream.makeStream(of: Signals.Wish.self)
      let signals = try Signals { wish.yield($0) }
      signals.send(.reload)
      var iterator = wishes.makeAsyncIterator()
      #expect(await iterator.next() == .reload)
      signals.stop()
    }
  }

  @Test("a worker runs under its name and is waited for, once or twice")
  func worker() throws {
    let name = Guarded("")
    let worker = try Worker("camrig-test") {
      var bytes = [UInt8](repeating: 0, count: 32)
      guard let file = fopen("/proc/thread-self/comm", "r") else { return }
      let count = fread(&bytes, 1, bytes.count, file)
      fclose(file)
      name.withLock { $0 = String(decoding: bytes[..<count], as: UTF8.self) }
    }
    worker.join()
    worker.join()
    #expect(name.withLock { $0 } == "camrig-test\n")
  }
}
