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

  /// What a microphone gave to this fragment.
  package struct Sound: Hashable, Sendable {
    /// As `ClipMicrophone.track`.
    package var track: Int
    /// Of the movie's samples in this fragment; for PCM its sample frames.
    package var ticks: UInt64
    /// Counted in sample frames from the clip's beginning.
    package var silences: [Silence]

    package init(track: Int, ticks: UInt64, silences: [Silence]) {
      self.track = track
      self.ticks = ticks
      self.silences = silences
    }
  }

  /// A movie's note takes 1 MiB, and a loss 29 bytes: a bad cable makes so many in half an hour without a good picture.
  package static let mostLosses = 20_000

  package private(set) var written: [Span] = []
  package private(set) var lost: [Loss] = []
  package private(set) var sounds: [Sound] = []

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

  package mutating func wrote(_ sound: Sound) { sounds.append(sound) }

  package func enter(into ledger: inout Ledger) {
    for span in written { ledger.wrote(run: span.run, firstSequence: span.firstSequence, count: span.count) }
    for loss in lost { ledger.lost(loss) }
  }

  // MARK: Bytes

  private static let magic: [UInt8] = [0x63, 0x61, 0x6d, 0x31]  // cam1
  private static let soundMagic: [UInt8] = [0x63, 0x61, 0x6d, 0x32]  // cam2: sound follows

  package var bytes: [UInt8] {
    var bytes = sounds.isEmpty ? Self.magic : Self.soundMagic
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
    if !sounds.isEmpty { putSounds(&bytes) }
    return bytes
  }

  private func putSounds(_ bytes: inout [UInt8]) {
    bytes.put(UInt32(sounds.count))
    for sound in sounds {
      bytes.put(UInt32(truncatingIfNeeded: sound.track))
      bytes.put(sound.ticks)
      bytes.put(UInt32(sound.silences.count))
      for silence in sound.silences {
        bytes.append(Self.code(silence.cause))
        bytes.put(UInt64(bitPattern: silence.first))
        bytes.put(UInt64(bitPattern: silence.count))
      }
    }
  }

  /// Nil unless `bytes` are exactly one note.
  package init?(_ bytes: some Collection<UInt8>) {
    var reader = LittleEndianReader(Array(bytes))
    guard let magic = reader.take(4), magic == Self.magic || magic == Self.soundMagic,
      let spans = reader.number(UInt32.self), Int(spans) * 20 <= reader.left
    else { return nil }
    for _ in 0..<spans {
      guard let run = reader.number(UInt32.self), let first = reader.number(UInt64.self),
        let count = reader.number(UInt64.self)
      else { return nil }
      written.append(Span(run: Int(run), firstSequence: first, count: count))
    }
    guard let losses = reader.number(UInt32.self), Int(losses) * 29 <= reader.left else { return nil }
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
    if magic == Self.soundMagic {
      guard let found = Self.sounds(&reader) else { return nil }
      sounds = found
    }
    guard reader.left == 0 else { return nil }
  }

  private static func sounds(_ reader: inout LittleEndianReader) -> [Sound]? {
    guard let count = reader.number(UInt32.self), count > 0, Int(count) * 16 <= reader.left else { return nil }
    var sounds: [Sound] = []
    for _ in 0..<count {
      guard let track = reader.number(UInt32.self), let ticks = reader.number(UInt64.self),
        let silences = reader.number(UInt32.self), Int(silences) * 17 <= reader.left
      else { return nil }
      var sound = Sound(track: Int(track), ticks: ticks, silences: [])
      for _ in 0..<silences {
        guard let code = reader.number(UInt8.self), let cause = silence(code), let first = reader.number(UInt64.self),
          let count = reader.number(UInt64.self)
        else { return nil }
        sound.silences.append(
          Silence(cause: cause, first: Int64(bitPattern: first), count: Int64(bitPattern: count)))
      }
      sounds.append(sound)
    }
    return sounds
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

  private static func code(_ cause: SilenceCause) -> UInt8 {
    switch cause {
    case .absent: 1
    case .unplugged: 2
    case .stopped: 3
    case .failed: 4
    case .xrun: 5
    case .queueOverflow: 6
    case .late: 7
    case .clock: 8
    }
  }

  private static func silence(_ code: UInt8) -> SilenceCause? { SilenceCause.allCases.first { Self.code($0) == code } }

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
