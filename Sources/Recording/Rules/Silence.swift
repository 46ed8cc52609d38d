import CamrigModel

/// Declared silence: sample frames that the microphone did not give.
package struct Silence: Hashable, Sendable {
  package var cause: SilenceCause
  /// On the take's grid, or of a clip's track in the note of a fragment.
  package var first: Int64
  package var count: Int64

  package init(cause: SilenceCause, first: Int64, count: Int64) {
    self.cause = cause
    self.first = first
    self.count = count
  }

  package var end: Int64 { first + count }

  /// What of it lies in `range`.
  package func part(in range: Range<Int64>) -> Silence? {
    let (begin, end) = (max(first, range.lowerBound), min(end, range.upperBound))
    return begin < end ? Silence(cause: cause, first: begin, count: end - begin) : nil
  }
}

extension [Silence] {
  /// Appends, or lengthens the last one if `silence` goes on where it ends.
  mutating func append(coalescing silence: Silence) {
    guard silence.count > 0 else { return }
    if let last, last.cause == silence.cause, last.end == silence.first {
      self[count - 1].count += silence.count
    } else {
      append(silence)
    }
  }

  package var byCause: [SilenceCause: UInt64] {
    reduce(into: [:]) { $0[$1.cause, default: 0] &+= UInt64(clamping: $1.count) }
  }
}
