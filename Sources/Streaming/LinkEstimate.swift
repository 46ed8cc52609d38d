import CamrigModel

/// What a link to a monitor carries, from when its pictures were acknowledged.
///
/// A picture's *service* is the time that it alone kept the link busy: from when the one before had arrived, or its own
/// first byte could have, until it had. Single stalls (a lost packet, a moment without radio) do not change the median;
/// many of them do count, in the mean.
package struct LinkEstimate: Sendable {
  private struct Sample {
    let time: MediaTime
    let nanosecondsPerByte: Double
    let service: Duration
  }

  private static let mostSamples = 30
  private static let memory: Duration = .seconds(10)
  /// Shorter services are noise of clocks and threads.
  private static let shortestService: Duration = .milliseconds(1)
  /// A monitor may say what it likes; numbers stay such that they can be multiplied.
  private static let longestService: Duration = .seconds(60)

  private var samples: [Sample] = []
  private var lastArrival: MediaTime?
  /// Without a picture on its way.
  package private(set) var roundTrip: Duration = .zero
  private var way = RoundTripEstimate()

  package init() {}

  package var sampleCount: Int { samples.count }
  /// How long the last picture kept the link busy.
  package var lastService: Duration? { samples.last?.service }

  /// - Parameter leastRoundTrip: of the connection, where the network tells it (`tcpi_min_rtt`); behind a proxy it is only
  ///   a part of the way.
  package mutating func add(_ receipt: CreditWindow.Receipt, leastRoundTrip: Duration? = nil) {
    way.learn(receipt)
    let roundTrip = way.roundTrip(told: leastRoundTrip)
    self.roundTrip = roundTrip
    let begin = max(receipt.sent + roundTrip, lastArrival ?? receipt.sent)
    let service = min(max(receipt.acknowledged - begin, Self.shortestService), Self.longestService)
    lastArrival = receipt.acknowledged
    samples.append(
      Sample(
        time: receipt.acknowledged,
        nanosecondsPerByte: Double(service.inNanoseconds) / Double(max(receipt.byteCount, 1)), service: service))
    if samples.count > Self.mostSamples { samples.removeFirst() }
    samples.removeAll { receipt.acknowledged - $0.time > Self.memory }
  }

  /// What was measured so far says nothing about the link as it is now.
  package mutating func forget(keeping count: Int = 0) {
    samples.removeFirst(max(0, samples.count - count))
  }

  /// How long a picture of so many bytes keeps the link busy, if nothing goes wrong. Zero without a sample.
  package func service(_ byteCount: Int) -> Duration { time(byteCount, percentile: 50) }

  /// The same, as the better moments of the link promise it: small pictures measure a fast link badly.
  package func bestService(_ byteCount: Int) -> Duration { time(byteCount, percentile: 10) }

  /// The same on average, stalls included.
  package func meanService(_ byteCount: Int) -> Duration {
    guard !samples.isEmpty else { return .zero }
    // A single stall of seconds must not count as much as all pictures around it.
    let most = percentile(50) * 6
    let sum = samples.reduce(0) { $0 + min($1.nanosecondsPerByte, most) }
    return .nanoseconds(Int64(sum / Double(samples.count) * Double(byteCount)))
  }

  /// Stalls included; nil without a sample.
  package var bytesPerSecond: Int? {
    guard !samples.isEmpty else { return nil }
    return Int(1e6 / max(meanService(1_000_000).inSeconds, 1e-6))
  }

  private func time(_ byteCount: Int, percentile: Int) -> Duration {
    .nanoseconds(Int64(self.percentile(percentile) * Double(byteCount)))
  }

  private func percentile(_ percent: Int) -> Double {
    guard !samples.isEmpty else { return 0 }
    return samples.map(\.nanosecondsPerByte).sorted()[samples.count * percent / 100]
  }
}
