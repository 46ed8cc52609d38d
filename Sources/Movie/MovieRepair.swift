import CamrigModel

/// Makes a plain movie of a clip that a crash or a power cut left behind.
///
/// It takes away nothing but zeros behind the last fragment. What else stands there (the fragment that was being
/// written) stays in the file, between the last fragment and the index, where players do not look. Whatever moment it
/// is stopped at, the next call goes on. The clip must not be open for writing.
package enum MovieRepair {
  /// Reads the whole file only if it is not a finished movie.
  /// - Parameter wait: times each call to the volume.
  package static func repair(_ path: String, wait: VolumeWait = VolumeWait()) throws(MovieError) -> RepairOutcome {
    let input = try MovieInput(path, updating: true, wait: wait)
    let front = try MovieFront.read(input)
    if let front, let offset = front.indexOffset, let index = try FoundIndex.read(input, at: offset, front) {
      let restored = try restoreHeader(input, front, indexOffset: offset)
      return try tidy(input, front, index, at: offset, restored: restored)
    }
    guard let front, let header = try MovieHeader.read(input, front) else { return try repairWithoutHeader(input) }
    let scan = try FragmentScan(input, header, limit: input.byteCount)
    guard scan.index.fragmentCount > 0 else {
      return .empty("\(path) holds no whole fragment; it is left as it is.")
    }
    // First of all readable again: with the lead of a finished movie no player would find the fragments.
    if front.lead != .open { try input.overwrite(MovieHeader.openLead, at: header.leadOffset) }
    return try finish(input, header, scan, restored: false)
  }

  /// A clip whose first bytes are not what was written: some fragments carry a copy of them.
  private static func repairWithoutHeader(_ input: MovieInput) throws(MovieError) -> RepairOutcome {
    guard let (header, bytes) = try MovieHeader.findCopy(input) else {
      return .notRepairable(
        "\(input.path) is not a clip of camrig, or its beginning is damaged beyond repair; it is left as it is.")
    }
    let scan = try FragmentScan(input, header, limit: input.byteCount)
    guard scan.index.fragmentCount > 0 else {
      return .empty("\(input.path) holds no whole fragment; it is left as it is.")
    }
    try input.overwrite(bytes, at: 0)
    return try finish(input, header, scan, restored: true)
  }

  /// A finished movie whose header is damaged plays, but nobody could prove its fragments.
  private static func restoreHeader(
    _ input: MovieInput, _ front: MovieFront, indexOffset: Int64
  ) throws(MovieError) -> Bool {
    guard try MovieHeader.read(input, front) == nil, let (header, copy) = try MovieHeader.findCopy(input),
      header.leadOffset == front.leadOffset, header.byteCount < indexOffset
    else { return false }
    var bytes = copy
    let lead = Int(header.leadOffset)
    bytes.replaceSubrange(
      lead..<lead + Int(MovieHeader.leadByteCount),
      with: MovieHeader.closedLead(byteCount: indexOffset - header.leadOffset))
    try input.overwrite(bytes, at: 0)
    return true
  }

  /// A finished movie, perhaps with something behind its index.
  private static func tidy(
    _ input: MovieInput, _ front: MovieFront, _ index: FoundIndex, at offset: Int64, restored: Bool
  ) throws(MovieError) -> RepairOutcome {
    let end = offset + index.byteCount
    guard end < input.byteCount || restored else { return .alreadyFinished }
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
        keptTail: kept == end ? nil : end..<kept, zerosCut: cut, headerRestored: restored))
  }

  private static func finish(
    _ input: MovieInput, _ header: MovieHeader, _ scan: FragmentScan, restored: Bool
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
        keptTail: place > scan.end ? scan.end..<place : nil, zerosCut: max(0, zerosCut),
        headerRestored: restored))
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
