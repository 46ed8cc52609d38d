/// Whether a volume keeps up with writes that wait for it. One that does not is better written to through the page
/// cache, which takes seconds of video at once while the volume is busy with itself, as memory cards are at times.
package struct DirectPace: Sendable {
  package enum Step: Equatable, Sendable { case goOn, tooSlow }

  /// One write of at most `GatheredWrite.stagedByteCount` should take milliseconds.
  private static let longest: Int64 = 500_000_000
  /// Half of the time is as much as the writing may take, looked at over so long.
  private static let window: Int64 = 4_000_000_000

  private var begin: Int64?
  private var busy: Int64 = 0

  package init() {}

  /// A write went on from one moment to another, in nanoseconds of one clock.
  package mutating func wrote(from: Int64, to: Int64) -> Step {
    let length = to - from
    guard length <= Self.longest else { return .tooSlow }
    guard let begin, from - begin < Self.window else {
      let before = busy
      let span = from - (self.begin ?? from)
      self.begin = from
      busy = length
      return before * 2 > span && span > 0 ? .tooSlow : .goOn
    }
    busy += length
    // At once, not when the window is over: a queue of pictures is no longer than that.
    return busy * 2 > Self.window ? .tooSlow : .goOn
  }
}
