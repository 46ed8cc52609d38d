import CamrigModel

/// One encoded or raw picture. Immutable; its memory goes back to its pool when the last holder lets go.
package final class Frame: Sendable {
  package let format: PixelFormat
  package let size: PixelSize
  /// Of the first plane of a raw picture, in bytes; 0 for compressed ones.
  package let bytesPerLine: Int
  package let presentationTime: MediaTime
  /// Which run of the stream, see `StreamRun.number`.
  package let run: Int
  /// The driver's count within the run, unwrapped to 64 bits.
  package let sequence: UInt64
  package let isKeyframe: Bool
  private let buffer: FrameBuffer

  package init(
    _ buffer: FrameBuffer, format: PixelFormat, size: PixelSize, bytesPerLine: Int = 0,
    presentationTime: MediaTime, run: Int, sequence: UInt64, isKeyframe: Bool
  ) {
    self.buffer = buffer
    self.format = format
    self.size = size
    self.bytesPerLine = bytesPerLine
    self.presentationTime = presentationTime
    self.run = run
    self.sequence = sequence
    self.isKeyframe = isKeyframe
  }

  package var byteCount: Int { buffer.count }

  /// Valid inside `body` only.
  package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try body(buffer.bytes)
  }

  /// Valid as long as the caller holds this frame: for gathering many frames into one write.
  package var unsafeBytes: UnsafeRawBufferPointer { buffer.bytes }
}
