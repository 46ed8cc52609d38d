import CamrigModel
import Sound
import Testing

@Suite("The clock of a microphone")
struct SoundClockTests {
  /// A device whose clock is off by so many millionths, and whose driver stamps late by up to `jitter`.
  private struct Device {
    let rate = 48000.0
    let ppm: Double
    var jitter = 0.0
    var seed: UInt64 = 7

    /// Between 0 and 1, the same each time.
    mutating func random() -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(seed >> 11) / Double(1 << 53)
    }

    func truth(_ position: Int64) -> Double { 100 + Double(position) / (rate * (1 + ppm / 1e6)) }

    mutating func stamp(_ position: Int64) -> MediaTime { .at(truth(position) + random() * jitter) }
  }

  @Test(
    "it follows a clock that is off, through jitter, and knows its true rate",
    arguments: [-5000.0, -500, 0, 500, 5000])
  func follows(ppm: Double) {
    var device = Device(ppm: ppm, jitter: 0.004)
    var clock = SoundClock(rate: 48000)
    var worst = 0.0
    var last: MediaTime?
    for block in 0..<6000 {
      let start = Int64(block) * 960
      let verdict = clock.observe(start + 960, at: device.stamp(start + 960))
      #expect(verdict == .steady)
      let time = clock.time(of: start)
      if let last {
        // From block to block never more than a fifth of a block off the right distance.
        let distance = (time - last).inSeconds
        #expect(abs(distance - 0.02) < 0.004, "block \(block): \(distance)")
        if block > 500 { #expect(abs(distance - 0.02 / (1 + ppm / 1e6)) < 0.000_05, "block \(block): \(distance)") }
      }
      last = time
      // The stamps are 2 ms late on average.
      if block > 500 { worst = max(worst, abs((time - .at(device.truth(start) + 0.002)).inSeconds)) }
    }
    #expect(worst < 0.000_5, "\(worst)")
    #expect(abs(clock.measuredRate / (48000 * (1 + ppm / 1e6)) - 1) < 20e-6)
  }

  @Test("without jitter it is exact from the first block on")
  func exact() {
    var device = Device(ppm: 0)
    var clock = SoundClock(rate: 48000)
    for block in 1..<100 {
      _ = clock.observe(Int64(block) * 960, at: device.stamp(Int64(block) * 960))
      #expect(abs((clock.time(of: 0) - .at(100)).inNanoseconds) < 1000)
    }
  }

  @Test("one timestamp that is far off changes nothing")
  func outlier() {
    var device = Device(ppm: 100)
    var clock = SoundClock(rate: 48000)
    for block in 1..<500 { _ = clock.observe(Int64(block) * 960, at: device.stamp(Int64(block) * 960)) }
    let before = clock.time(of: 500 * 960)
    let far = clock.observe(500 * 960, at: before + .milliseconds(300))
    #expect(far == .ignored)
    #expect(clock.time(of: 500 * 960) == before)
    let next = clock.observe(501 * 960, at: device.stamp(501 * 960))
    #expect(next == .steady)
  }

  @Test("sound that the driver lost without a word is found by its time, in exact number")
  func slip() {
    var device = Device(ppm: -200)
    var clock = SoundClock(rate: 48000)
    for block in 1...500 { _ = clock.observe(Int64(block) * 960, at: device.stamp(Int64(block) * 960)) }
    // From here on the driver counts 9600 too few.
    var verdicts: [SoundClock.Verdict] = []
    for block in 501...530 {
      verdicts.append(clock.observe(Int64(block) * 960, at: device.stamp(Int64(block) * 960 + 9600)))
      if verdicts.last != .ignored { break }
    }
    guard case .lost(let count)? = verdicts.last else {
      Issue.record("\(verdicts)")
      return
    }
    #expect(abs(count - 9600) < 5)
    #expect(verdicts.count > 5)
  }

  @Test("more sound than time is a reason to begin anew")
  func restart() {
    var device = Device(ppm: 0)
    var clock = SoundClock(rate: 48000)
    for block in 1...500 { _ = clock.observe(Int64(block) * 960, at: device.stamp(Int64(block) * 960)) }
    var verdict = SoundClock.Verdict.ignored
    for block in 501...530 where verdict == .ignored {
      verdict = clock.observe(Int64(block) * 960 + 9600, at: device.stamp(Int64(block) * 960))
    }
    #expect(verdict == .restart)
  }

  @Test("after a break the time says which sample frame it is")
  func position() {
    var device = Device(ppm: 5000)
    var clock = SoundClock(rate: 48000)
    for block in 1...1000 { _ = clock.observe(Int64(block) * 960, at: device.stamp(Int64(block) * 960)) }
    #expect(abs(clock.position(at: .at(device.truth(1_100_000))) - 1_100_000) < 10)
  }
}

extension MediaTime {
  fileprivate static func at(_ seconds: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }
}
