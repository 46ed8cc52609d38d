/// The index of a finished clip, read back.
struct FoundIndex {
  let byteCount: Int64
  let bytes: [UInt8]
  let descriptions: [TrackDescription]
  let tables: [SampleTables]
  let fragmentCount: Int

  /// 4 million pictures an hour would not fill it.
  private static let limit = 256 << 20

  /// The `moov` at an offset, if it is whole by its checksum.
  static func read(
    _ input: MovieInput, at offset: Int64, _ front: MovieFront
  ) throws(MovieError) -> FoundIndex? {
    guard let head = try input.bytes(at: offset, count: 8) else { return nil }
    var reader = BoxReader(head)
    guard let size = reader.u32(), reader.type() == "moov", (100...limit).contains(Int(size)),
      let bytes = try input.bytes(at: offset, count: Int(size))
    else { return nil }
    var stored = BoxReader(Array(bytes.suffix(OwnBox.checksumByteCount)))
    let box = BoxReader(bytes)
    guard stored.u64() == MovieBox.checksum(of: bytes[...]), let body = box.first("moov"),
      let tracks = MovieBox.read(body, front.container)
    else { return nil }
    let boxHead = bytes.suffix(OwnBox.byteCount(note: 0)).prefix(OwnBox.headByteCount)
    guard let own = OwnBox.readHead(.index, Array(boxHead)), own.number <= UInt64(UInt32.max) else { return nil }
    var tables: [SampleTables] = []
    for track in tracks {
      guard let found = SampleTables(track.tables, track.description.media, within: front.leadOffset..<offset)
      else { return nil }
      tables.append(found)
    }
    return FoundIndex(
      byteCount: Int64(size), bytes: bytes, descriptions: tracks.map(\.description), tables: tables,
      fragmentCount: Int(own.number))
  }
}
