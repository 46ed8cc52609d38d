import CamrigModel
import Sound
import Testing

@Suite("Which rate a microphone really gives")
struct RateMeterTests {
  /// What a driver says: so many sample frames, at this many seconds.
  private typealias Word = (count: Int64, seconds: Double)

  /// Of a card that says 48000 Hz, in blocks of 20 ms by its own count. The stamps jitter by up to `jitter` seconds,
  /// each time by the same.
  private func words(rate: Double, seconds: Double, jitter: Double = 0.004) -> [Word] {
    var seed: UInt64 = 7
    return (1...Int(seconds * rate / 960)).map { block in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let count = Int64(block) * 960
      return (count, Double(count) / rate + Double(seed >> 11) / Double(1 << 53) * jitter)
    }
  }

  /// Each rate that the meter finds, and after how many seconds.
  private func found(_ words: [Word], by meter: inout RateMeter) -> [(rate: Int, seconds: Double)] {
    words.compactMap { word in
      let time = MediaTime(nanoseconds: 100_000_000_000 + Int64((word.seconds * 1e9).rounded()))
      return meter.observe(word.count, at: time).map { ($0, word.seconds) }
    }
  }

  private func found(_ words: [Word]) -> [(rate: Int, seconds: Double)] {
    var meter = RateMeter(stated: 48_000)
    return found(words, by: &meter)
  }

  @Test(
    "what is far off is found within four seconds, to a thousandth, and once",
    arguments: [48_960.0, 47_040, 44_100, 50_000, 32_000, 16_000, 96_000])
  func finds(rate: Double) throws {
    let found = found(words(rate: rate, seconds: 120))
    #expect(found.count == 1, "\(found)")
    let first = try #require(found.first)
    #expect(abs(Double(first.rate) / rate - 1) < 0.001)
    #expect(first.seconds < 4)
  }

  @Test("a standard rate is named as such")
  func named() { #expect(found(words(rate: 44_103, seconds: 10)).map(\.rate) == [44_100]) }

  @Test("what is off by one percent is found, too, whatever the stamps do")
  func onePercent() throws {
    let first = try #require(found(words(rate: 47_520, seconds: 30, jitter: 0.02)).first)
    #expect(abs(Double(first.rate) / 47_520 - 1) < 0.002)
    #expect(first.seconds < 10)
  }

  @Test("drift is no other rate", arguments: [0, 500e-6, -500e-6, 5000e-6, -5000e-6])
  func drift(offBy: Double) {
    for jitter in [0, 0.004, 0.02] {
      #expect(found(words(rate: 48_000 * (1 + offBy), seconds: 600, jitter: jitter)).isEmpty)
    }
  }

  @Test("nor is a burst at the start, a stall, or a loss, once or again and again")
  func troubles() {
    let well = words(rate: 48_000, seconds: 60)
    // The card says nothing for 400 ms at its start, and then gives it all.
    #expect(found(well.map { ($0.count, max($0.seconds, 0.4)) }).isEmpty)
    // It is stamped 300 ms too late for half a second.
    let late = well.map { ($0.count, 20..<20.5 ~= $0.seconds ? $0.seconds + 0.3 : $0.seconds) }
    #expect(found(late).isEmpty)
    // Sound of 30, of 200 and of 1500 ms is gone and not counted.
    for loss in [0.03, 0.2, 1.5] {
      #expect(found(well.map { ($0.count, $0.seconds > 20 ? $0.seconds + loss : $0.seconds) }).isEmpty, "\(loss)")
    }
    // A tenth of each second.
    #expect(found(well.map { ($0.count, $0.seconds + 0.1 * $0.seconds.rounded(.down)) }).isEmpty)
    // Nobody had time to fetch it: a second of it comes at once, with the stamps of the last of it.
    #expect(found(well.enumerated().filter { $0.offset % 50 == 0 || $0.offset < 900 }.map(\.element)).isEmpty)
  }

  @Test("a device that was started again is measured anew")
  func restart() {
    var meter = RateMeter(stated: 48_000)
    let slow = words(rate: 44_100, seconds: 2.3)
    #expect(found(slow, by: &meter).isEmpty)
    meter.restart()
    #expect(found(words(rate: 44_100, seconds: 2.3).map { ($0.count, $0.seconds + 9) }, by: &meter).isEmpty)
  }

  @Test("one that gives what its driver says after all is believed again")
  func well() {
    var meter = RateMeter(stated: 48_000, rate: 44_100)
    #expect(found(words(rate: 48_020, seconds: 20), by: &meter).map(\.rate) == [48_000])
    #expect(meter.rate == 48_000)
  }

  @Test("one that never keeps a rate is left at one")
  func unsteady() {
    var meter = RateMeter(stated: 48_000)
    var (count, seconds, changes) = (Int64(0), 0.0, 0)
    for part in 0..<20 {
      let part = words(rate: part % 2 == 0 ? 44_100 : 48_000, seconds: 12)
      changes += found(part.map { ($0.count + count, $0.seconds + seconds) }, by: &meter).count
      count += part[part.count - 1].count
      seconds += 12
    }
    #expect(changes == 4)
  }
}
