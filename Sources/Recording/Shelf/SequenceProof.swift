import CamrigModel

/// Whether spans of a run's sequence follow each other without a hole and without an overlap.
package struct SequenceProof {
  package struct Span: Hashable {
    package var first: UInt64
    package var count: UInt64
    package init(first: UInt64, count: UInt64) {
      self.first = first
      self.count = count
    }
  }

  package private(set) var holes: [Span] = []
  package private(set) var overlaps: [Span] = []

  package init(_ spans: [Span]) {
    guard let origin = spans.first?.first else { return }
    // Relative to any of them, so that a count that wraps sorts right.
    let sorted = spans.filter { $0.count > 0 }.sorted {
      Int64(bitPattern: $0.first &- origin) < Int64(bitPattern: $1.first &- origin)
    }
    guard var next = sorted.first?.first else { return }
    for span in sorted {
      let step = Int64(bitPattern: span.first &- next)
      if step > 0 { holes.append(Span(first: next, count: UInt64(step))) }
      if step < 0 { overlaps.append(Span(first: span.first, count: min(UInt64(-step), span.count))) }
      let end = span.first &+ span.count
      if Int64(bitPattern: end &- next) > 0 { next = end }
    }
  }

  /// Of each run that the clips or the tail tell of.
  static func of(_ clips: [ClipEvidence], tail: [Loss]) -> [(run: Int, proof: SequenceProof)] {
    var spans: [Int: [Span]] = [:]
    for case let note? in clips.flatMap(\.fragments) {
      for span in note.written {
        spans[span.run, default: []].append(Span(first: span.firstSequence, count: span.count))
      }
      for loss in note.lost { spans[loss.run, default: []].append(Span(first: loss.firstSequence, count: loss.count)) }
    }
    for loss in tail { spans[loss.run, default: []].append(Span(first: loss.firstSequence, count: loss.count)) }
    return spans.keys.sorted().map { ($0, SequenceProof(spans[$0] ?? [])) }
  }
}
