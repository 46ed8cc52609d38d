import CamrigModel
import Capture
import Testing

@Suite("The rate that a camera keeps")
struct RateWatchTests {
  private var watch = RateWatch(granted: FrameRate(30))
  private var sequence: UInt64 = 0
  private var time = MediaTime(nanoseconds: 0)

  /// The verdicts of so many pictures, `apart` each.
  private mutating func pictures(_ count: Int, apart: Duration, missing: UInt64 = 0) -> [RateWatch.Verdict] {
    (0..<count).compactMap { _ in
      sequence += 1 + missing
      time = time + apart
      let verdict = watch.picture(sequence, at: time)
      return verdict == .same ? nil : verdict
    }
  }

  @Test("half of it for ten seconds is told once, and its end once")
  mutating func halves() {
    #expect(pictures(600, apart: .nanoseconds(33_333_333)) == [])
    let verdicts = pictures(15 * 16, apart: .nanoseconds(66_666_666))
    guard case .slow(let rate)? = verdicts.first, verdicts.count == 1 else {
      Issue.record("\(verdicts)")
      return
    }
    #expect(abs(rate - 15) < 0.1)
    #expect(pictures(600, apart: .nanoseconds(33_333_333)) == [.asGranted])
  }

  @Test("a hold-up is no slowness, nor are lost pictures, nor a new count")
  mutating func forgives() {
    #expect(pictures(300, apart: .nanoseconds(33_333_333)) == [])
    time = time + .seconds(4)
    #expect(pictures(300, apart: .nanoseconds(33_333_333)) == [])
    // Every other picture is lost on the way: they came at the full rate.
    #expect(pictures(300, apart: .nanoseconds(66_666_666), missing: 1) == [])
    watch.restart()
    sequence = 0
    #expect(pictures(300, apart: .nanoseconds(33_333_333)) == [])
  }

  @Test("where no rate was granted nothing is slow")
  func unknown() {
    var watch = RateWatch(granted: nil)
    for number in UInt64(1)...100 {
      #expect(watch.picture(number, at: MediaTime(nanoseconds: Int64(number) * 1_000_000_000)) == .same)
    }
  }
}
