import CamrigModel
import Capture
import Codec
import Glibc
import Recording
import TestSupport
import Testing

/// From the card to the sound as it is written.
@Suite("A microphone that gives another rate than its driver says", .timeLimit(.minutes(10)))
struct WrongRateTests {
  private let clock = TestClock()
  private let sink = RecordingLogSink()

  private func microphone() -> Microphone {
    Microphone(
      id: MicrophoneID("mic"), configuration: CaptureConfiguration(), clock: clock, log: sink.log,
      sleeper: TestSleeper(clock, pauses: 0), changed: {})
  }

  /// All that one opening of it gives, on the grid that begins with it.
  private func line(of device: LyingSoundDevice, seconds: Double) async -> MicrophoneLine {
    let microphone = microphone()
    let line = MicrophoneLine(
      TakeMicrophone(id: microphone.id, name: "m", hub: microphone.hub), grid: SoundGrid(origin: clock.now),
      patience: .seconds(Int64(seconds) * 2))
    line.listen(from: clock.now)
    line.open(at: 0)
    let count = Guarded<Double>(0)
    _ = microphone.hub.addListener { item in
      if case .block(let block) = item { count.withLock { $0 += Double(block.count) } }
    }
    microphone.attach(device)
    microphone.demand(.take)
    await eventually { count.withLock { $0 } >= seconds * device.rate }
    line.take()
    let message = microphone.status.message
    let found = microphone.status.format?.rate ?? 0
    #expect(abs(Double(found) / device.rate - 1) < 0.001)
    #expect(message.hasPrefix("Its driver says 48000 Hz, and \(found) Hz come."), "\(message)")
    #expect(sink.lines.filter { $0.message.contains("Its driver says") }.count == 1)
    microphone.shutdown()
    return line
  }

  @Test("its sound is within 20 ms of the pictures", arguments: [48_960.0, 47_040, 44_100])
  func sync(rate: Double) async {
    let device = LyingSoundDevice(rate: rate, from: clock.now, seconds: 120) { seconds in
      let phase = seconds.truncatingRemainder(dividingBy: 2)
      // A flash each two seconds.
      return phase >= 1 && phase < 1.1 ? 0.5 : 0
    }
    let line = await line(of: device, seconds: 120)
    var pairs: [(time: Double, offset: Double)] = []
    for flash in stride(from: 5, to: 117, by: 2) {
      let first = Int64((flash - 1) * 48_000)
      let sound = line.read(first..<first + 2 * 48_000, channels: 1).samples
      guard let place = sound.firstIndex(where: { $0 > 0.25 }) else {
        Issue.record("nothing is heard at \(flash) s")
        continue
      }
      pairs.append((Double(flash), (Double(place) / 48 - 1000)))
    }
    let worst = pairs.map { abs($0.offset) }.max() ?? .infinity
    #expect(worst < 20, "\(pairs)")
    let settled = pairs.filter { $0.time > 30 }
    let meanTime = settled.reduce(0) { $0 + $1.time } / Double(settled.count)
    let mean = settled.reduce(0) { $0 + $1.offset } / Double(settled.count)
    let slope =
      settled.reduce(0) { $0 + ($1.time - meanTime) * ($1.offset - mean) }
      / settled.reduce(0) { $0 + ($1.time - meanTime) * ($1.time - meanTime) }
    // Milliseconds, and in a second.
    #expect(abs(mean) < 3 && abs(slope) < 0.05, "\(mean), \(slope)")
    // Chopped until it is known, and never again.
    let silences = line.read(0..<(line.end ?? 0), channels: 1).silences
    #expect(silences.allSatisfy { $0.end < 3 * 48_000 }, "\(silences)")
    #expect(silences.filter { $0.cause != .absent && $0.cause != .stopped }.count <= 5, "\(silences)")
  }

  @Test("its sound has its pitch, and no artefact above -60 dB", arguments: [48_960.0, 47_040, 44_100])
  func pitch(rate: Double) async {
    let device = LyingSoundDevice(rate: rate, from: clock.now, seconds: 62) {
      Float(0.5 * sin(2 * Double.pi * 997 * $0))
    }
    let line = await line(of: device, seconds: 62)
    for second in [20, 55] {
      let sound = line.read(Int64(second * 48_000)..<Int64(second * 48_000 + 65_536), channels: 1).samples
      let tone = Tone.impurity(sound, rate: 48_000)
      #expect(abs(tone.frequency / 997 - 1) < 0.001, "second \(second): \(tone)")
      #expect(tone.decibels < -60, "second \(second): \(tone)")
    }
  }

  @Test("opened again it has its true rate from the first sample on, until it keeps its driver's word")
  func remembered() async {
    let microphone = microphone()
    let words = SoundWords(microphone.hub)
    microphone.attach(LyingSoundDevice(rate: 44_100, from: clock.now, seconds: 5) { _ in 0 })
    microphone.demand(.take)
    await eventually { words.all.contains("started 2: 44100 Hz, 1 ch") }
    microphone.release(.take)
    clock.advance(by: .seconds(60))
    // Its thread may be waiting for sound.
    microphone.retryNow()
    await eventually { microphone.status.state == .idle }
    #expect(microphone.status.message.contains("44100 Hz come"))
    microphone.detach()
    microphone.attach(LyingSoundDevice(rate: 48_000, from: clock.now, seconds: 9) { _ in 0 })
    microphone.demand(.take)
    await eventually { words.all.contains("started 4: 48000 Hz, 1 ch") }
    #expect(words.all.contains("started 3: 44100 Hz, 1 ch"))
    await eventually { microphone.status.message.isEmpty }
    microphone.shutdown()
  }
}
