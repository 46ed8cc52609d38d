import Glibc

/// One NAL unit of an Annex B byte stream.
package struct H264NALUnit: Hashable, Sendable {
  /// `nal_unit_type`; the values that matter here have names in `Kind`.
  package let type: UInt8
  /// Header and payload, without start code and trailing zeros. Never empty.
  package let range: Range<Int>

  package enum Kind {
    package static let slice: UInt8 = 1
    package static let partitionA: UInt8 = 2
    package static let idrSlice: UInt8 = 5
    package static let supplement: UInt8 = 6
    package static let sequenceParameters: UInt8 = 7
    package static let pictureParameters: UInt8 = 8
    package static let delimiter: UInt8 = 9
    package static let endOfSequence: UInt8 = 10
    package static let endOfStream: UInt8 = 11
    package static let filler: UInt8 = 12
    package static let sequenceExtension: UInt8 = 13
  }

  /// What has no place in a movie's sample: parameter sets stand in the movie's header, the rest only marks and
  /// pads a byte stream.
  package var belongsInSample: Bool {
    switch type {
    case Kind.sequenceParameters...Kind.sequenceExtension: false
    default: true
    }
  }

  /// Calls `body` with each unit of `bytes`, which begins with a start code of three or four bytes. What stands
  /// before the first start code is passed over.
  package static func each(in bytes: UnsafeRawBufferPointer, _ body: (H264NALUnit) -> Void) {
    guard let base = bytes.baseAddress else { return }
    var start: Int?
    func finish(at end: Int) {
      guard let start else { return }
      var end = end
      // A unit never ends in 00: these are the next start code's, or padding.
      while end > start, bytes[end - 1] == 0 { end -= 1 }
      if end > start { body(H264NALUnit(type: bytes[start] & 31, range: start..<end)) }
    }
    // 01 is rarer than 00, and the standard has no 00 00 01 inside a unit.
    var at = 2
    while at < bytes.count, let found = memchr(base + at, 1, bytes.count - at) {
      let one = UnsafeRawPointer(found) - base
      at = one + 1
      guard bytes[one - 1] == 0, bytes[one - 2] == 0 else { continue }
      finish(at: one - 2)
      start = one + 1
      // The next one cannot come before two zeros.
      at = one + 3
    }
    finish(at: bytes.count)
  }
}
