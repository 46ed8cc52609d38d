import CamrigModel
import Codec

/// What becomes of a camera's picture for those who want the same of it.
package enum Rendition: Hashable, Sendable {
  /// The camera's own JPEG, not copied.
  case asSent
  case made(PixelSize, quality: Int)
}

/// What a camera sends just now.
package struct PreviewSource: Hashable, Sendable {
  package let format: PixelFormat
  package let size: PixelSize

  package init(format: PixelFormat, size: PixelSize) {
    self.format = format
    self.size = size
  }

  /// The sizes that pictures of this source can have, largest first, the long edge down to about 160 pixels.
  package var sizes: [PixelSize] {
    let all = (1...8).reversed().map { eighths in
      format == .mjpeg ? size.reduced(eighths: eighths) : size.scaled(longEdge: size.longEdge * eighths / 8)
    }
    return all.filter { $0.longEdge >= 160 || $0 == all[0] }
  }

  package func rendition(_ form: PreviewForm) -> Rendition {
    switch format {
    case .mjpeg:
      if size.longEdge <= form.longEdge { return .asSent }
      let eighths = (1...7).last { size.reduced(eighths: $0).longEdge <= form.longEdge } ?? 1
      return .made(size.reduced(eighths: eighths), quality: form.quality)
    case .h264, .yuyv, .uyvy, .nv12, .yu12, .grey:
      return .made(size.scaled(longEdge: form.longEdge), quality: form.quality)
    }
  }

  /// Of the pictures that a viewer with this form gets.
  package func size(for form: PreviewForm) -> PixelSize {
    switch rendition(form) {
    case .asSent: size
    case .made(let size, quality: _): size
    }
  }
}

extension PixelSize {
  package var longEdge: Int { max(width, height) }

  /// Even numbers, as chroma asks for; never larger than it is.
  func scaled(longEdge edge: Int) -> PixelSize {
    let now = max(longEdge, 1)
    let wanted = min(now, edge)
    func scaled(_ length: Int) -> Int { max(2, (length * wanted + now / 2) / now & ~1) }
    return PixelSize(width: scaled(width), height: scaled(height))
  }
}
