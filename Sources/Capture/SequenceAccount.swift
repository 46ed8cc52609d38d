/// The driver's 32-bit count of pictures as the 64-bit count of one run: what came, what was skipped, and when the
/// driver began anew.
package struct SequenceAccount {
  package enum Step: Hashable, Sendable {
    /// The picture's number; the `missing` before it never came.
    case next(sequence: UInt64, missing: UInt64)
    /// Counts as a picture, though the driver gave the number of the one before: it does not count at all.
    case repeated(sequence: UInt64)
    /// No picture: a buffer that the driver hands back, with the number it had before.
    case handedBack
    /// The count went back: a new run begins with this number.
    case reset(sequence: UInt64)
  }

  /// A leap beyond this (nine hours at 30 a second) is no loss but a count that began elsewhere.
  private static let mostMissing: Int32 = 1 << 20

  private var last: (raw: UInt32, sequence: UInt64)?

  package init() {}

  /// - Parameter spoilt: the buffer holds no picture. A driver that cancels its buffers hands them back flagged,
  ///   with the numbers of their last use.
  package mutating func accept(_ raw: UInt32, spoilt: Bool) -> Step {
    guard let last else {
      self.last = (raw, UInt64(raw))
      return .next(sequence: UInt64(raw), missing: 0)
    }
    // Across the wrap of 32 bits too.
    let distance = Int32(bitPattern: raw &- last.raw)
    if distance <= 0, spoilt { return .handedBack }
    if distance == 0 {
      self.last = (raw, last.sequence &+ 1)
      return .repeated(sequence: last.sequence &+ 1)
    }
    guard distance > 0, distance <= Self.mostMissing else {
      self.last = (raw, UInt64(raw))
      return .reset(sequence: UInt64(raw))
    }
    let sequence = last.sequence &+ UInt64(distance)
    self.last = (raw, sequence)
    return .next(sequence: sequence, missing: UInt64(distance) - 1)
  }
}
