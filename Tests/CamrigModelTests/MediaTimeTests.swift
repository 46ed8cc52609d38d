import CamrigModel
import TestSupport
import Testing

@Suite("Moments of the recording clock")
struct MediaTimeTests {
  @Test("made of a V4L2 buffer's seconds and microseconds")
  func parts() {
    #expect(MediaTime(seconds: 2, microseconds: 500_001).nanoseconds == 2_500_001_000)
  }

  @Test("lengths are added and taken away exactly, and two moments make a length")
  func arithmetic() {
    let time = MediaTime(nanoseconds: 10)
    #expect(time + .seconds(1) == MediaTime(nanoseconds: 1_000_000_010))
    #expect(time - .nanoseconds(11) == MediaTime(nanoseconds: -1))
    #expect(MediaTime(nanoseconds: 33_333_333) - MediaTime(nanoseconds: 0) == .nanoseconds(33_333_333))
    #expect(MediaTime(nanoseconds: -1) < time)
  }

  @Test("what a lying driver gives wraps and does not trap")
  func wraps() {
    let end = MediaTime(nanoseconds: .max)
    #expect((end + .nanoseconds(1)).nanoseconds == .min)
    #expect(MediaTime(seconds: .max, microseconds: .max) != end)
    #expect(MediaTime(nanoseconds: .min) - end == .nanoseconds(1))
  }

  @Test("in JSON an integer of nanoseconds")
  func json() throws {
    #expect(try JSONValue(encoding: [MediaTime(nanoseconds: 123_456_789_012)]).text == "[123456789012]")
    #expect(try JSONValue(json: "[-5]").decode([MediaTime].self) == [MediaTime(nanoseconds: -5)])
    #expect(throws: DecodingError.self) { try JSONValue(json: "[\"5\"]").decode([MediaTime].self) }
  }

  @Test("a length in nanoseconds and in seconds for people")
  func lengths() {
    #expect(Duration.milliseconds(1500).inNanoseconds == 1_500_000_000)
    #expect(Duration.milliseconds(-1500).inNanoseconds == -1_500_000_000)
    #expect(Duration.milliseconds(1500).inSeconds == 1.5)
  }

  @Test("an anchor gives the time of day of any other moment")
  func anchor() {
    let clock = TestClock()
    let anchor = clock.anchor
    #expect(anchor.wallTime(of: anchor.media + .seconds(3)).rfc3339 == "2026-11-30T09:05:10.000000Z")
    clock.advance(by: .milliseconds(250))
    #expect(anchor.wallTime(of: clock.now).rfc3339 == "2026-11-30T09:05:07.250000Z")
  }
}
