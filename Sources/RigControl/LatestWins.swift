import CamrigModel
import Capture

/// Wishes that may come faster than they can be carried out, as a slider sends them: one after the other, and of a
/// slider's only so many a second. Of those that wait the latest takes the place of the one that it makes pointless,
/// and its outcome answers that, too.
package final class LatestWins<Wish: Sendable, Outcome: Sendable>: Sendable {
  /// What a new wish is to one that waits.
  package enum Relation: Sendable {
    /// For another thing.
    case unrelated
    /// Nobody would miss the old one: both are of one slider.
    case replaces
    /// For the same thing, and after the old one.
    case follows
  }

  private struct Waiting {
    var wish: Wish
    var answers: [Awaited<Outcome>]
  }

  private struct State {
    var queue: [Waiting] = []
    var isWorking = false
  }

  private let spacing: Duration
  private let timer: any RegistryTimer
  private let relation: @Sendable (_ new: Wish, _ old: Wish) -> Relation
  private let carryOut: @Sendable (Wish) async -> Outcome
  private let state = Guarded(State())

  /// - Parameter spacing: after each wish of a slider.
  package init(
    spacing: Duration = .milliseconds(100), timer: any RegistryTimer = TaskTimer(),
    relation: @escaping @Sendable (_ new: Wish, _ old: Wish) -> Relation,
    carryOut: @escaping @Sendable (Wish) async -> Outcome
  ) {
    self.spacing = spacing
    self.timer = timer
    self.relation = relation
    self.carryOut = carryOut
  }

  /// In its place at once; its outcome comes later.
  package func wish(_ wish: Wish) -> Awaited<Outcome> {
    let answer = Awaited<Outcome>()
    let mustStart = state.withLock { state in
      put(wish, answer, &state.queue)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    // It lives as long as there is something to do.
    if mustStart { Task { await work() } }
    return answer
  }

  private func put(_ wish: Wish, _ answer: Awaited<Outcome>, _ queue: inout [Waiting]) {
    let related = queue.lastIndex { relation(wish, $0.wish) != .unrelated }
    if let related, relation(wish, queue[related].wish) == .replaces {
      queue[related] = Waiting(wish: wish, answers: queue[related].answers + [answer])
    } else {
      queue.append(Waiting(wish: wish, answers: [answer]))
    }
  }

  private func work() async {
    while let next = next() {
      let outcome = await carryOut(next.wish)
      for answer in next.answers { answer.give(outcome) }
      if relation(next.wish, next.wish) == .replaces { await timer.wait(spacing) }
    }
  }

  private func next() -> Waiting? {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.isWorking = false
        return nil
      }
      return state.queue.removeFirst()
    }
  }
}
