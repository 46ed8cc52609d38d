/// What stands before the first fragment: `ftyp`, 16 bytes of lead, `moov`, our box for the clip.
struct MovieHeader: Equatable {
  let container: MovieContainer
  let tracks: [TrackDescription]
  let note: [UInt8]
  /// Tells this clip from any other, so that a fragment left on the disk by an older file is not taken for ours.
  let nonce: UInt64
  /// Where the 16 bytes stand that are `free` while recording and the head of an `mdat` when finished.
  let leadOffset: Int64
  /// Where the first fragment stands.
  let byteCount: Int64
  /// Of the header; the seed of the fragments' checksums.
  let checksum: UInt64

  static let leadByteCount: Int64 = 16
  static let trackLimit = 64
  /// Parameter sets and tracks of any clip fit into this, and a note.
  static let byteLimit = 16 << 20

  /// The lead of a clip that is being recorded.
  static let openLead: [UInt8] = {
    var out = BoxWriter()
    out.box("free") { $0.zeros(8) }
    return out.bytes
  }()

  /// The lead of a finished clip: an `mdat` from itself up to the index.
  static func closedLead(byteCount: Int64) -> [UInt8] {
    var out = BoxWriter()
    out.u32(1)
    out.type("mdat")
    out.u64(byteCount)
    return out.bytes
  }

  /// - Parameter blockByteCount: the length is a multiple of it.
  static func encode(
    _ container: MovieContainer, _ tracks: [TrackDescription], note: [UInt8], nonce: UInt64, blockByteCount: Int = 1
  ) -> (bytes: [UInt8], header: MovieHeader) {
    var out = BoxWriter()
    out.box("ftyp") { out in
      switch container {
      case .quickTime:
        out.type("qt  ")
        out.u32(0x200)
        out.type("qt  ")
        out.type("iso6")
      case .mp4:
        out.type("iso6")
        out.u32(0x200)
        out.type("iso6")
        out.type("mp41")
      }
    }
    let lead = out.count
    out.raw(openLead)
    let entries = tracks.map { track in
      MovieBox.Track(description: track, start: track.start, duration: 0, tables: SampleTables(track.media).write)
    }
    MovieBox.write(container, entries, form: .front, to: &out)
    let padding = padding(after: out.count + OwnBox.byteCount(note: note.count), to: blockByteCount)
    OwnBox.write(.clip, number: nonce, note: note, padding: padding, to: &out)
    let checksum = checksum(of: out.bytes, leadOffset: lead)
    out.u64(checksum)
    let header = MovieHeader(
      container: container, tracks: tracks, note: note, nonce: nonce, leadOffset: Int64(lead),
      byteCount: Int64(out.count), checksum: checksum)
    return (out.bytes, header)
  }

  /// From `byteCount` up to the next multiple of `blockByteCount`.
  static func padding(after byteCount: Int, to blockByteCount: Int) -> Int {
    (blockByteCount - byteCount % blockByteCount) % blockByteCount
  }

  /// Over all of the header but the lead, which changes, and the checksum itself.
  static func checksum(of bytes: [UInt8], leadOffset: Int) -> UInt64 {
    let checksum = Checksum()
    checksum.begin(seed: 0)
    bytes.withUnsafeBytes { bytes in
      checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<leadOffset]))
      checksum.add(UnsafeRawBufferPointer(rebasing: bytes[(leadOffset + Int(leadByteCount))...]))
    }
    return checksum.value
  }
}
