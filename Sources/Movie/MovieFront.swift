/// The first boxes of a file: whether it is a clip of ours, and whether it is finished.
struct MovieFront {
  enum Lead: Equatable {
    case open
    /// From the lead's own first byte to the index.
    case closed(byteCount: Int64)
    case broken
  }

  let container: MovieContainer
  let leadOffset: Int64
  let lead: Lead

  /// Where the index of a finished clip stands.
  var indexOffset: Int64? {
    guard case .closed(let byteCount) = lead else { return nil }
    return leadOffset &+ byteCount
  }

  /// Nil if what stands at `base` does not begin like a clip of ours.
  static func read(_ input: MovieInput, at base: Int64 = 0) throws(MovieError) -> MovieFront? {
    guard let head = try input.bytes(at: base, count: 12) else { return nil }
    var reader = BoxReader(head)
    guard let size = reader.u32(), reader.type() == "ftyp", let brand = reader.type(), (16...64).contains(size),
      size % 4 == 0, brand == "qt  " || brand == "iso6",
      let lead = try input.bytes(at: base &+ Int64(size), count: Int(MovieHeader.leadByteCount))
    else { return nil }
    return MovieFront(
      container: brand == "qt  " ? .quickTime : .mp4, leadOffset: Int64(size), lead: read(lead: lead))
  }

  private static func read(lead: [UInt8]) -> Lead {
    if lead == MovieHeader.openLead { return .open }
    var reader = BoxReader(lead)
    guard reader.u32() == 1, reader.type() == "mdat", let byteCount = reader.i64(),
      byteCount > MovieHeader.leadByteCount, byteCount < 1 << 60
    else { return .broken }
    return .closed(byteCount: byteCount)
  }
}
