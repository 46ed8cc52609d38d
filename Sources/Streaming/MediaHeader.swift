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

  /// Of a picture; of other kinds zeros. What does not fit is given as the largest number.
  package struct Detail: Hashable, Sendable {
    package var width: UInt16
    package var height: UInt16
    /// Pictures that this monitor would have had since the last one, had it been fast enough.
    package var skipped: UInt16
    /// From when it was taken until it was given to the network.
    package var ageMilliseconds: UInt16

    package init(width: UInt16 = 0, height: UInt16 = 0, skipped: UInt16 = 0, ageMilliseconds: UInt16 = 0) {
      self.width = width
      self.height = height
      self.skipped = skipped
      self.ageMilliseconds = ageMilliseconds
    }
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
    put(detail.width)
    put(detail.height)
    put(detail.skipped)
    put(detail.ageMilliseconds)
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
      detail: Detail(
        width: number(at: 24), height: number(at: 26), skipped: number(at: 28), ageMilliseconds: number(at: 30)))
  }
}
