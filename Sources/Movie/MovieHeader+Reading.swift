extension MovieHeader {
  /// Parameter sets and tracks of any clip fit into this.
  private static let movieBoxLimit = 8 << 20

  /// The header behind `front`; nil if a byte of it is not what was written.
  static func read(_ input: MovieInput, _ front: MovieFront) throws(MovieError) -> MovieHeader? {
    let moovOffset = front.leadOffset + leadByteCount
    guard let head = try input.bytes(at: moovOffset, count: 8) else { return nil }
    var reader = BoxReader(head)
    guard let size = reader.u32(), reader.type() == "moov", (8...movieBoxLimit).contains(Int(size)) else { return nil }
    let boxOffset = moovOffset + Int64(size)
    guard let boxHead = try input.bytes(at: boxOffset, count: OwnBox.headByteCount),
      let box = OwnBox.readHead(.clip, boxHead),
      let bytes = try input.bytes(at: 0, count: Int(boxOffset) + box.byteCount)
    else { return nil }

    let body = bytes.count - OwnBox.checksumByteCount
    var stored = BoxReader(Array(bytes[body...]))
    let checksum = checksum(of: Array(bytes[..<body]), leadOffset: Int(front.leadOffset))
    var moov = BoxReader(Array(bytes[Int(moovOffset)..<Int(boxOffset)]))
    guard stored.u64() == checksum, let moovBody = moov.box("moov"),
      let tracks = MovieBox.read(moovBody, front.container)
    else { return nil }
    let noteBegin = Int(boxOffset) + OwnBox.headByteCount
    return MovieHeader(
      container: front.container, tracks: tracks.map(\.description),
      note: Array(bytes[noteBegin..<noteBegin + box.noteByteCount]), nonce: box.number, leadOffset: front.leadOffset,
      byteCount: Int64(bytes.count), checksum: checksum)
  }
}
