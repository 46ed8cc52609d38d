import CamrigModel
import Frames
import Recording
import TestSupport

/// A microphone fed by hand, in blocks of 20 ms. One test drives it.
final class TestMicrophone: @unchecked Sendable {
  let name: String
  let rate: Int
  /// What its driver says; nil: that.
  var statedRate: Int?
  let channels: Int
  let bits: Int
  let hub = SoundHub(prerollLength: .seconds(10))
  let demands = Guarded(0)
  private let clock: TestClock
  private(set) var run = 0
  private var position: Int64 = 0
  /// Of the next block's first sample frame.
  private(set) var time = MediaTime(nanoseconds: 0)
  /// The sample frames since the first, for the tone.
  private var phase = 0
  private let tone: [Float]
  /// Else it hears nothing.
  var isLoud = true

  /// A tone of 1 kHz, half of full scale unless said otherwise, is what it hears.
  init(_ name: String, clock: TestClock, rate: Int = 48_000, channels: Int = 1, bits: Int = 16, volume: Float = 0.5) {
    self.name = name
    self.clock = clock
    self.rate = rate
    self.channels = channels
    self.bits = bits
    tone = (0..<rate / 1000).map { volume * Tone.sine(Double($0) / Double(rate / 1000)) }
  }

  var id: MicrophoneID { MicrophoneID("id-\(name)") }

  func microphone(offset: Duration = .zero) -> TakeMicrophone {
    TakeMicrophone(
      id: id, name: name, hub: hub, offset: offset, demand: { self.demands.withLock { $0 += 1 } },
      release: { self.demands.withLock { $0 -= 1 } })
  }

  /// - Parameter time: nil: now.
  func begin(at time: MediaTime? = nil) {
    run += 1
    position = 0
    self.time = time ?? clock.now
    hub.publish(
      .started(
        SoundRun(
          number: run, rate: rate, statedRate: statedRate, channels: channels, bits: bits, time: self.time)))
  }

  func end(_ reason: StreamEnd.Reason) {
    hub.publish(.ended(StreamEnd(run: run, reason: reason, message: "", time: clock.now)))
  }

  /// The clock does not go with it.
  func hear(_ length: Duration) {
    let blocks = Int(length.inNanoseconds / 20_000_000)
    for _ in 0..<blocks {
      let count = rate / 50
      var samples: [Float] = []
      samples.reserveCapacity(count * channels)
      for place in 0..<count {
        let value = isLoud ? tone[(phase + place) % tone.count] : 0
        for _ in 0..<channels { samples.append(value) }
      }
      hub.publish(
        .block(
          SoundBlock(run: run, position: position, presentationTime: time, channels: channels, samples: samples)))
      step(Int64(count))
    }
  }

  func lose(_ count: Int64, _ cause: SoundLoss.Cause = .xrun) {
    hub.publish(.lost(SoundLoss(cause: cause, run: run, position: position, count: count, time: time)))
    step(count)
  }

  /// Nothing is said of this time.
  func skip(_ length: Duration) { time = time + length }

  private func step(_ count: Int64) {
    position += count
    phase += Int(count)
    time = time + .nanoseconds(count * 1_000_000_000 / Int64(rate))
  }
}
