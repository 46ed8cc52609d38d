import CamrigModel

/// Whether a microphone gives as many sample frames a second as it is taken to give, by the driver's count and times:
/// a line through the last seconds. What is less than 0.8 % off is drift, and others follow it; what is more off gives
/// another rate than its driver says. The line is believed only where both its halves say the same, so that one burst,
/// a stall or a loss is never taken for a rate.
package struct RateMeter: Sendable {
  private struct Point {
    let frames: Double
    let seconds: Double
  }

  private struct Line {
    /// Of a sample frame, in seconds.
    let period: Double
    /// Of the points from it, root mean square, in seconds.
    let scatter: Double
    /// By which part of itself the period may be off: one standard deviation.
    let uncertainty: Double
  }

  /// What is nearer is drift.
  private static let drift = 0.008
  /// A standard rate is meant by what is so near to it.
  private static let sameRate = 0.001
  private static let standardRates = [
    8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
  ]
  /// Between the least and the most, times the rate that the driver says, is a rate; anything else is a fault.
  private static let sane = 0.25...4.0
  /// Seconds: what a card gives in a burst at its start, the distance of points, the least and the longest line.
  private static let (settling, spacing, shortest, longest) = (0.5, 0.1, 2.0, 6.0)
  /// Points are no further from a line, in seconds; what is lost now and then is no rate.
  private static let mostScatter = 0.01
  /// A clock that changes more often has no rate.
  private static let mostChanges = 4

  private let stated: Int
  /// Taken to be the true one so far.
  package private(set) var rate: Int
  private var changes = 0
  private var begin: MediaTime?
  private var points: [Point] = []
  private var sinceLook = 0

  /// - Parameter rate: what it is taken to give; nil: what the driver says.
  package init(stated: Int, rate: Int? = nil) {
    self.stated = stated
    self.rate = rate ?? stated
  }

  /// What came before says nothing of what comes: the device was started again.
  package mutating func restart() {
    begin = nil
    points = []
    sinceLook = 0
  }

  /// The sample frame number `count` of all that the device gave was at the microphone at `time`.
  /// - Returns: another rate than the one so far, which is to be taken for the true one from here on.
  package mutating func observe(_ count: Int64, at time: MediaTime) -> Int? {
    guard let begin else {
      begin = time
      return nil
    }
    let seconds = (time - begin).inSeconds
    guard seconds >= (points.last?.seconds).map({ $0 + Self.spacing }) ?? Self.settling else { return nil }
    points.append(Point(frames: Double(count), seconds: seconds))
    points.removeFirst(points.prefix { seconds - $0.seconds > Self.longest }.count)
    sinceLook += 1
    // Twice a second is often enough.
    guard sinceLook >= 5, seconds - points[0].seconds >= Self.shortest, let found = look(), found != rate
    else { return nil }
    restart()
    changes += 1
    rate = found
    return found
  }

  /// Another rate, if there is no doubt.
  private mutating func look() -> Int? {
    sinceLook = 0
    let middle = points.count / 2
    guard changes < Self.mostChanges, let all = line(points[...]), all.scatter <= Self.mostScatter,
      let first = line(points[..<middle]), let second = line(points[middle...])
    else { return nil }
    let off = deviation(all)
    guard abs(off) - 4 * all.uncertainty > Self.drift,
      [first, second].allSatisfy({ abs(deviation($0) - off) < abs(off) / 4 })
    else { return nil }
    return named(1 / all.period)
  }

  private func deviation(_ line: Line) -> Double { 1 / (line.period * Double(rate)) - 1 }

  private func named(_ rate: Double) -> Int? {
    guard Self.sane.contains(rate / Double(stated)) else { return nil }
    // The driver may be right after all, and drift a little.
    if abs(rate / Double(stated) - 1) < Self.drift { return stated }
    return Self.standardRates.first { abs(rate / Double($0) - 1) < Self.sameRate } ?? Int(rate.rounded())
  }

  /// Least squares. The times jitter, the counts do not.
  private func line(_ points: ArraySlice<Point>) -> Line? {
    let count = Double(points.count)
    guard points.count >= 4 else { return nil }
    let meanFrames = points.reduce(0) { $0 + $1.frames } / count
    let meanSeconds = points.reduce(0) { $0 + $1.seconds } / count
    let spread = points.reduce(0) { $0 + ($1.frames - meanFrames) * ($1.frames - meanFrames) }
    guard spread > 0 else { return nil }
    let period =
      points.reduce(0) { $0 + ($1.frames - meanFrames) * ($1.seconds - meanSeconds) } / spread
    guard period > 0 else { return nil }
    let off = points.reduce(0) { sum, point in
      let distance = point.seconds - meanSeconds - (point.frames - meanFrames) * period
      return sum + distance * distance
    }
    return Line(
      period: period, scatter: (off / count).squareRoot(),
      uncertainty: (off / (count - 2) / spread).squareRoot() / period)
  }
}
