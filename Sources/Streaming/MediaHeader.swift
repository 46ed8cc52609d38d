import CamrigModel

/// The 32 bytes before each binary message to a monitor, see docs/ref/media-stream.md. Numbers are little-endian.
package struct MediaHeader: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    case picture = 1
    case sound = 2
    case fileChunk = 3
  }

  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The picture is smaller or comes less often than asked for, because the link carries no more.
    package static let reduced = Flags(rawValue: 1)
    /// Of a file nothing comes behind this piece.
    package static let last = Flags(rawValue: 2)
  }

  package static let byteCount = 32
  package static let version: UInt8 = 1

  package var kind: Kind
  package var flags: Flags
  /// Given by the rig when the preview was started.
  package var stream: UInt32
  /// Counts the messages of this stream, from 0.
  package var sequence: UInt64
  /// Microseconds of the rig's clock.
  package var presentationMicroseconds: Int64
  /// In the last eight bytes, whose meaning depends on the kind.
  package var detail: Detail

  /// Eight bytes. What does not fit is given as the largest number.
  package struct Detail: Hashable, Sendable {
    private var words: (UInt16, UInt16, UInt16, UInt16)

    /// Of a picture.
    package init(width: UInt16 = 0, height: UInt16 = 0, skipped: UInt16 = 0, ageMilliseconds: UInt16 = 0) {
      words = (width, height, skipped, ageMilliseconds)
    }

    /// Of sound.
    package init(channels: UInt16, frames: UInt16, skipped: UInt16, ageMilliseconds: UInt16) {
      words = (channels, frames, skipped, ageMilliseconds)
    }

    /// Of a piece of a file.
    package init(offset: UInt64) {
      words = (
        UInt16(truncatingIfNeeded: offset), UInt16(truncatingIfNeeded: offset >> 16),
        UInt16(truncatingIfNeeded: offset >> 32), UInt16(truncatingIfNeeded: offset >> 48)
      )
    }

    package var width: UInt16 { words.0 }
    package var height: UInt16 { words.1 }
    package var channels: UInt16 { words.0 }
    /// Sample frames.
    package var frames: UInt16 { words.1 }
    /// Pictures or messages of sound that this monitor would have had since the last one, had it been fast enough.
    package var skipped: UInt16 { words.2 }
    /// From when it was taken until it was given to the network.
    package var ageMilliseconds: UInt16 { words.3 }
    /// Where in the file the piece begins.
    package var offset: UInt64 {
      UInt64(words.0) | UInt64(words.1) << 16 | UInt64(words.2) << 32 | UInt64(words.3) << 48
    }

    package static func == (a: Detail, b: Detail) -> Bool { a.words == b.words }
    package func hash(into hasher: inout Hasher) { hasher.combine(offset) }
  }

  package init(
    kind: Kind, flags: Flags = [], stream: UInt32, sequence: UInt64, presentationMicroseconds: Int64,
    detail: Detail = Detail()
  ) {
    self.kind = kind
    self.flags = flags
    self.stream = stream
    self.sequence = sequence
    self.presentationMicroseconds = presentationMicroseconds
    self.detail = detail
  }

  package init(_ picture: PreviewPicture, flags: Flags = [], stream: UInt32, sequence: UInt64) {
    self.init(
      kind: .picture, flags: flags, stream: stream, sequence: sequence,
      presentationMicroseconds: picture.presentationTime.nanoseconds / 1000,
      detail: Detail(
        width: UInt16(clamping: picture.size.width), height: UInt16(clamping: picture.size.height),
        skipped: UInt16(clamping: picture.skipped),
        ageMilliseconds: UInt16(clamping: picture.age.inNanoseconds / 1_000_000)))
  }

  package init(_ chunk: SoundChunk, skipped: Int, at now: MediaTime, stream: UInt32, sequence: UInt64) {
    self.init(
      kind: .sound, stream: stream, sequence: sequence,
      presentationMicroseconds: chunk.presentationTime.nanoseconds / 1000,
      detail: Detail(
        channels: UInt16(clamping: chunk.channels), frames: UInt16(clamping: SoundChunk.frames),
        skipped: UInt16(clamping: skipped),
        ageMilliseconds: UInt16(clamping: (now - chunk.presentationTime).inNanoseconds / 1_000_000)))
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    func put<T: FixedWidthInteger>(_ number: T) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    put(kind.rawValue)
    put(Self.version)
    put(flags.rawValue)
    put(stream)
    put(sequence)
    put(presentationMicroseconds)
    put(detail.offset)
    return bytes
  }

  /// Nil for fewer than 32 bytes, another version, or a kind that is not known: such a message is to be passed over.
  package init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(Self.byteCount))
    guard bytes.count == Self.byteCount, bytes[1] == Self.version, let kind = Kind(rawValue: bytes[0])
    else { return nil }
    func number<T: FixedWidthInteger>(at offset: Int) -> T {
      bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
    }
    self.init(
      kind: kind, flags: Flags(rawValue: number(at: 2)), stream: number(at: 4), sequence: number(at: 8),
      presentationMicroseconds: number(at: 16),
      detail: Detail(offset: number(at: 24)))
  }
}
