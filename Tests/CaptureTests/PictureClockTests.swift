import CamrigModel
import Capture
import Testing

@Suite("The clock of a camera's pictures")
struct PictureClockTests {
  /// Feeds timestamps, given in milliseconds after second 1000, as they arrive 10 ms after they should have been
  /// made, one each 33 ms. Returns the times in milliseconds, rounded down.
  private func times(_ stamps: [Int64], monotonic: Bool = true) -> (times: [Int64], oddities: [String?]) {
    var clock = PictureClock()
    var times: [Int64] = []
    var oddities: [String?] = []
    for (index, stamp) in stamps.enumerated() {
      let answer = clock.time(
        of: at(stamp), isMonotonic: monotonic, arrival: at(Int64(index) * 33 + 10))
      times.append((answer.time.nanoseconds - 1_000_000_000_000) / 1_000_000)
      oddities.append(answer.oddity?.rawValue)
    }
    return (times, oddities)
  }

  private func at(_ milliseconds: Int64) -> MediaTime {
    MediaTime(nanoseconds: 1_000_000_000_000 + milliseconds * 1_000_000)
  }

  @Test("good timestamps are kept to the nanosecond")
  func keepsGood() {
    var clock = PictureClock()
    for index in Int64(0)..<100 {
      let stamp = MediaTime(nanoseconds: 1_000_000_000_007 + index * 33_366_667)
      let (time, oddity) = clock.time(of: stamp, isMonotonic: true, arrival: stamp + .milliseconds(40))
      #expect(time == stamp)
      #expect(oddity == nil)
    }
  }

  @Test("a leap of seconds, back and forth, is taken out")
  func takesLeapsOut() {
    // +33, +33, -5000, +33, +33, +5033, 0
    let (times, oddities) = times([0, 33, 66, -4934, -4901, -4868, 165, 165])
    #expect(times == [0, 33, 66, 109, 142, 175, 208, 241])
    #expect(oddities == [nil, nil, nil, "clockJump", nil, nil, "clockJump", "clockBackwards"])
  }

  @Test("a small step back takes the time of arrival, once")
  func takesArrival() {
    let (times, oddities) = times([0, 33, 20, 99])
    #expect(times == [0, 33, 76, 99])
    #expect(oddities == [nil, nil, "clockBackwards", nil])
  }

  @Test("a clock that stays a little behind is followed again")
  func followsAgain() {
    let stamps = (0..<30).map { Int64($0) * 33 - ($0 >= 5 ? 500 : 0) }
    let (times, oddities) = times(stamps)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(oddities.suffix(15).allSatisfy { $0 == nil })
    #expect(abs(times[29] - 29 * 33) <= 10)
  }

  @Test("a clock that stands still is replaced by the time of arrival")
  func replacesDeadClock() {
    let (times, _) = times([Int64](repeating: -1_000_000, count: 200))
    for (index, time) in times.enumerated() { #expect(abs(time - (Int64(index) * 33 + 10)) <= 1) }
  }

  @Test("a clock without a name is not believed")
  func distrustsForeign() {
    let (times, oddities) = times([5_000_000, 5_000_033], monotonic: false)
    #expect(times == [10, 43])
    #expect(oddities == ["clockForeign", "clockForeign"])
  }

  @Test("what waited in the driver while we were held up keeps its times")
  func keepsBacklog() {
    var clock = PictureClock()
    _ = clock.time(of: at(0), isMonotonic: true, arrival: at(10))
    // 1.6 s without a chance to run, then eight pictures at once.
    for index in Int64(1)...8 {
      let (time, oddity) = clock.time(of: at(index * 200), isMonotonic: true, arrival: at(1610))
      #expect(time == at(index * 200))
      #expect(oddity == nil)
    }
  }

  @Test("a clock that runs seconds late for good is corrected")
  func correctsLateClock() {
    var clock = PictureClock()
    _ = clock.time(of: at(0), isMonotonic: true, arrival: at(10))
    var last = at(0)
    for index in Int64(1)...100 {
      // After a pause of 5 s the clock has lost 3 of them.
      last = clock.time(of: at(2000 + index * 33), isMonotonic: true, arrival: at(5010 + index * 33)).time
    }
    #expect(last == at(5010 + 3300))
  }

  @Test("whatever the timestamps, times rise and stay near the clock")
  func alwaysRises() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var clock = PictureClock()
      var previous: MediaTime?
      var arrival = at(0)
      for _ in 0..<100 {
        arrival = arrival + .milliseconds(Int64.random(in: 0...60, using: &generator))
        let stamp: MediaTime =
          switch Int.random(in: 0..<10, using: &generator) {
          case 0: MediaTime(nanoseconds: Int64.random(in: Int64.min...Int64.max, using: &generator))
          case 1: arrival - .milliseconds(Int64.random(in: -9000...9000, using: &generator))
          default: arrival - .milliseconds(5)
          }
        let (time, _) = clock.time(of: stamp, isMonotonic: true, arrival: arrival)
        if let previous { #expect(time > previous) }
        #expect(time - arrival < .seconds(1) + .milliseconds(1))
        previous = time
      }
    }
  }
}
