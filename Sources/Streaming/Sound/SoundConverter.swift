import CamrigModel
import Codec
import Frames

/// Makes chunks of a run's blocks, once for all who listen. What comes after a gap begins a new one.
final class SoundConverter {
  let run: Int
  private let channels: Int
  private let resampler: SoundResampler?
  private var cutter: SoundCutter

  init(_ run: SoundRun) throws(CodecError) {
    self.run = run.number
    channels = min(run.channels, SoundChunk.mostChannels)
    resampler =
      run.rate == SoundChunk.rate
      ? nil : try SoundResampler(channels: channels, rate: run.rate, to: SoundChunk.rate)
    cutter = SoundCutter(channels: channels)
  }

  func chunks(of block: SoundBlock) throws(CodecError) -> [SoundChunk] {
    let samples = heard(block)
    guard let resampler else { return cutter.add(samples, at: block.presentationTime) }
    let begin = block.presentationTime - resampler.delay
    return cutter.add(try resampler.resample(samples[...], ratio: 1), at: begin)
  }

  /// The channels that listeners get.
  private func heard(_ block: SoundBlock) -> [Float] {
    guard block.channels > channels else { return block.samples }
    var samples: [Float] = []
    samples.reserveCapacity(block.count * channels)
    for frame in stride(from: 0, to: block.samples.count, by: block.channels) {
      samples += block.samples[frame..<frame + channels]
    }
    return samples
  }
}
