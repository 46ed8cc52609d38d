import CamrigModel
import Testing

@Suite("Lines of a stream")
struct LineSplitterTests {
  private func pieces(_ chunks: [String], limit: Int = 8) -> [String] {
    var splitter = LineSplitter(limit: limit)
    var found: [String] = []
    for chunk in chunks {
      splitter.append(chunk.utf8)
      while let piece = splitter.next() {
        switch piece {
        case .line(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
        case .tooLong: found.append("too long")
        }
      }
    }
    return found
  }

  @Test("lines come out whole, however the bytes arrive")
  func chunks() {
    #expect(pieces(["a\nbb\n\nc"]) == ["a", "bb", ""])
    #expect(pieces(["a", "b", "\n", "c\nd", "\n"]) == ["ab", "c", "d"])
  }

  @Test("a line at the limit passes, one beyond is said once and dropped to its end")
  func limit() {
    #expect(pieces(["12345678\n123456789\nx\n"]) == ["12345678", "too long", "x"])
    #expect(pieces(["123456789", "1234567890", "\nx\n"]) == ["too long", "x"])
    #expect(pieces(["1234567890123\n", "x\n"]) == ["too long", "x"])
  }
}
