import CamrigModel

/// Says when more than 5 % of the pictures of the last 10 s were spoilt, and when it is over.
package struct SpoiltWatch {
  package enum Step: Hashable, Sendable {
    case same
    case began(percent: Int)
    case over
  }

  /// One second's pictures.
  private struct Bucket {
    var second: Int64 = 0
    var all = 0
    var spoilt = 0
  }

  private static let length = 10
  /// Of so few pictures no share is worth a warning.
  private static let leastSpoilt = 5

  private var buckets: [Bucket] = []
  package private(set) var isSpoilt = false

  package init() {}

  package mutating func picture(spoilt: Bool, at time: MediaTime) -> Step {
    let second = time.nanoseconds / 1_000_000_000
    if buckets.last?.second != second {
      buckets.removeAll { $0.second <= second - Int64(Self.length) || $0.second > second }
      buckets.append(Bucket(second: second))
    }
    buckets[buckets.count - 1].all += 1
    if spoilt { buckets[buckets.count - 1].spoilt += 1 } else if !isSpoilt { return .same }

    let all = buckets.reduce(0) { $0 + $1.all }
    let spoilt = buckets.reduce(0) { $0 + $1.spoilt }
    let tooMany = spoilt * 20 > all && (spoilt >= Self.leastSpoilt || isSpoilt)
    guard tooMany != isSpoilt else { return .same }
    isSpoilt = tooMany
    return tooMany ? .began(percent: spoilt * 100 / all) : .over
  }
}
