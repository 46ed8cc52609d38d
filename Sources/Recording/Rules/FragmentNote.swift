import CamrigModel

/// The account of one fragment, in its trailing box: the pictures in it, and what was lost since the fragment
/// before. So the ledger can be proven from the files alone. Little-endian; layout in docs/ref/take-folder.md.
package struct FragmentNote: Hashable, Sendable {
  /// Consecutive pictures of a run, all in this fragment.
  package struct Span: Hashable, Sendable {
    package var run: Int
    package var firstSequence: UInt64
    package var count: UInt64

    package init(run: Int, firstSequence: UInt64, count: UInt64) {
      self.run = run
      self.firstSequence = firstSequence
      self.count = count
    }
  }

  /// A movie's note takes 1 MiB, and a loss 29 bytes: a bad cable makes so many in half an hour without a good picture.
  package static let mostLosses = 20_000

  package private(set) var written: [Span] = []
  package private(set) var lost: [Loss] = []

  package init() {}

  package var writtenCount: UInt64 { written.reduce(0) { $0 &+ $1.count } }

  package mutating func wrote(run: Int, sequence: UInt64) {
    if let last = written.last, last.run == run, last.firstSequence &+ last.count == sequence {
      written[written.count - 1].count &+= 1
    } else {
      written.append(Span(run: run, firstSequence: sequence, count: 1))
    }
  }

  package mutating func lost(_ loss: Loss) { lost.append(coalescing: loss) }

  package func enter(into ledger: inout Ledger) {
    for span in written { ledger.wrote(run: span.run, firstSequence: span.firstSequence, count: span.count) }
    for loss in lost { ledger.lost(loss) }
  }

  // MARK: Bytes

  private static let magic: [UInt8] = [0x63, 0x61, 0x6d, 0x31]  // cam1

  package var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.reserveCapacity(12 + written.count * 20 + lost.count * 29)
    bytes.put(UInt32(written.count))
    for span in written {
      bytes.put(UInt32(truncatingIfNeeded: span.run))
      bytes.put(span.firstSequence)
      bytes.put(span.count)
    }
    bytes.put(UInt32(lost.count))
    for loss in lost {
      bytes.append(Self.code(loss.cause))
      bytes.put(UInt32(truncatingIfNeeded: loss.run))
      bytes.put(loss.firstSequence)
      bytes.put(loss.count)
      bytes.put(UInt64(bitPattern: loss.time.nanoseconds))
    }
    return bytes
  }

  /// Nil unless `bytes` are exactly one note.
  package init?(_ bytes: some Collection<UInt8>) {
    var reader = LittleEndianReader(Array(bytes))
    guard reader.take(4) == Self.magic, let spans = reader.number(UInt32.self), Int(spans) * 20 <= reader.left
    else { return nil }
    for _ in 0..<spans {
      guard let run = reader.number(UInt32.self), let first = reader.number(UInt64.self),
        let count = reader.number(UInt64.self)
      else { return nil }
      written.append(Span(run: Int(run), firstSequence: first, count: count))
    }
    guard let losses = reader.number(UInt32.self), Int(losses) * 29 == reader.left else { return nil }
    for _ in 0..<losses {
      guard let code = reader.number(UInt8.self), let cause = Self.cause(code), let run = reader.number(UInt32.self),
        let first = reader.number(UInt64.self), let count = reader.number(UInt64.self),
        let time = reader.number(UInt64.self)
      else { return nil }
      lost.append(
        Loss(
          cause: cause, run: Int(run), firstSequence: first, count: count,
          time: MediaTime(nanoseconds: Int64(bitPattern: time))))
    }
  }

  private static func code(_ cause: LossCause) -> UInt8 {
    switch cause {
    case .driverGap: 1
    case .errorFlagged: 2
    case .empty: 3
    case .broken: 4
    case .queueOverflow: 5
    case .disk: 6
    case .beforeKeyframe: 7
    case .encoder: 8
    }
  }

  private static func cause(_ code: UInt8) -> LossCause? { LossCause.allCases.first { Self.code($0) == code } }
}

extension [Loss] {
  /// Appends, or lengthens the last one if `loss` goes on where it ends.
  mutating func append(coalescing loss: Loss) {
    guard let last, last.cause == loss.cause, last.run == loss.run,
      last.firstSequence &+ last.count == loss.firstSequence
    else {
      append(loss)
      return
    }
    self[count - 1] = Loss(
      cause: last.cause, run: last.run, firstSequence: last.firstSequence, count: last.count &+ loss.count,
      time: last.time)
  }
}

extension [UInt8] {
  fileprivate mutating func put<T: FixedWidthInteger>(_ number: T) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
