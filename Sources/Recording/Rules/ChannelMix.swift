/// A microphone's channels as those of a track: one becomes all, all become one, else the first are kept.
package struct ChannelMix: Sendable {
  private let from: Int
  private let to: Int

  package init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }

  /// Interleaved.
  package func append(_ samples: ArraySlice<Float>, to out: inout [Float]) {
    if from == to {
      out.append(contentsOf: samples)
      return
    }
    for frame in stride(from: samples.startIndex, to: samples.endIndex, by: from) {
      if to == 1 {
        var sum: Float = 0
        for place in frame..<frame + from { sum += samples[place] }
        out.append(sum / Float(from))
      } else if from == 1 {
        out.append(contentsOf: repeatElement(samples[frame], count: to))
      } else {
        for channel in 0..<to { out.append(channel < from ? samples[frame + channel] : 0) }
      }
    }
  }
}
