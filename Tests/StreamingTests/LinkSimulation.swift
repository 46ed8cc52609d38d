import CamrigModel
import Streaming

/// A camera, a sender and a link in simulated time; the same each time it runs. No thread, no clock.
struct LinkSimulation {
  struct Link {
    var bitsPerSecond: Double
    /// Each way.
    var delay: Duration
    /// Of packets of 1448 bytes; each stops all that is behind it for one retransmission time-out.
    var lossPercent = 0.0
    var timeout: Duration = .milliseconds(300)
    /// Whether the sender is told of the round trip.
    var tellsRoundTrip = true
  }

  /// What the monitor saw of one picture.
  struct Arrival {
    /// When it was there.
    let time: Duration
    /// Since it was taken.
    let latency: Duration
    let size: PixelSize
    let step: Int
  }

  private enum Event {
    case camera(Int)
    case acknowledged(UInt64)
  }

  var wish = PreviewForm()
  var source = PreviewSource(format: .mjpeg, size: PixelSize(width: 1920, height: 1080))
  var credit = 4
  /// The link at a time.
  var link: (Duration) -> Link

  private static let start = MediaTime(seconds: 1000, microseconds: 0)

  func run(_ length: Duration) -> [Arrival] {
    var random = SeededRandom(11)
    let first = link(.zero)
    var tuning = PreviewTuning(wish, roundTrip: first.tellsRoundTrip ? first.delay * 2 : nil)
    var window = CreditWindow(size: credit, byteLimit: tuning.byteLimit)
    var pace = FramePace(wish.rate)
    var arrivals: [Arrival] = []
    var events: [(time: MediaTime, event: Event)] = [(Self.start, .camera(0))]
    var linkFree = Self.start
    var sequence: UInt64 = 0
    var newest: (time: MediaTime, isDue: Bool) = (Self.start, false)
    var lastBytes = 0

    func bytes(of size: PixelSize) -> Int {
      // As webcams have it: a tenth of a byte a pixel, a little more where pixels were many, and never the same.
      let perPixel = size == source.size ? 0.1 : 0.11
      return 600 + Int(Double(size.area) * perPixel * Double.random(in: 0.85...1.15, using: &random))
    }

    func sendIfPossible(at now: MediaTime) {
      guard newest.isDue, window.hasRoom(for: lastBytes) else { return }
      newest.isDue = false
      let size = source.size(for: tuning.form)
      lastBytes = bytes(of: size)
      tuning.setSource(source, cameraRate: FrameRate(30))
      tuning.send(byteCount: lastBytes, size: size)
      window.send(sequence, byteCount: lastBytes, at: now)
      let link = link(now - Self.start)
      var free = max(now, linkFree) + .seconds(Double(lastBytes * 8) / link.bitsPerSecond)
      for _ in 0...(lastBytes / 1448) where Double.random(in: 0..<100, using: &random) < link.lossPercent {
        free = free + link.timeout
      }
      linkFree = free
      let arrival = free + link.delay
      arrivals.append(
        Arrival(time: arrival - Self.start, latency: arrival - newest.time, size: size, step: tuning.step))
      events.append((arrival + link.delay, .acknowledged(sequence)))
      sequence += 1
    }

    while let index = events.indices.min(by: { events[$0].time < events[$1].time }) {
      let (now, event) = events.remove(at: index)
      guard now - Self.start < length else { break }
      switch event {
      case .camera(let number):
        newest = (now, pace.shows(now) || newest.isDue)
        events.append((Self.start + .nanoseconds(Int64(number + 1) * 1_000_000_000 / 30), .camera(number + 1)))
      case .acknowledged(let sequence):
        let link = link(now - Self.start)
        guard let receipt = window.acknowledge(sequence, at: now) else { break }
        tuning.arrive(receipt, leastRoundTrip: link.tellsRoundTrip ? link.delay * 2 : nil)
        window.byteLimit = tuning.byteLimit
        pace.setRate(tuning.form.rate)
      }
      sendIfPossible(at: now)
    }
    return arrivals
  }
}

extension [LinkSimulation.Arrival] {
  /// Of those that arrived in these seconds.
  func during(_ seconds: Range<Int>) -> [LinkSimulation.Arrival] {
    filter { (.seconds(seconds.lowerBound) ..< .seconds(seconds.upperBound)).contains($0.time) }
  }

  func latency(percentile: Int) -> Duration {
    let sorted = map(\.latency).sorted()
    return sorted.isEmpty ? .seconds(3600) : sorted[Swift.min(sorted.count * percentile / 100, sorted.count - 1)]
  }
}

/// The same numbers each time (xorshift).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
