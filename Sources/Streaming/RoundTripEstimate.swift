import CamrigModel

/// How long the way to a monitor and back is, from how long pictures took: of two that differ in size it can be told
/// what of their time comes of the size and what of the way.
struct RoundTripEstimate: Sendable {
  /// As long as there was one size only, a way that is usual on land is supposed.
  private static let usual: Duration = .milliseconds(150)
  private static let memory: Duration = .seconds(60)

  /// What arrived soonest in a minute.
  private var soonest: CreditWindow.Receipt?
  /// And what arrived soonest of what was twice as large; the largest, if nothing was.
  private var large: CreditWindow.Receipt?
  /// What the two told last.
  private var measured: Duration?

  mutating func learn(_ receipt: CreditWindow.Receipt) {
    func isOld(_ other: CreditWindow.Receipt) -> Bool { receipt.acknowledged - other.acknowledged > Self.memory }
    let before = soonest
    if before.map({ receipt.took <= $0.took || isOld($0) }) ?? true { soonest = receipt }
    guard let soonest else { return }
    if let large, isOld(large) { self.large = nil }
    for candidate in [before, receipt].compactMap({ $0 }) { consider(candidate, beside: soonest) }
    if let large, large.byteCount >= soonest.byteCount * 2, large.took > soonest.took {
      let perByte = (large.took - soonest.took) / (large.byteCount - soonest.byteCount)
      measured = max(.zero, soonest.took - perByte * soonest.byteCount)
    }
  }

  private mutating func consider(_ candidate: CreditWindow.Receipt, beside soonest: CreditWindow.Receipt) {
    guard let large else {
      if candidate.byteCount > soonest.byteCount { self.large = candidate }
      return
    }
    let twice = soonest.byteCount * 2
    if large.byteCount < twice {
      if candidate.byteCount > large.byteCount { self.large = candidate }
    } else if candidate.byteCount >= twice, candidate.took < large.took {
      self.large = candidate
    }
  }

  /// - Parameter told: by the network; behind a proxy it is only a part of the way.
  func roundTrip(told: Duration?) -> Duration {
    guard let soonest else { return told ?? Self.usual }
    let way = max(told ?? .zero, measured ?? told ?? Self.usual)
    return min(way, soonest.took)
  }
}
