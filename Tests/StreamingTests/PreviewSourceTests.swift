import CamrigModel
import Streaming
import Testing

@Suite("What a viewer gets of a source")
struct PreviewSourceTests {
  private func source(_ format: PixelFormat, _ size: String) -> PreviewSource {
    PreviewSource(format: format, size: PixelSize(size)!)
  }

  @Test("a JPEG that fits goes out as it is, whatever its quality", arguments: [1280, 1281, 16384])
  func asSent(edge: Int) {
    #expect(source(.mjpeg, "1280x720").rendition(PreviewForm(longEdge: edge, quality: 5)) == .asSent)
  }

  @Test(
    "a larger JPEG becomes the largest eighth that fits",
    arguments: [
      ("1920x1080", 1919, "1680x945"), ("1920x1080", 1000, "960x540"), ("1920x1080", 640, "480x270"),
      ("1080x1920", 1000, "540x960"), ("3840x2160", 100, "480x270"), ("641x479", 400, "321x240"),
    ])
  func eighths(size: String, edge: Int, result: String) {
    #expect(
      source(.mjpeg, size).rendition(PreviewForm(longEdge: edge, quality: 60))
        == .made(PixelSize(result)!, quality: 60))
  }

  @Test(
    "any other picture becomes as large as asked, in even numbers, and is not enlarged",
    arguments: [
      ("1920x1080", 640, "640x360"), ("640x480", 1000, "640x480"), ("480x640", 333, "250x332"),
      ("641x479", 900, "640x478"),
    ])
  func exact(size: String, edge: Int, result: String) {
    for format in PixelFormat.allCases where format != .mjpeg {
      #expect(
        source(format, size).rendition(PreviewForm(longEdge: edge, quality: 60))
          == .made(PixelSize(result)!, quality: 60))
    }
  }

  @Test("a form outside of what is possible becomes the nearest that is")
  func clamps() {
    #expect(PreviewForm(longEdge: -5, quality: 900) == PreviewForm(longEdge: 64, quality: 100))
    #expect(PreviewForm(longEdge: .max, quality: 0) == PreviewForm(longEdge: 16384, quality: 1))
  }

  @Test("the sizes it can have are those that it then has, down to about 160 pixels")
  func sizes() {
    #expect(
      source(.mjpeg, "1280x720").sizes.map(\.description) == [
        "1280x720", "1120x630", "960x540", "800x450", "640x360", "480x270", "320x180", "160x90",
      ])
    #expect(
      source(.nv12, "640x480").sizes.map(\.description) == [
        "640x480", "560x420", "480x360", "400x300", "320x240", "240x180", "160x120",
      ])
    #expect(source(.mjpeg, "128x96").sizes.map(\.description) == ["128x96"])
    for format in [PixelFormat.mjpeg, .nv12, .h264] {
      for text in ["1920x1080", "1280x720", "800x600", "641x479"] {
        let source = source(format, text)
        for size in source.sizes { #expect(source.size(for: PreviewForm(longEdge: size.longEdge)) == size) }
      }
    }
  }
}
