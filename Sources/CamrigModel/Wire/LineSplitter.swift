import Glibc

/// Cuts a stream of bytes into lines, keeping at most one line and one read.
package struct LineSplitter: Sendable {
  /// The most a line may hold on every wire of ours, in bytes without its end.
  package static let longestLine = 1 << 20

  package enum Piece: Hashable, Sendable {
    /// Without its line feed.
    case line([UInt8])
    /// Said once, as soon as it is known; the rest of that line is dropped.
    case tooLong
  }

  private let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// Up to here there is no line feed.
  private var searched = 0
  private var isDropping = false

  package init(limit: Int = LineSplitter.longestLine) { self.limit = limit }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    // What was handed out goes before more comes, so that the buffer stays within its bound.
    buffer.removeFirst(start)
    searched -= start
    start = 0
    buffer.append(contentsOf: bytes)
  }

  package mutating func next() -> Piece? {
    while true {
      guard let end = lineFeed() else {
        searched = buffer.count
        guard isDropping || buffer.count - start > limit else { return nil }
        let known = isDropping
        isDropping = true
        start = buffer.count
        return known ? nil : .tooLong
      }
      let line = start..<end
      start = end + 1
      searched = start
      if isDropping {
        isDropping = false
      } else {
        return line.count > limit ? .tooLong : .line(Array(buffer[line]))
      }
    }
  }

  private func lineFeed() -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard searched < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + searched, 0x0A, bytes.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
