import CamrigModel
import Codec

/// Looks at each picture before it is copied out of the driver's memory. Used by one capture thread alone.
package protocol PictureInspector {
  mutating func inspect(_ bytes: UnsafeRawBufferPointer, format: VideoFormat) -> PictureVerdict
  /// H.264 parameter sets in force; nil as long as they are not complete, and for other formats.
  var parameterSets: H264ParameterSets? { get }
}

extension PictureInspector {
  package var parameterSets: H264ParameterSets? { nil }
}

package enum PictureVerdict: Hashable, Sendable {
  case good(GoodPicture)
  /// For people, such as `no end of image`.
  case broken(reason: String)
}

/// What to keep of a buffer's bytes.
package struct GoodPicture: Hashable, Sendable {
  package var range: Range<Int>
  /// Bytes to put into the copy, before the byte of the buffer at `at`: Huffman tables that cameras leave out.
  package var insertion: Insertion?
  /// As the picture itself says, where it does.
  package var size: PixelSize
  package var isKeyframe: Bool
  /// Something worth counting that spoils nothing, in one word (`secondImage`).
  package var oddity: String?

  package struct Insertion: Hashable, Sendable {
    package let at: Int
    package let bytes: [UInt8]

    package init(at: Int, bytes: [UInt8]) {
      self.at = at
      self.bytes = bytes
    }
  }

  package init(
    range: Range<Int>, insertion: Insertion? = nil, size: PixelSize, isKeyframe: Bool = true, oddity: String? = nil
  ) {
    self.range = range
    self.insertion = insertion
    self.size = size
    self.isKeyframe = isKeyframe
    self.oddity = oddity
  }

  package var byteCount: Int { range.count + (insertion?.bytes.count ?? 0) }

  /// Copies what is kept of `bytes` into `memory`, which holds `byteCount`.
  package func copy(_ bytes: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) {
    guard let insertion, range.contains(insertion.at) else {
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
      return
    }
    let head = range.lowerBound..<insertion.at
    let tail = insertion.at..<range.upperBound
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[head]))
    insertion.bytes.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: memory[head.count...]).copyMemory(from: $0)
    }
    UnsafeMutableRawBufferPointer(rebasing: memory[(head.count + insertion.bytes.count)...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[tail]))
  }
}
