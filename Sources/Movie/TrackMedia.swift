import CamrigModel

/// What a track holds, with all a player needs before the first sample.
package enum TrackMedia: Hashable, Sendable {
  case mjpeg(PixelSize)
  /// Parameter sets as bare NAL units, without start codes. Samples are NAL units, each behind its length in 4 bytes.
  /// Pictures are shown in the order they are stored (no B-frames).
  case h264(PixelSize, sps: [[UInt8]], pps: [[UInt8]])
  /// Signed little-endian, 16 or 24 bits, channels interleaved.
  case pcm(rate: Int, channels: Int, bits: Int = 16)
  /// AAC-LC in packets of 1024 sample frames, the last one perhaps shorter.
  ///
  /// - configuration: AudioSpecificConfig, as the encoder gives it.
  /// - priming: sample frames at the track's beginning that come from the encoder alone; players skip them.
  case aac(rate: Int, channels: Int, configuration: [UInt8], priming: Int)

  /// Bytes of one PCM frame (a value for each channel); nil for pictures.
  package var pcmFrameByteCount: Int? {
    switch self {
    case .mjpeg, .h264, .aac: nil
    case .pcm(_, let channels, let bits): bits / 8 * channels
    }
  }

  /// Every sample can be decoded by itself.
  var isAlwaysKeyframe: Bool {
    switch self {
    case .mjpeg, .pcm, .aac: true
    case .h264: false
    }
  }

  var size: PixelSize? {
    switch self {
    case .mjpeg(let size), .h264(let size, _, _): size
    case .pcm, .aac: nil
    }
  }

  /// Ticks at the track's beginning that are not played.
  package var priming: Int64 {
    switch self {
    case .mjpeg, .h264, .pcm: 0
    case .aac(_, _, _, let priming): Int64(priming)
    }
  }
}
