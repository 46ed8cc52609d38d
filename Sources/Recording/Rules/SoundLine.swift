import CamrigModel

/// One microphone's sound that waits to be written, sample frame after sample frame of the take's grid without a hole:
/// what is not there is declared silence. Silence takes no memory.
package struct SoundLine: Sendable {
  fileprivate enum Piece {
    case sound([Float], channels: Int)
    case nothing(Int64)

    var count: Int64 {
      switch self {
      case .sound(let samples, let channels): Int64(samples.count / channels)
      case .nothing(let count): count
      }
    }
  }

  private var pieces: [Piece] = []
  /// Of the first piece; some of it may have been dropped.
  private var base: Int64 = 0
  /// What waits; nil: nothing has come yet, and the line can begin anywhere.
  package private(set) var range: Range<Int64>?
  private var silences: [Silence] = []

  package init() {}

  /// Of an empty line.
  package mutating func begin(at index: Int64) {
    precondition(range == nil, "a line of sound begins once")
    base = index
    range = index..<index
  }

  package mutating func append(_ samples: [Float], channels: Int) {
    guard !samples.isEmpty else { return }
    append(.sound(samples, channels: channels))
  }

  /// Lengthens the line up to `index`, if it is shorter.
  package mutating func append(silence cause: SilenceCause, upTo index: Int64) {
    guard let range, range.upperBound < index else { return }
    silences.append(coalescing: Silence(cause: cause, first: range.upperBound, count: index - range.upperBound))
    append(.nothing(index - range.upperBound))
  }

  /// Some of what has come, or is about to come, is silence.
  package mutating func declare(_ silence: Silence) { silences.append(coalescing: silence) }

  private mutating func append(_ piece: Piece) {
    guard let range else { preconditionFailure("a line of sound begins before it goes on") }
    pieces.append(piece)
    self.range = range.lowerBound..<range.upperBound + piece.count
  }

  /// A clip begins at `index`: nothing before it is needed, and what is missing from there on is silence.
  package mutating func open(at index: Int64, cause: SilenceCause) {
    guard let range else {
      begin(at: index)
      return
    }
    guard index < range.lowerBound else { return drop(before: index, cause: cause) }
    let missing = range.lowerBound - index
    pieces.insert(.nothing(missing), at: 0)
    let first = base
    // The first piece may have been dropped in part.
    if first < range.lowerBound { pieces[1] = pieces[1].without(range.lowerBound - first) }
    base = index
    self.range = index..<range.upperBound
    silences.insert(Silence(cause: cause, first: index, count: missing), at: 0)
  }

  /// Forgets what is before `index`; beyond the line's end that is silence.
  package mutating func drop(before index: Int64, cause: SilenceCause) {
    append(silence: cause, upTo: index)
    guard let range, index > range.lowerBound else { return }
    while let first = pieces.first, base + first.count <= index {
      base += first.count
      pieces.removeFirst()
    }
    self.range = index..<range.upperBound
    silences.removeAll { $0.end <= index }
  }

  /// The samples of `wanted`, which must be in the line, with so many channels; silence is zeros.
  package func read(_ wanted: Range<Int64>, channels: Int) -> (samples: [Float], silences: [Silence]) {
    precondition(range.map { $0.lowerBound <= wanted.lowerBound && wanted.upperBound <= $0.upperBound } ?? false)
    var samples: [Float] = []
    samples.reserveCapacity(wanted.count * channels)
    var at = base
    for piece in pieces {
      let (begin, end) = (max(at, wanted.lowerBound), min(at + piece.count, wanted.upperBound))
      defer { at += piece.count }
      guard begin < end else { continue }
      switch piece {
      case .sound(let sound, let found):
        let part = sound[Int(begin - at) * found..<Int(end - at) * found]
        ChannelMix(from: found, to: channels).append(part, to: &samples)
      case .nothing: samples.append(contentsOf: repeatElement(0, count: Int(end - begin) * channels))
      }
    }
    let found = silences.compactMap { $0.part(in: wanted) }
    for silence in found {
      let first = Int(silence.first - wanted.lowerBound) * channels
      for place in first..<first + Int(silence.count) * channels { samples[place] = 0 }
    }
    return (samples, found)
  }
}

extension SoundLine.Piece {
  fileprivate func without(_ count: Int64) -> Self {
    switch self {
    case .sound(let samples, let channels):
      .sound(Array(samples.dropFirst(Int(count) * channels)), channels: channels)
    case .nothing(let all): .nothing(all - count)
    }
  }
}
