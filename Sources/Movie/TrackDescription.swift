import CamrigModel

/// A track as the clip announces it before the first sample.
package struct TrackDescription: Hashable, Sendable {
  /// Ticks a second of the clip's timeline, which `start` counts in.
  package static let movieTimescale = 1_000_000

  package let media: TrackMedia
  /// Microseconds on the clip's timeline before the track begins: an empty edit. Never negative.
  package let start: Int64

  package init(media: TrackMedia, start: Int64 = 0) {
    self.media = media
    self.start = start
  }

  /// Ticks a second of the times of this track's samples: microseconds for pictures, the sample rate for sound.
  package var timescale: Int {
    switch media {
    case .mjpeg, .h264: Self.movieTimescale
    case .pcm(let rate, _, _), .aac(let rate, _, _, _): rate
    }
  }

  /// Ticks of this track in microseconds, rounded up, so that an edit never cuts the last PCM frame off.
  func microseconds(_ ticks: Int64) -> Int64 {
    let scale = Int64(timescale)
    guard scale != Int64(Self.movieTimescale) else { return ticks }
    let (whole, rest) = ticks.quotientAndRemainder(dividingBy: scale)
    return whole &* Int64(Self.movieTimescale) &+ (rest &* Int64(Self.movieTimescale) &+ scale &- 1) / scale
  }

  /// What cannot be written into `container`, as a sentence; nil if it can.
  func objection(in container: MovieContainer) -> String? {
    if start < 0 { return "a track cannot begin before its clip" }
    switch media {
    case .mjpeg(let size):
      if container == .mp4 { return "MJPEG goes into a .mov file" }
      return Self.objection(to: size)
    case .h264(let size, let sps, let pps):
      guard (1...31).contains(sps.count), (1...255).contains(pps.count) else {
        return "an H.264 track needs 1 to 31 SPS and 1 to 255 PPS"
      }
      // A real one has some 30 bytes; together they must fit into a header that can be read at once.
      guard sps.allSatisfy({ $0.count >= 4 }), pps.allSatisfy({ !$0.isEmpty }),
        (sps + pps).reduce(0, { $0 + $1.count }) <= 65535
      else { return "the H.264 parameter sets are too short, or longer than 65535 bytes together" }
      return Self.objection(to: size)
    case .pcm(let rate, let channels, let bits):
      // The sound description holds the rate as 16.16 bits.
      guard (1...65535).contains(rate), (1...64).contains(channels), bits == 16 || bits == 24 else {
        return "sound of \(rate) Hz with \(channels) channels: up to 65535 Hz and 64 channels of 16 or 24 bits can be "
          + "written"
      }
      return nil
    case .aac(let rate, let channels, let configuration, let priming):
      guard (1...65535).contains(rate), (1...8).contains(channels), (2...64).contains(configuration.count),
        (0...65535).contains(priming)
      else {
        return "AAC of \(rate) Hz with \(channels) channels: up to 65535 Hz and 8 channels can be written"
      }
      return nil
    }
  }

  private static func objection(to size: PixelSize) -> String? {
    let range = 1...65535
    return range.contains(size.width) && range.contains(size.height) ? nil : "\(size) is no size of a picture"
  }
}
