/// The `Range` header (RFC 9110, 14). One range is served; several, or another unit, are answered with the whole.
package enum ByteRange: Hashable, Sendable {
  /// Serve all of it: no range, or none that is understood.
  case whole
  case part(Range<Int64>)
  /// Nothing of it is there: 416.
  case unsatisfiable

  package init(_ header: String?, size: Int64) {
    self = header.flatMap { Self.parse($0, size) } ?? .whole
  }

  private static func parse(_ header: String, _ size: Int64) -> ByteRange? {
    let halves = header.split(separator: "=", maxSplits: 1)
    guard halves.count == 2, halves[0].trimmed.lowercased() == "bytes", !halves[1].contains(",") else { return nil }
    let ends = halves[1].split(separator: "-", omittingEmptySubsequences: false).map(\.trimmed)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty {
      guard let count = number(ends[1]) else { return nil }
      return count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
    }
    guard let first = number(ends[0]) else { return nil }
    let last = ends[1].isEmpty ? Int64.max : number(ends[1])
    guard let last, last >= first else { return nil }
    return first >= size ? .unsatisfiable : .part(first..<(min(last, size - 1) + 1))
  }

  /// Digits only; what does not fit is as good as the end.
  private static func number(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text) ?? Int64.max
  }
}
