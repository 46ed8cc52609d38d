import Glibc
import Sound
import Testing

@Suite("How loud it is")
struct LevelMeterTests {
  @Test("each channel has its own peak and its own mean power")
  func channels() throws {
    var meter = LevelMeter()
    let sine = (0..<4800).flatMap { [Float(0.5 * sin(Double($0) * 2 * Double.pi / 48)), 0] }
    meter.add(sine, channels: 2)
    let taken = meter.take()
    let levels = try #require(taken)
    #expect(levels.peak == [-6.0, LevelMeter.floor])
    #expect(levels.rms == [-9.0, LevelMeter.floor])
  }

  @Test("a look begins anew, and without sound there is nothing to show")
  func anew() {
    var meter = LevelMeter()
    let looks = [[], [1, -1], [], [0.1]].map { (samples: [Float]) -> [Double]? in
      if !samples.isEmpty { meter.add(samples, channels: 1) }
      return meter.take()?.peak
    }
    #expect(looks == [nil, [0], nil, [-20]])
  }
}
