/// How long to wait before the next of several vain tries: twice as long each time, up to `most`.
package struct Backoff: Hashable, Sendable {
  private let first: Duration
  private let most: Duration
  package private(set) var tries = 0

  package init(first: Duration, most: Duration) {
    self.first = first
    self.most = most
  }

  package mutating func next() -> Duration {
    defer { tries += 1 }
    var wait = first
    for _ in 0..<min(tries, 16) where wait < most { wait = wait * 2 }
    return min(wait, most)
  }

  package mutating func reset() { tries = 0 }
}
