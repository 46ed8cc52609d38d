import CamrigModel

/// What a test pattern shows, and how a program reads it.
///
/// From the top left corner on, the picture's counter stands as 32 cells of 8 by 8 pixels, the highest bit first,
/// luma 235 for 1 and 16 for 0; a picture narrower than 256 pixels continues in the next 8 lines. Below are colour
/// bars, the time of day in UTC and the counter for people, and a box that moves with each picture. A square at the
/// bottom is white in the pictures of the first tenth of each second of `CLOCK_MONOTONIC`, while the test tone beeps.
package enum TestPattern {
  package static let leastSize = PixelSize(width: 160, height: 120)
  package static let greatestSize = PixelSize(width: 8192, height: 8192)
  package static let cellSize = 8
  package static let cellCount = 32

  /// From each second's beginning the white square is lit for so long.
  package static let flashLength: Duration = .milliseconds(100)

  package static func isFlashing(at time: MediaTime) -> Bool {
    time.nanoseconds % 1_000_000_000 < flashLength.inNanoseconds
  }

  /// The white square: even numbers.
  package static func flash(in size: PixelSize) -> (x: Int, y: Int, side: Int) {
    let side = max(8, size.height / 10) & ~1
    return ((size.width - side) / 2 & ~1, size.height * 7 / 8 & ~1, side)
  }

  /// Where a cell of the counter lies.
  static func cell(_ index: Int, width: Int) -> (x: Int, y: Int) {
    let columns = min(cellCount, width / cellSize)
    return (index % columns * cellSize, index / columns * cellSize)
  }

  /// Lines that the counter takes at the top.
  static func stripHeight(width: Int) -> Int {
    cell(cellCount - 1, width: width).y + cellSize
  }

  /// The counter of a picture of this width; nil if the luma is too short or a cell is neither dark nor light.
  /// - Parameters:
  ///   - bytesPerLine: from one line to the next.
  ///   - bytesPerPixel: from one luma value to the next: 2 for YUYV; for UYVY let `luma` begin at its second byte.
  package static func readCounter(
    fromLuma luma: UnsafeRawBufferPointer, bytesPerLine: Int, width: Int, bytesPerPixel: Int = 1
  ) -> UInt32? {
    var counter: UInt32 = 0
    for index in 0..<cellCount {
      let corner = cell(index, width: width)
      // The middle of the cell: compression may blur its rim.
      var sum = 0
      for y in 2..<6 {
        for x in 2..<6 {
          let at = (corner.y + y) * bytesPerLine + (corner.x + x) * bytesPerPixel
          guard at < luma.count else { return nil }
          sum += Int(luma[at])
        }
      }
      switch sum / 16 {
      case 0..<88: counter <<= 1
      case 168...255: counter = counter << 1 | 1
      default: return nil
      }
    }
    return counter
  }
}
