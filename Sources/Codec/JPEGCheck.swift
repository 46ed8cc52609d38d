import CamrigModel
import Glibc

/// What `JPEGCheck` found in a buffer.
package enum JPEGVerdict: Hashable, Sendable {
  case good(JPEGLayout)
  case broken(JPEGFault)
}

/// Tells a whole JPEG picture from a broken one without decoding it, and finds its true end.
///
/// Headers are walked by their lengths, so what looks like a picture inside an APP segment is passed over; picture
/// data are searched for their next real marker. Beside the structure it checks what can be had for nothing: the
/// size, that the tables in use are there, that each component has its scan, the number of restart markers, and the
/// least number of bits.
///
/// Bits that flipped inside the picture data cannot be seen without decoding, unless they happen to make a marker;
/// such a picture is whole by this check and shows damage.
///
/// Accepted are 8-bit baseline and extended sequential pictures (SOF0, SOF1) and truly progressive ones (SOF2 whose
/// scans obey the rules of progressive coding; baseline data labelled SOF2 do not). No other coding is shared by
/// players. A missing end marker makes a picture broken even when all its data are there: without decoding it looks
/// just like one that was cut.
package enum JPEGCheck {
  /// One pass, no allocation.
  /// - Parameter expected: the size that the camera was set to; a picture of another size is broken, since its
  ///   header is then most likely damaged. Nil accepts any.
  package static func check(_ bytes: UnsafeRawBufferPointer, expecting expected: PixelSize?) -> JPEGVerdict {
    var walk = JPEGWalk(bytes: bytes, expected: expected)
    do throws(JPEGFault) {
      return .good(try walk.run())
    } catch {
      return .broken(error)
    }
  }
}

/// One walk through a buffer: what the headers said so far.
private struct JPEGWalk {
  let bytes: UnsafeRawBufferPointer
  let expected: PixelSize?
  var position = 2

  // Masks of the table numbers 0...3 that were defined.
  var quantisationTables: UInt8 = 0
  var dcTables: UInt8 = 0
  var acTables: UInt8 = 0
  var firstTablesAt: Int?
  var firstScanAt: Int?
  var standardTablesNeeded = false

  var frame: JPEGFrameHeader?
  /// Mask of the components that had a scan (a DC scan, if progressive).
  var scanned: UInt8 = 0
  var restartInterval = 0

  init(bytes: UnsafeRawBufferPointer, expected: PixelSize?) {
    self.bytes = bytes
    self.expected = expected
  }

  mutating func run() throws(JPEGFault) -> JPEGLayout {
    guard bytes.count > 0 else { throw .empty }
    guard bytes.count >= 2, bytes[0] == 0xff, bytes[1] == 0xd8 else { throw .noStart }
    var marker = try nextHeaderMarker()
    while marker != Marker.endOfImage {
      if marker == Marker.startOfScan {
        marker = try scan()
      } else {
        try segment(marker)
        marker = try nextHeaderMarker()
      }
    }
    return try layout()
  }

  private func layout() throws(JPEGFault) -> JPEGLayout {
    guard let frame, let firstScanAt, scanned == frame.allComponents else { throw .scanMissing }
    return JPEGLayout(
      byteCount: position, size: frame.size, huffmanTablesMissing: standardTablesNeeded,
      insertTablesAt: min(firstTablesAt ?? firstScanAt, firstScanAt),
      paddingBytes: bytes.count - position, extraImages: anotherImageFollows())
  }

  /// Looks a little way only: a buffer may be padded to many times its picture.
  private func anotherImageFollows() -> Bool {
    let end = min(bytes.count, position + 4096)
    var at = position
    while at + 2 < end {
      guard let found = find(0xff, from: at, to: end), found + 2 < end else { return false }
      if bytes[found + 1] == 0xd8, bytes[found + 2] == 0xff { return true }
      at = found + 1
    }
    return false
  }

  // MARK: Headers

  /// Between segments; any number of FF may fill the space before a marker.
  private mutating func nextHeaderMarker() throws(JPEGFault) -> UInt8 {
    guard position < bytes.count else { throw frame == nil || firstScanAt == nil ? .cutInHeaders : .noEnd }
    guard bytes[position] == 0xff else { throw .strayMarker(bytes[position]) }
    repeat { position += 1 } while position < bytes.count && bytes[position] == 0xff
    guard position < bytes.count else { throw firstScanAt == nil ? .cutInHeaders : .noEnd }
    position += 1
    return bytes[position - 1]
  }

  /// The contents of the segment whose length stands at `position`.
  private mutating func contents(_ marker: UInt8) throws(JPEGFault) -> Range<Int> {
    guard position + 2 <= bytes.count else { throw .cutInHeaders }
    let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
    guard length >= 2 else { throw .malformed(marker: marker) }
    guard position + length <= bytes.count else { throw .cutInHeaders }
    let range = (position + 2)..<(position + length)
    position += length
    return range
  }

  private mutating func segment(_ marker: UInt8) throws(JPEGFault) {
    switch marker {
    case 0xc0, 0xc1, 0xc2: try startOfFrame(marker)
    case 0xc4: try huffmanTables()
    case 0xdb: try quantisationTables(marker)
    case 0xdd: try restartInterval(marker)
    case 0xc3, 0xc5...0xcf, 0xde, 0xdf: throw .unsupported(marker: marker)
    // A line count that follows the first scan, APPn, reserved ones, comment.
    case 0xdc, 0xe0...0xfe: _ = try contents(marker)
    default: throw .strayMarker(marker)
    }
  }

  private mutating func startOfFrame(_ marker: UInt8) throws(JPEGFault) {
    guard frame == nil else { throw .strayMarker(marker) }
    let range = try contents(marker)
    let header = try JPEGFrameHeader(UnsafeRawBufferPointer(rebasing: bytes[range]), marker: marker)
    if let expected, header.size != expected { throw .sizeDiffers(found: header.size, expected: expected) }
    frame = header
  }

  private mutating func quantisationTables(_ marker: UInt8) throws(JPEGFault) {
    let range = try contents(marker)
    var at = range.lowerBound
    while at < range.upperBound {
      let kind = bytes[at]
      at += kind >> 4 == 0 ? 65 : 129
      guard kind >> 4 <= 1, kind & 15 <= 3, at <= range.upperBound else { throw .malformed(marker: marker) }
      quantisationTables |= 1 << (kind & 15)
    }
  }

  private mutating func huffmanTables() throws(JPEGFault) {
    let segmentAt = position - 2
    let range = try contents(0xc4)
    var at = range.lowerBound
    while at < range.upperBound {
      guard at + 17 <= range.upperBound else { throw .malformed(marker: 0xc4) }
      let kind = bytes[at]
      var symbols = 0
      // Of the codes of this length, how many are still free: a table that has more codes than there are
      // cannot be decoded.
      var free = 1
      for length in 1...16 {
        let count = Int(bytes[at + length])
        symbols += count
        free = free * 2 - count
        guard free >= 0 else { throw .malformed(marker: 0xc4) }
      }
      at += 17 + symbols
      guard kind >> 4 <= 1, kind & 15 <= 3, symbols <= 256, at <= range.upperBound
      else { throw .malformed(marker: 0xc4) }
      if kind >> 4 == 0 { dcTables |= 1 << (kind & 15) } else { acTables |= 1 << (kind & 15) }
    }
    if firstTablesAt == nil { firstTablesAt = segmentAt }
  }

  private mutating func restartInterval(_ marker: UInt8) throws(JPEGFault) {
    let range = try contents(marker)
    guard range.count == 2 else { throw .malformed(marker: marker) }
    restartInterval = Int(bytes[range.lowerBound]) << 8 | Int(bytes[range.lowerBound + 1])
  }

  // MARK: Scans

  /// A scan's header and its data. Returns the marker after them.
  private mutating func scan() throws(JPEGFault) -> UInt8 {
    let segmentAt = position - 2
    let range = try contents(Marker.startOfScan)
    guard let frame else { throw .strayMarker(Marker.startOfScan) }
    if firstScanAt == nil { firstScanAt = segmentAt }
    let scan = try frame.scan(UnsafeRawBufferPointer(rebasing: bytes[range]))

    guard scan.quantisationTables & ~quantisationTables == 0 else { throw .noQuantisationTable }
    let missing = scan.dcTables & ~dcTables | scan.acTables & ~acTables
    if missing != 0 {
      // The standard tables are 0 and 1, and made for sequential coding.
      guard missing & ~3 == 0, !frame.isProgressive else { throw .noHuffmanTable }
      standardTablesNeeded = true
    }
    if scan.isFirstOfComponents {
      guard scanned & scan.components == 0 else { throw .strayMarker(Marker.startOfScan) }
      scanned |= scan.components
    }

    let start = position
    let (marker, restarts) = try entropyData()
    if restartInterval > 0 || restarts > 0 {
      let expected = restartInterval == 0 ? 0 : (scan.units - 1) / restartInterval
      // Some encoders also put one after the last interval.
      guard restarts == expected || restartInterval > 0 && restarts == expected + 1
      else { throw .restartMarkers(found: restarts, expected: expected) }
    }
    // A block is at least one code for DC and one for the end of its AC part. In progressive coding one code can
    // end many blocks.
    let dataBytes = position - 2 - start
    guard frame.isProgressive || dataBytes * 8 >= scan.units * scan.blocksPerUnit * 2
    else { throw .tooFewData(size: frame.size) }
    return marker
  }

  /// From `position` to the next marker that is neither stuffing nor a restart; `position` is then behind it.
  private mutating func entropyData() throws(JPEGFault) -> (marker: UInt8, restarts: Int) {
    var restarts = 0
    while let found = find(0xff, from: position, to: bytes.count), found + 1 < bytes.count {
      let next = bytes[found + 1]
      switch next {
      case 0x00: position = found + 2
      case 0xd0...0xd7:
        position = found + 2
        restarts += 1
      // One FF before a marker may be repeated.
      case 0xff: position = found + 1
      case 0xd8: throw .strayMarker(next)
      default:
        position = found + 2
        return (next, restarts)
      }
    }
    throw .noEnd
  }

  private func find(_ byte: UInt8, from start: Int, to end: Int) -> Int? {
    guard start < end, let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), end - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}

private enum Marker {
  static let startOfScan: UInt8 = 0xda
  static let endOfImage: UInt8 = 0xd9
}
