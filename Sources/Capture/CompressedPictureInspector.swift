import CamrigModel
import Codec

/// Motion JPEG: each picture is whole, or it is dropped. Padding is cut off, missing Huffman tables are put in.
package struct JPEGPictureInspector: PictureInspector {
  package init() {}

  package func inspect(_ bytes: UnsafeRawBufferPointer, format: VideoFormat) -> PictureVerdict {
    // Any size: `SizeWatch` decides what another size means.
    switch JPEGCheck.check(bytes, expecting: nil) {
    case .broken(let fault): .broken(reason: fault.description)
    case .good(let layout):
      .good(
        GoodPicture(
          range: 0..<layout.byteCount,
          insertion: layout.huffmanTablesMissing
            ? .init(at: layout.insertTablesAt, bytes: JPEGHuffmanTables.standard) : nil,
          size: layout.size, oddity: layout.extraImages ? "secondImage" : nil))
    }
  }
}

/// H.264 as the camera sends it (Annex B), kept byte for byte.
package struct H264PictureInspector: PictureInspector {
  /// Of the last parameter sets; the pictures themselves do not tell.
  private var size: PixelSize?
  private var sets = H264ParameterSets()

  package init() {}

  package var parameterSets: H264ParameterSets? { sets.isComplete ? sets : nil }

  package mutating func inspect(_ bytes: UnsafeRawBufferPointer, format: VideoFormat) -> PictureVerdict {
    do throws(H264Fault) {
      let unit = try H264AccessUnit(bytes)
      if let range = unit.sequenceParameters.last,
        let parameters = H264SequenceParameters(UnsafeRawBufferPointer(rebasing: bytes[range]))
      {
        size = parameters.size
      }
      _ = sets.take(unit, from: bytes)
      return .good(
        GoodPicture(
          range: 0..<bytes.count, size: size ?? format.size, isKeyframe: unit.isKeyframe,
          oddity: unit.hasPicture ? nil : "parametersOnly"))
    } catch {
      return .broken(reason: error.description)
    }
  }
}

/// The inspector for what a camera granted.
package func pictureInspector(for format: VideoFormat) -> any PictureInspector {
  switch format.pixelFormat {
  case .mjpeg: JPEGPictureInspector()
  case .h264: H264PictureInspector()
  case .yuyv, .uyvy, .nv12, .yu12, .grey: RawPictureInspector()
  }
}
