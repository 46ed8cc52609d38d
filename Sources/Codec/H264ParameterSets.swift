/// The parameter sets in force in a stream, as NAL units without start code.
///
/// A camera may send them once only, so whoever starts later (a new clip, a new viewer) needs them kept.
package struct H264ParameterSets: Hashable, Sendable {
  /// In the order they first came.
  package private(set) var sequence: [[UInt8]] = []
  package private(set) var picture: [[UInt8]] = []

  /// What the header of a movie can name, in number and bytes. No stream of a camera needs a tenth of that, and what
  /// one that is broken sends must not fill the memory, or spoil a movie that names it.
  package static let mostSequence = 31
  package static let mostPicture = 255
  package static let mostBytes = 65535

  package init() {}

  package init(sequence: [[UInt8]], picture: [[UInt8]]) {
    self.sequence = sequence
    self.picture = picture
  }

  /// Without one of each a decoder shows nothing.
  package var isComplete: Bool { !sequence.isEmpty && !picture.isEmpty }

  /// Of the first sequence; nil as long as none came that can be read.
  package var sequenceParameters: H264SequenceParameters? {
    sequence.first?.withUnsafeBytes { H264SequenceParameters($0) }
  }

  /// Takes over the sets of `unit`; one with a number that is known replaces it. What is beyond the bounds is left
  /// out.
  /// - Returns: whether anything is new or different, so that a movie needs a new clip.
  package mutating func take(_ unit: H264AccessUnit, from bytes: UnsafeRawBufferPointer) -> Bool {
    var changed = false
    for range in unit.sequenceParameters {
      let set = UnsafeRawBufferPointer(rebasing: bytes[range])
      // One that cannot be read would spoil what is known.
      guard let id = Self.sequenceID(set) else { continue }
      let isNew = Self.put(set, into: &sequence, most: Self.mostSequence) { Self.sequenceID($0) == id }
      changed = changed || isNew
    }
    for range in unit.pictureParameters {
      let set = UnsafeRawBufferPointer(rebasing: bytes[range])
      guard let id = Self.pictureID(set) else { continue }
      let isNew = Self.put(set, into: &picture, most: Self.mostPicture) { Self.pictureID($0) == id }
      changed = changed || isNew
    }
    return changed
  }

  private static func put(
    _ set: UnsafeRawBufferPointer, into sets: inout [[UInt8]], most: Int,
    where same: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    guard set.count <= mostBytes else { return false }
    guard let index = sets.firstIndex(where: { $0.withUnsafeBytes(same) }) else {
      guard sets.count < most else { return false }
      sets.append(Array(set))
      return true
    }
    guard !sets[index].elementsEqual(set) else { return false }
    sets[index] = Array(set)
    return true
  }

  private static func sequenceID(_ set: UnsafeRawBufferPointer) -> Int? { H264SequenceParameters(set)?.id }

  private static func pictureID(_ set: UnsafeRawBufferPointer) -> Int? {
    var reader = H264BitReader(set, from: 1)
    let id = reader.unsigned(upTo: 255)
    _ = reader.unsigned(upTo: 31)  // seq_parameter_set_id
    return reader.failed ? nil : id
  }
}
