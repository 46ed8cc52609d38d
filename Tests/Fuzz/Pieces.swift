import CamrigModel
import HTTP
import Streaming

extension FuzzTarget {
  /// The first byte says how the rest is cut into pieces, as a socket might.
  static let lines = FuzzTarget(name: "lines") { bytes in
    guard let step = bytes.first.map({ Int($0) + 1 }) else { return }
    let text = Array(bytes.dropFirst())
    var splitter = LineSplitter(limit: 64)
    var lines: [LineSplitter.Piece] = []
    for start in stride(from: 0, to: text.count, by: step) {
      splitter.append(text[start..<min(start + step, text.count)])
      while let piece = splitter.next() { lines.append(piece) }
    }
    let expected = text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .map { $0.count > 64 ? LineSplitter.Piece.tooLong : .line(Array($0)) }
    // The last, unfinished line may have been told as too long already.
    precondition(
      lines == expected || (lines.last == .tooLong && lines.dropLast().elementsEqual(expected)), "a line is lost")
  }

  /// Two JSON texts, one a line: the patch from one to the other makes the other.
  static let patches = FuzzTarget(name: "patches") { bytes in
    let halves = bytes.split(separator: 0x0A, maxSplits: 1)
    guard halves.count == 2, let old = try? JSONValue(json: halves[0]), let new = try? JSONValue(json: halves[1])
    else { return }
    _ = old.merged(with: new)
    guard !old.hasNull, !new.hasNull, new.asObject != nil, old.asObject != nil else { return }
    let patch = old.mergePatch(to: new)
    precondition((patch == nil) == (old == new), "no patch says that nothing has changed")
    if let patch { precondition(old.merged(with: patch) == new, "the patch makes something else") }
  }

  /// Two bytes of the size, then the header's text.
  static let ranges = FuzzTarget(name: "ranges") { bytes in
    guard bytes.count >= 2 else { return }
    let size = Int64(bytes[0]) << 8 | Int64(bytes[1])
    switch ByteRange(String(decoding: bytes.dropFirst(2), as: UTF8.self), size: size) {
    case .whole, .unsatisfiable: break
    case .part(let range):
      precondition(range.lowerBound >= 0 && range.upperBound <= size && !range.isEmpty, "a range of what is not there")
    }
  }

  static let mediaHeaders = FuzzTarget(name: "media-headers") { bytes in
    guard let header = MediaHeader(bytes) else { return }
    precondition(header.bytes == Array(bytes.prefix(MediaHeader.byteCount)), "a header reads as another one")
  }
}

extension JSONValue {
  fileprivate var hasNull: Bool {
    switch self {
    case .null: true
    case .array(let elements): elements.contains(where: \.hasNull)
    case .object(let members): members.values.contains(where: \.hasNull)
    case .bool, .integer, .number, .string: false
    }
  }
}
