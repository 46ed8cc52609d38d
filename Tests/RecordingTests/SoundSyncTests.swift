import CamrigModel
import Codec
import Frames
import Recording
import TestSupport
import Testing

/// One generator flashes and beeps by the rig's clock; the microphone's own clock is off.
@Suite("Sound stays with the picture")
struct SoundSyncTests {
  private static let origin = MediaTime(seconds: 1000, microseconds: 0)
  private static let blockCount = 960

  /// Where the beeps are in the recorded sound, minus where the flashes are, in milliseconds, with their times in
  /// seconds. The microphone has 48 kHz by name, `offBy` more in truth, and its blocks' time stamps jitter.
  private func offsets(offBy: Double, seconds: Int, every period: Int, jitter: Int64) -> [(
    time: Double, offset: Double
  )] {
    let clock = TestClock(media: Self.origin)
    let hub = SoundHub(prerollLength: .zero)
    let microphone = TakeMicrophone(id: MicrophoneID("m"), name: "m", hub: hub)
    let line = MicrophoneLine(microphone, grid: SoundGrid(origin: Self.origin), patience: .seconds(4))
    line.listen(from: clock.now)
    line.open(at: 0)
    hub.publish(.started(SoundRun(number: 1, rate: 48_000, channels: 1, time: Self.origin)))
    let rate = 48_000 * (1 + offBy)
    let nothing = [Float](repeating: 0, count: Self.blockCount)
    var random = SystemRandomNumberGenerator()
    var position: Int64 = 0
    var read: Int64 = 0
    var loud: [Int64] = []
    var beep = period
    while position < Int64(Double(seconds) * rate) {
      var samples = nothing
      // The beep is a step at the flash's time, by the microphone's clock.
      let place = Int64((Double(beep) * rate).rounded(.up))
      if place < position + Int64(Self.blockCount) {
        for index in max(0, Int(place - position))..<Self.blockCount { samples[index] = 0.5 }
        beep += period
      }
      let time = Int64(Double(position) / rate * 1e9) + Int64.random(in: -jitter...jitter, using: &random)
      hub.publish(
        .block(
          SoundBlock(
            run: 1, position: position, presentationTime: Self.origin + .nanoseconds(time), channels: 1,
            samples: samples)))
      position += Int64(Self.blockCount)
      guard position % Int64(Self.blockCount * 50) == 0 else { continue }
      line.take()
      guard let end = line.end, end > read else { continue }
      let flash = (Int(end / 48_000) / period) * period
      // Elsewhere there is nothing to be heard; looking for it takes long in a debug build.
      let sound = Int(end / 48_000) - flash <= 1 ? line.read(read..<end, channels: 1).samples : []
      if sound.contains(where: { $0 > 0.25 }) {
        var before: Float = 0
        for (place, sample) in sound.enumerated() {
          if sample > 0.25, before <= 0.25, loud.last.map({ read + Int64(place) - $0 > 24_000 }) ?? true {
            loud.append(read + Int64(place))
          }
          before = sample
        }
      }
      line.drop(before: end)
      read = end
    }
    return loud.enumerated().map { number, place in
      let flash = Double((number + 1) * period)
      return (flash, (Double(place) / 48_000 - flash) * 1000)
    }
  }

  /// What a line through all pairs says at both ends, and the worst pair.
  private func fit(_ pairs: [(time: Double, offset: Double)]) -> (first: Double, last: Double, worst: Double) {
    let count = Double(pairs.count)
    let meanTime = pairs.reduce(0) { $0 + $1.time } / count
    let mean = pairs.reduce(0) { $0 + $1.offset } / count
    let slope =
      pairs.reduce(0) { $0 + ($1.time - meanTime) * ($1.offset - mean) }
      / pairs.reduce(0) { $0 + ($1.time - meanTime) * ($1.time - meanTime) }
    return (
      mean + slope * (pairs[0].time - meanTime), mean + slope * (pairs[pairs.count - 1].time - meanTime),
      pairs.map { abs($0.offset) }.max() ?? 0
    )
  }

  @Test("within 20 ms for an hour, the microphone's clock off by 500 ppm", arguments: [500e-6, -500e-6])
  func hour(offBy: Double) {
    let pairs = offsets(offBy: offBy, seconds: 3600, every: 10, jitter: 200_000)
    #expect(pairs.count >= 358)
    let fit = fit(pairs)
    #expect(abs(fit.first) < 20 && abs(fit.last) < 20 && fit.worst < 20, "\(fit)")
    // In truth it is much better.
    #expect(fit.worst < 3, "\(fit)")
  }

  @Test("within 20 ms with ten times that, whatever the time stamps do", arguments: [5000e-6, -5000e-6])
  func tenfold(offBy: Double) {
    let pairs = offsets(offBy: offBy, seconds: 360, every: 2, jitter: 1_000_000)
    #expect(pairs.count >= 178)
    let fit = fit(pairs)
    #expect(fit.worst < 20, "\(fit)")
    #expect(abs(fit.last) < 1, "\(fit)")
  }

  @Test(
    "no artefact of the correction above -60 dB",
    arguments: [(48_000, 500e-6), (48_000, -5000e-6), (44_100, 500e-6), (16_000, -500e-6), (96_000, 500e-6)])
  func artefacts(rate: Int, offBy: Double) {
    let hub = SoundHub(prerollLength: .zero)
    let line = MicrophoneLine(
      TakeMicrophone(id: MicrophoneID("m"), name: "m", hub: hub), grid: SoundGrid(origin: Self.origin),
      patience: .seconds(60))
    line.listen(from: Self.origin)
    hub.publish(.started(SoundRun(number: 1, rate: rate, channels: 1, time: Self.origin)))
    let real = Double(rate) * (1 + offBy)
    let count = rate / 50
    for block in 0..<50 * 60 {
      let first = block * count
      let samples = (0..<count).map { 0.5 * Tone.sine(997 * Double(first + $0) / real) }
      hub.publish(
        .block(
          SoundBlock(
            run: 1, position: Int64(first),
            presentationTime: Self.origin + .nanoseconds(Int64(Double(first) / real * 1e9)), channels: 1,
            samples: samples)))
      if block % 50 == 49 { line.take() }
    }
    line.take()
    // While the loop finds the clock's rate, and when it has.
    for second in [1, 10, 50] {
      let sound = line.read(Int64(second * 48_000)..<Int64(second * 48_000 + 65_536), channels: 1).samples
      let tone = Tone.impurity(sound, rate: 48_000)
      #expect(abs(tone.frequency - 997) < (second == 1 ? 5 : 1), "\(tone)")
      #expect(tone.decibels < -60, "\(rate) Hz, second \(second): \(tone)")
    }
  }

  @Test("a loss is silence of the exact length, and what follows stands where it belongs")
  func loss() {
    let clock = TestClock(media: Self.origin)
    let microphone = TestMicrophone("m", clock: clock)
    let line = MicrophoneLine(
      microphone.microphone(), grid: SoundGrid(origin: Self.origin), patience: .seconds(10))
    line.listen(from: Self.origin)
    microphone.begin()
    microphone.hear(.milliseconds(200))
    microphone.lose(4801)
    microphone.hear(.milliseconds(200))
    microphone.lose(123_457)
    microphone.hear(.milliseconds(200))
    line.take()
    let end = 3 * 9600 + 4801 + 123_457
    let (samples, silences) = line.read(0..<Int64(end - 960), channels: 1)
    #expect(
      silences == [
        Silence(cause: .xrun, first: 9600, count: 4801), Silence(cause: .xrun, first: 24_001, count: 123_457),
      ])
    #expect(samples[9600..<14_401].allSatisfy { $0 == 0 })
    #expect(samples[24_001..<147_458].allSatisfy { $0 == 0 })
    // The tone goes on in its phase, as if nothing had been lost.
    for place in Array(100..<9500) + Array(14_500..<23_900) + Array(147_600..<150_000) {
      let expected = 0.5 * Tone.sine(Double(place % 48) / 48)
      #expect(abs(samples[place] - expected) < 0.01, "at \(place)")
      if abs(samples[place] - expected) >= 0.01 { break }
    }
  }
}
