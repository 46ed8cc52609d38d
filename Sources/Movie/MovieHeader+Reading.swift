extension MovieHeader {
  /// The header that begins at `base`, as `front` does; nil if a byte of it is not what was written.
  static func read(
    _ input: MovieInput, _ front: MovieFront, at base: Int64 = 0
  ) throws(MovieError) -> MovieHeader? {
    let moovOffset = front.leadOffset + leadByteCount
    guard let head = try input.bytes(at: base &+ moovOffset, count: 8) else { return nil }
    var reader = BoxReader(head)
    guard let size = reader.u32(), reader.type() == "moov", (8...byteLimit).contains(Int(size)) else { return nil }
    let boxOffset = moovOffset + Int64(size)
    guard let boxHead = try input.bytes(at: base &+ boxOffset, count: OwnBox.headByteCount),
      let box = OwnBox.readHead(.clip, boxHead), box.copyByteCount == 0,
      let bytes = try input.bytes(at: base, count: Int(boxOffset) + box.byteCount)
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

  /// The header of a clip whose first bytes are gone, from a copy in one of its fragments; and its bytes.
  static func findCopy(_ input: MovieInput) throws(MovieError) -> (header: MovieHeader, bytes: [UInt8])? {
    var from: Int64 = 8
    // Each try reads at most a header; crafted files are given up.
    var tries = 256
    while tries > 0, from < input.byteCount, let place = input.firstOffset(of: OwnBox.uuid, in: from..<input.byteCount)
    {
      from = place + 1
      guard let head = try input.bytes(at: place - 8, count: OwnBox.headByteCount),
        let box = OwnBox.readHead(.fragment, head), box.copyByteCount > 0
      else { continue }
      tries -= 1
      let base = place - 8 + Int64(OwnBox.headByteCount + box.noteByteCount)
      guard let front = try MovieFront.read(input, at: base), front.lead == .open,
        let header = try read(input, front, at: base), header.byteCount == Int64(box.copyByteCount),
        let bytes = try input.bytes(at: base, count: box.copyByteCount)
      else { continue }
      return (header, bytes)
    }
    return nil
  }
}
