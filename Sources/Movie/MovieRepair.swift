/// Makes a plain movie of a clip that a crash or a power cut left behind.
///
/// It takes away nothing but zeros behind the last fragment. What else stands there (the fragment that was being
/// written) stays in the file, between the last fragment and the index, where players do not look. Whatever moment it
/// is stopped at, the next call goes on. The clip must not be open for writing.
package enum MovieRepair {
  /// Reads the whole file only if it is not a finished movie.
  package static func repair(_ path: String) throws(MovieError) -> RepairOutcome {
    let input = try MovieInput(path, updating: true)
    guard let front = try MovieFront.read(input) else {
      return .notRepairable("\(path) is not a clip of camrig, or its beginning is gone; it is left as it is.")
    }
    if let offset = front.indexOffset, let index = try FoundIndex.read(input, at: offset, front) {
      return try tidy(input, front, index, at: offset)
    }
    guard let header = try MovieHeader.read(input, front) else {
      return .notRepairable("\(path): the header in front of the first fragment is damaged; it is left as it is.")
    }
    let scan = try FragmentScan(input, header, limit: input.byteCount)
    guard scan.index.fragmentCount > 0 else {
      return .empty("\(path) holds no whole fragment; it is left as it is.")
    }
    // First of all readable again: with the lead of a finished movie no player would find the fragments.
    if front.lead != .open { try input.overwrite(MovieHeader.openLead, at: header.leadOffset) }
    return try finish(input, header, scan)
  }

  /// A finished movie with something behind its index.
  private static func tidy(
    _ input: MovieInput, _ front: MovieFront, _ index: FoundIndex, at offset: Int64
  ) throws(MovieError) -> RepairOutcome {
    let end = offset + index.byteCount
    guard end < input.byteCount else { return .alreadyFinished }
    let kept = input.endOfNonzero(in: end..<input.byteCount)
    let cut = input.byteCount - kept
    if kept == end {
      try input.cut(to: end)
    } else {
      // The index once more behind what was found there, then the movie is stretched over it.
      try input.put(index.bytes, at: kept)
      try input.overwrite(
        MovieHeader.closedLead(byteCount: kept - front.leadOffset), at: front.leadOffset)
    }
    return .repaired(
      RepairReport(
        fragmentCount: index.fragmentCount, byteCount: input.byteCount, holes: [],
        keptTail: kept == end ? nil : end..<kept, zerosCut: cut))
  }

  private static func finish(
    _ input: MovieInput, _ header: MovieHeader, _ scan: FragmentScan
  ) throws(MovieError) -> RepairOutcome {
    let box = scan.index.movieBox()
    let content = input.endOfNonzero(in: scan.end..<input.byteCount)
    let earlier = earlierIndex(box, input, from: scan.end, content: content)
    let place = earlier ?? content
    let zerosCut = input.byteCount - max(content, earlier.map { $0 + Int64(box.count) } ?? 0)
    try input.put(box, at: place)
    try input.overwrite(MovieHeader.closedLead(byteCount: place - header.leadOffset), at: header.leadOffset)
    return .repaired(
      RepairReport(
        fragmentCount: scan.index.fragmentCount, byteCount: input.byteCount, holes: scan.holes,
        keptTail: place > scan.end ? scan.end..<place : nil, zerosCut: max(0, zerosCut)))
  }

  /// Where this very index was being written when it was cut short: it is the last thing in the file.
  private static func earlierIndex(_ box: [UInt8], _ input: MovieInput, from begin: Int64, content: Int64) -> Int64? {
    let name = Array(box[..<8])
    var from = max(begin, content - Int64(box.count))
    while let place = input.firstOffset(of: name, in: from..<content) {
      if place + Int64(box.count) >= content { return place }
      from = place + 1
    }
    return nil
  }
}
