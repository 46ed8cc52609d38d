/// What a buffer of an H.264 camera holds: the units of one picture, seen for what a movie needs.
package struct H264AccessUnit: Sendable {
  /// What goes into the movie, each with its length in front: all but delimiters, parameter sets and fillers.
  package let sampleUnits: [Range<Int>]
  /// Where the stream's parameter sets stand, in its order.
  package let sequenceParameters: [Range<Int>]
  package let pictureParameters: [Range<Int>]
  /// False for a buffer that holds parameter sets only.
  package let hasPicture: Bool
  /// An IDR picture.
  package let isInstantRefresh: Bool
  /// How many pictures after this one a decoder that starts here shows correct ones; nil if not said.
  package let recoveryPictureCount: Int?
  /// Every slice is intra coded.
  package let isIntra: Bool

  /// A decoder can start here: an IDR picture, or an intra picture that the camera marks as a point of full
  /// recovery (some cameras send an IDR only once).
  package var isKeyframe: Bool { isInstantRefresh || isIntra && recoveryPictureCount == 0 }

  /// - Parameter bytes: Annex B; the ranges refer to it.
  package init(_ bytes: UnsafeRawBufferPointer) throws(H264Fault) {
    guard bytes.count > 0 else { throw .empty }
    var sampleUnits: [Range<Int>] = []
    var sequenceParameters: [Range<Int>] = []
    var pictureParameters: [Range<Int>] = []
    var found = false
    var damaged = false
    var slices = (count: 0, intra: 0, refresh: false)
    var recovery: Int?
    H264NALUnit.each(in: bytes) { unit in
      found = true
      if bytes[unit.range.lowerBound] & 0x80 != 0 { damaged = true }
      if unit.belongsInSample { sampleUnits.append(unit.range) }
      switch unit.type {
      case H264NALUnit.Kind.slice, H264NALUnit.Kind.partitionA, H264NALUnit.Kind.idrSlice:
        slices.count += 1
        if unit.type == H264NALUnit.Kind.idrSlice { slices.refresh = true }
        if Self.isIntraSlice(bytes, unit.range) { slices.intra += 1 }
      case H264NALUnit.Kind.supplement:
        recovery = recovery ?? Self.recoveryPictureCount(bytes, unit.range)
      case H264NALUnit.Kind.sequenceParameters: sequenceParameters.append(unit.range)
      case H264NALUnit.Kind.pictureParameters: pictureParameters.append(unit.range)
      default: break
      }
    }
    guard found else { throw .noStartCode }
    guard !damaged else { throw .damagedHeader }
    self.sampleUnits = sampleUnits
    self.sequenceParameters = sequenceParameters
    self.pictureParameters = pictureParameters
    hasPicture = slices.count > 0
    isInstantRefresh = slices.refresh
    isIntra = slices.count > 0 && slices.intra == slices.count
    recoveryPictureCount = recovery
  }

  /// Of the movie's sample: each unit with four bytes of length.
  package var sampleByteCount: Int { sampleUnits.reduce(0) { $0 + 4 + $1.count } }

  /// Writes the movie's sample.
  /// - Parameters:
  ///   - source: the bytes this was made of.
  ///   - target: `sampleByteCount` bytes.
  package func copySample(of source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
    precondition(target.count == sampleByteCount, "the memory for a sample has its length")
    var at = 0
    for unit in sampleUnits {
      target.storeBytes(of: UInt32(unit.count).bigEndian, toByteOffset: at, as: UInt32.self)
      at += 4
      UnsafeMutableRawBufferPointer(rebasing: target[at..<(at + unit.count)])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[unit]))
      at += unit.count
    }
  }

  private static func isIntraSlice(_ bytes: UnsafeRawBufferPointer, _ unit: Range<Int>) -> Bool {
    var reader = H264BitReader(UnsafeRawBufferPointer(rebasing: bytes[unit]), from: 1)
    _ = reader.unsigned()  // first_mb_in_slice
    let type = reader.unsigned(upTo: 9) % 5
    return !reader.failed && (type == 2 || type == 4)
  }

  /// From a unit of supplemental messages: that of the recovery point, if it is among them.
  private static func recoveryPictureCount(_ bytes: UnsafeRawBufferPointer, _ unit: Range<Int>) -> Int? {
    var at = unit.lowerBound + 1
    func number() -> Int? {
      var value = 0
      while at < unit.upperBound {
        value += Int(bytes[at])
        at += 1
        if bytes[at - 1] != 0xff { return value }
      }
      return nil
    }
    while let type = number(), let length = number(), at + length <= unit.upperBound {
      if type == 6 {
        var reader = H264BitReader(UnsafeRawBufferPointer(rebasing: bytes[at..<(at + length)]), from: 0)
        let count = reader.unsigned(upTo: 65535)
        return reader.failed ? nil : count
      }
      at += length
    }
    return nil
  }
}
