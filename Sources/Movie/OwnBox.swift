/// The `uuid` box that is ours: one after the front `moov` for the clip, one at the end of each fragment, one at the
/// end of the index.
///
/// Layout after the box header and the UUID: version 1, kind, two zero bytes, a number of 8 bytes, the lengths of the
/// note and of a copy of the header in 4 bytes each, the note, the copy, zeros up to a block of the volume, and last an
/// XXH3-64 of all that the box closes.
/// See `docs/ref/movie-files.md`.
enum OwnBox {
  struct Head {
    let byteCount: Int
    let number: UInt64
    let noteByteCount: Int
    let copyByteCount: Int
  }

  enum Kind: Int { case clip = 1, fragment = 2, index = 3 }

  /// 48988a40-51c2-4df5-9a1a-ad1d46be2239
  static let uuid: [UInt8] = [
    0x48, 0x98, 0x8a, 0x40, 0x51, 0xc2, 0x4d, 0xf5, 0x9a, 0x1a, 0xad, 0x1d, 0x46, 0xbe, 0x22, 0x39,
  ]
  static let version = 1
  static let headByteCount = 24 + 20
  static let checksumByteCount = 8
  /// More than any account of a fragment needs, and little enough to be read at once.
  static let noteLimit = 1 << 20

  /// More than a block of any volume.
  static let paddingLimit = 64 << 10

  /// Every so many fragments one carries a copy of the header, which no disk block shared with the first one can take
  /// along.
  static let copyInterval = 64

  static func byteCount(note: Int, copy: Int = 0) -> Int { headByteCount + note + copy + checksumByteCount }

  /// All but the checksum.
  ///
  /// - Parameter padding: so many zeros before the checksum.
  static func write(
    _ kind: Kind, number: UInt64, note: [UInt8], copy: [UInt8] = [], padding: Int = 0, to out: inout BoxWriter
  ) {
    out.u32(byteCount(note: note.count, copy: copy.count) + padding)
    out.type("uuid")
    out.raw(uuid)
    out.u8(version)
    out.u8(kind.rawValue)
    out.u16(0)
    out.u64(number)
    out.u32(note.count)
    out.u32(copy.count)
    out.raw(note)
    out.raw(copy)
    out.zeros(padding)
  }

  /// What the first `headByteCount` bytes of a box say, if it is ours and of this kind.
  static func readHead(_ kind: Kind, _ bytes: [UInt8]) -> Head? {
    var reader = BoxReader(bytes)
    guard let size = reader.u32(), reader.u32() == BoxType("uuid").rawValue, reader.raw(16).map(Array.init) == uuid,
      reader.u8() == version, reader.u8() == kind.rawValue, reader.u16() == 0, let number = reader.u64(),
      let note = reader.u32(), note <= noteLimit, let copy = reader.u32(), copy <= MovieHeader.byteLimit,
      (0..<paddingLimit).contains(Int(size) - byteCount(note: Int(note), copy: Int(copy)))
    else { return nil }
    return Head(byteCount: Int(size), number: number, noteByteCount: Int(note), copyByteCount: Int(copy))
  }
}
