import CamrigModel
import CaptureSupport
import RigControl
import TestSupport
import Testing

@Suite("Wishes of sliders", .timeLimit(.minutes(5)))
struct LatestWinsTests {
  private struct Wish: Hashable {
    let thing: String
    let level: Int?
  }

  /// Carries out what it is asked, one each time the gate opens, and answers with it.
  private final class Desk: Sendable {
    let done = Guarded<[Wish]>([])
    let timer = ManualTimer()
    private let (gate, opener) = AsyncStream.makeStream(of: Void.self)

    func carryOut(_ wish: Wish) async -> Wish {
      for await _ in gate { break }
      done.withLock { $0.append(wish) }
      return wish
    }

    func open() { opener.yield() }

    func wishes() -> LatestWins<Wish, Wish> {
      LatestWins(spacing: .milliseconds(100), timer: timer) { new, old in
        guard new.thing == old.thing else { return .unrelated }
        return new.level != nil && old.level != nil ? .replaces : .follows
      } carryOut: {
        await self.carryOut($0)
      }
    }
  }

  @Test("of many that wait the latest is carried out, after a pause, and answers all of them")
  func floods() async {
    let desk = Desk()
    let wishes = desk.wishes()
    let first = wishes.wish(Wish(thing: "a", level: 0))
    desk.open()
    #expect(await first.value.level == 0)
    let others = (1...500).map { wishes.wish(Wish(thing: "a", level: $0)) }
    desk.open()
    await eventually { desk.timer.isWaiting(.milliseconds(100)) }
    #expect(desk.done.withLock { $0.count } == 1, "so many a second, and no more")
    await desk.timer.expire(.milliseconds(100))
    for other in others { #expect(await other.value.level == 500) }
    #expect(desk.done.withLock { $0.map(\.level) } == [0, 500])
    desk.timer.expireAll()
  }

  @Test("sliders of several things do not replace each other, and what is no slider's keeps its place")
  func mixed() async {
    let desk = Desk()
    let wishes = desk.wishes()
    let asked = [("a", 1), ("b", 1), ("a", 2), ("b", 2), ("a", nil), ("a", nil), ("a", 3), ("b", 3), ("a", 4)]
      .map { Wish(thing: $0.0, level: $0.1) }
    let answers = asked.map { wishes.wish($0) }
    let pauses = Task {
      while !Task.isCancelled { await desk.timer.expire(.milliseconds(100)) }
    }
    for _ in asked { desk.open() }
    for answer in answers { _ = await answer.value }
    let done = desk.done.withLock { $0 }
    #expect(done.filter { $0.thing == "a" }.suffix(3).map(\.level) == [nil, nil, 4])
    #expect(done.last { $0.thing == "b" }?.level == 3)
    #expect(done.count <= asked.count - 3)
    pauses.cancel()
    desk.timer.expireAll()
  }
}
