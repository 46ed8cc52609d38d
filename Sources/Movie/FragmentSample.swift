/// One picture, or up to 1024 PCM frames, about to be written.
///
/// `pieces` must stay valid until `MovieWriter.append` returns.
package struct FragmentSample {
  /// PCM frames that one sample holds at most: one sample a PCM frame would make hundreds of thousands of packets.
  package static let pcmFrameLimit = 1024

  /// Ticks of the track; for PCM the number of PCM frames. 1 to 2³¹ − 1.
  package var duration: Int64
  package var isKeyframe: Bool
  /// Together the sample's bytes.
  package var pieces: [UnsafeRawBufferPointer]

  package init(duration: Int64, isKeyframe: Bool = true, pieces: [UnsafeRawBufferPointer]) {
    self.duration = duration
    self.isKeyframe = isKeyframe
    self.pieces = pieces
  }

  package var byteCount: Int {
    var count = 0
    for piece in pieces { count += piece.count }
    return count
  }
}
