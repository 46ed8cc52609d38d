import CamrigModel

/// Draws the pictures of a test pattern camera, raw or as JPEG. For one owner, such as a capture thread.
///
/// The background is drawn once; of each picture only what changes, which is a few thousand pixels.
package final class TestPatternRenderer {
  package let format: VideoFormat
  private let picture: RawPicture
  private let compressor: JPEGCompressor?
  private let text: TextPlace
  private let band: BandPlace
  private var shown: [UInt8] = []
  private var boxAt: Int?
  private var isFlashing = false

  /// - Parameter format: MJPG or a raw one, with its length of lines.
  package init(format: VideoFormat, jpeg: JPEGSettings = JPEGSettings()) throws(CodecError) {
    let size = format.size
    guard size.width.isMultiple(of: 2), size.height.isMultiple(of: 2),
      (TestPattern.leastSize.width...TestPattern.greatestSize.width).contains(size.width),
      (TestPattern.leastSize.height...TestPattern.greatestSize.height).contains(size.height)
    else { throw .testPatternSize(size) }
    let layout: RawLayout
    switch format.pixelFormat {
    case .mjpeg:
      layout = RawLayout(planes: size, bytesPerLine: size.width, chromaRows: jpeg.sampling.chromaRows)
      compressor = try JPEGCompressor(size: size, settings: jpeg)
    case .h264: throw .testPatternFormat(format.pixelFormat)
    case .yuyv, .uyvy, .nv12, .yu12, .grey:
      let least = format.pixelFormat.leastBytesPerLine(width: size.width)
      guard let raw = RawLayout(format.pixelFormat, size, bytesPerLine: max(least, format.bytesPerLine))
      else { throw .testPatternFormat(format.pixelFormat) }
      layout = raw
      compressor = nil
    }
    self.format = format
    picture = RawPicture(layout)
    text = TextPlace(size)
    band = BandPlace(size)
    drawBackground()
  }

  /// - Parameters:
  ///   - counter: burnt in for people and programs, see `TestPattern`.
  ///   - time: burnt in for people, to the millisecond.
  ///   - flash: whether the white square is lit.
  ///   - body: gets the bytes of the picture, which are valid inside it only.
  package func render<R>(
    counter: UInt32, time: WallTime, flash: Bool = false, _ body: (UnsafeRawBufferPointer) -> R
  ) throws(CodecError) -> R {
    draw(counter: counter)
    draw(text: Self.text(counter: counter, time: time))
    moveBox(counter: counter)
    light(flash)
    guard let compressor else { return body(picture.bytes) }
    return body(try compressor.compress(picture))
  }

  /// Two lines of the same length: the time of day, and the counter at its end.
  private static func text(counter: UInt32, time: WallTime) -> [UInt8] {
    // 2026-11-30T09:05:07.123456Z, without the microseconds.
    let time = Array(time.rfc3339.utf8)
    let digits = Array(String(counter).utf8)
    let first = time.dropLast(4) + time.suffix(1)
    return first + [UInt8](repeating: UInt8(ascii: " "), count: first.count - digits.count) + digits
  }

  // MARK: What stays

  private func drawBackground() {
    let size = format.size
    let bars = Self.bars
    for (index, colour) in bars.enumerated() {
      let left = size.width * index / bars.count & ~1
      let right = size.width * (index + 1) / bars.count & ~1
      picture.fill(x: left, y: 0, width: right - left, height: size.height, colour)
    }
    let strip = TestPattern.stripHeight(width: size.width)
    let stripWidth = min(size.width, TestPattern.cellCount * TestPattern.cellSize)
    picture.fill(x: 0, y: 0, width: stripWidth, height: strip, .black)
    picture.fill(x: text.x, y: text.y, width: text.width, height: text.height, .black)
    picture.fill(x: 0, y: band.y, width: size.width, height: band.height, Self.bandColour)
    fillFlash(Self.bandColour)
  }

  /// Colour bars of 75 % in BT.601.
  private static let bars: [RawPicture.Colour] = [
    .init(luma: 180, cb: 128, cr: 128), .init(luma: 162, cb: 44, cr: 142), .init(luma: 131, cb: 156, cr: 44),
    .init(luma: 112, cb: 72, cr: 58), .init(luma: 84, cb: 184, cr: 198), .init(luma: 65, cb: 100, cr: 212),
    .init(luma: 35, cb: 212, cr: 114),
  ]
  private static let bandColour = RawPicture.Colour(luma: 48, cb: 128, cr: 128)
  private static let flashColour = RawPicture.Colour(luma: 235, cb: 128, cr: 128)
  private static let boxColour = RawPicture.Colour(luma: 190, cb: 60, cr: 160)

  // MARK: What changes

  private func draw(counter: UInt32) {
    for index in 0..<TestPattern.cellCount {
      let corner = TestPattern.cell(index, width: format.size.width)
      let one = counter >> UInt32(TestPattern.cellCount - 1 - index) & 1 == 1
      picture.fillLuma(
        x: corner.x, y: corner.y, width: TestPattern.cellSize, height: TestPattern.cellSize, one ? 235 : 16)
    }
  }

  private func draw(text letters: [UInt8]) {
    for (index, letter) in letters.enumerated() where index >= shown.count || shown[index] != letter {
      let corner = text.corner(index)
      let scale = text.scale
      for (line, bits) in PatternFont.rows(letter).enumerated() {
        for column in 0..<PatternFont.width {
          let lit = bits >> UInt8(PatternFont.width - 1 - column) & 1 == 1
          picture.fillLuma(
            x: corner.x + column * scale, y: corner.y + line * scale, width: scale, height: scale, lit ? 235 : 16)
        }
      }
    }
    shown = letters
  }

  private func light(_ lit: Bool) {
    guard lit != isFlashing else { return }
    isFlashing = lit
    fillFlash(lit ? Self.flashColour : Self.bandColour)
  }

  private func fillFlash(_ colour: RawPicture.Colour) {
    let square = TestPattern.flash(in: format.size)
    picture.fill(x: square.x, y: square.y, width: square.side, height: square.side, colour)
  }

  private func moveBox(counter: UInt32) {
    let side = band.height
    let way = format.size.width - side
    // Across the picture in about four seconds at 30 pictures a second.
    let x = Int(counter) * max(2, way / 120 & ~1) % way & ~1
    if let boxAt { picture.fill(x: boxAt, y: band.y, width: side, height: side, Self.bandColour) }
    picture.fill(x: x, y: band.y, width: side, height: side, Self.boxColour)
    boxAt = x
  }
}

/// Where the letters stand: two lines of `columns`, in the middle.
private struct TextPlace {
  static let columns = 24
  let scale: Int
  let x: Int
  let y: Int
  let width: Int
  let height: Int

  init(_ size: PixelSize) {
    scale = max(1, min(size.width / 240, size.height / 60))
    width = ((Self.columns * (PatternFont.width + 1) + 2) * scale + 1) & ~1
    height = ((2 * (PatternFont.height + 2) + 1) * scale + 1) & ~1
    x = (size.width - width) / 2 & ~1
    y = (size.height - height) / 2 & ~1
  }

  func corner(_ index: Int) -> (x: Int, y: Int) {
    (
      x + (index % Self.columns * (PatternFont.width + 1) + 1) * scale,
      y + (index / Self.columns * (PatternFont.height + 2) + 1) * scale
    )
  }
}

/// Where the box moves.
private struct BandPlace {
  let y: Int
  let height: Int

  init(_ size: PixelSize) {
    height = max(8, size.height / 12) & ~1
    y = size.height * 3 / 4 & ~1
  }
}
