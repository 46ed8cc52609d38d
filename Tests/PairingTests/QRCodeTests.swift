import Pairing
import Testing

@Suite("QR codes")
struct QRCodeTests {
  private let link = "https://192.168.178.34:8470/#code=12345678"

  @Test("a code is a square of 0 and 1 in one of the sizes of the standard")
  func form() throws {
    let rows = try #require(QRCode(link)).rows
    #expect(rows.allSatisfy { $0.utf8.count == rows.count && $0.allSatisfy { "01".contains($0) } })
    #expect((rows.count - 17) % 4 == 0 && rows.count >= 21)
  }

  @Test("three of its corners carry the mark by which a camera finds it, upright and dark on light")
  func corners() throws {
    let rows = try #require(QRCode(link)).rows
    let mark = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    #expect(rows.prefix(7).map { String($0.prefix(7)) } == mark)
    #expect(rows.prefix(7).map { String($0.suffix(7)) } == mark)
    #expect(rows.suffix(7).map { String($0.prefix(7)) } == mark)
    #expect(rows.suffix(7).map { String($0.suffix(7)) } != mark)
  }

  @Test("other texts are other codes, and what fits none is none")
  func texts() throws {
    #expect(try #require(QRCode(link)).rows == #require(QRCode(link)).rows)
    #expect(try #require(QRCode(link)).rows != #require(QRCode(link + "9")).rows)
    #expect(QRCode(String(repeating: "x", count: 4000)) == nil)
  }
}
