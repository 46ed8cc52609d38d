import CamrigModel
import Movie

/// A clip with a picture track and sound, as small as can be, to be damaged.
package enum SmallClip {
  /// A keyframe opens every third fragment.
  package static func make(at path: String, fragments: Int, finished: Bool) throws {
    let size = PixelSize(width: 16, height: 16)
    let writer = try MovieWriter(
      creating: path, container: .mp4,
      tracks: [
        TrackDescription(media: .h264(size, sps: [[0x67, 0x42, 0, 30, 1]], pps: [[0x68, 1]]), start: 7),
        TrackDescription(media: .pcm(rate: 8000, channels: 2)),
      ], note: Array("note".utf8))
    let bytes = [UInt8](0..<40)
    for fragment in 0..<fragments {
      try bytes.withUnsafeBytes { bytes in
        let picture = FragmentSample(duration: 30_000, isKeyframe: fragment % 3 == 0, pieces: [bytes])
        let sound = FragmentSample(duration: 10, pieces: [bytes])
        _ = try writer.append(
          [
            FragmentTrack(track: 0, firstTime: Int64(fragment) * 60_000, samples: [picture, picture]),
            FragmentTrack(track: 1, firstTime: Int64(fragment) * 10, samples: [sound]),
          ], note: [UInt8(fragment)])
      }
    }
    if finished { _ = try writer.finish() }
    writer.close()
  }
}
