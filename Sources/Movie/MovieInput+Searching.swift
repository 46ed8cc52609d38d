import CLinux
import Glibc

extension MovieInput {
  /// Where `pattern` begins first in a range; it lies wholly in it. Bytes that cannot be read are passed over.
  func firstOffset(of pattern: [UInt8], in range: Range<Int64>) -> Int64? {
    let length = pattern.count
    var at = range.lowerBound
    while range.upperBound - at >= Int64(length) {
      at = skippingHole(at)
      guard range.upperBound - at >= Int64(length) else { return nil }
      var found: Int64?
      var next = at
      let all = forEachPiece(of: at..<range.upperBound) { piece, offset in
        if let place = Self.find(pattern, piece) {
          found = offset + Int64(place)
          return false
        }
        // The pattern may stand across the edge of two pieces, so the next one begins a little earlier.
        let step = piece.count - (length - 1)
        next = offset + Int64(max(step, 1))
        return false
      }
      if let found { return found }
      if all { return nil }
      at = next > at ? next : (at / 4096 + 1) * 4096
    }
    return nil
  }

  /// One past the last byte in a range that is not zero; its lower bound if there is none.
  func endOfNonzero(in range: Range<Int64>) -> Int64 {
    var end = range.upperBound
    while end > range.lowerBound {
      let begin = max(range.lowerBound, end - (256 << 10))
      var last: Int64?
      let readable = forEachPiece(of: begin..<end) { piece, offset in
        if let place = piece.lastIndex(where: { $0 != 0 }) { last = offset + Int64(place) + 1 }
        return true
      }
      // What cannot be read is not known to be zero.
      if !readable { return end }
      if let last { return last }
      end = begin
    }
    return range.lowerBound
  }

  /// The next byte that the file system has stored, so that a gap of gigabytes is not read.
  private func skippingHole(_ offset: Int64) -> Int64 {
    let seekData: Int32 = 3
    let next = lseek(descriptor, off_t(offset), seekData)
    // A pattern may begin with zeros that lie in the hole; ours do not begin with more than 3.
    if next < 0 { return errno == ENXIO ? byteCount : offset }
    return max(offset, Int64(next) - 8)
  }

  private static func find(_ pattern: [UInt8], _ piece: UnsafeRawBufferPointer) -> Int? {
    let place = pattern.withUnsafeBytes { cl_find(piece.baseAddress, piece.count, $0.baseAddress, $0.count) }
    return place < 0 ? nil : place
  }
}
