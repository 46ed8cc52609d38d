import RigClient
import Testing

@Suite("A preview's parts")
struct MultipartReaderTests {
  private func part(_ body: [UInt8], first: Bool = false) -> [UInt8] {
    Array((first ? "--b\r\n" : "").utf8)
      + Array("Content-Type: image/jpeg\r\ncontent-length: \(body.count)\r\nX-Timestamp: 1.5\r\n\r\n".utf8) + body
      + Array("\r\n--b\r\n".utf8)
  }

  private let pictures: [[UInt8]] = [[0xFF, 0xD8, 13, 10, 13, 10, 0xFF, 0xD9], [1], Array(repeating: 7, count: 3000)]

  @Test("come out whole, however the stream is cut", arguments: [1, 2, 3, 7, 64, 100_000])
  func cut(_ size: Int) throws {
    let stream = part(pictures[0], first: true) + part(pictures[1]) + part(pictures[2])
    var reader = MultipartReader()
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      found += try stream[start..<min(start + size, stream.count)].withUnsafeBytes { bytes in try reader.take(bytes) }
    }
    #expect(found == pictures)
  }

  @Test("without a length, or with a mad one, are no pictures", arguments: ["", "0", "-4", "99999999999", "x"])
  func refuses(_ length: String) {
    var reader = MultipartReader()
    let head = Array("--b\r\n\(length.isEmpty ? "X: 1" : "Content-Length: \(length)")\r\n\r\n".utf8)
    #expect(throws: MultipartReader.Fault.notPictures) { try head.withUnsafeBytes { try reader.take($0) } }
  }

  @Test("a page without end is given up, and costs no memory")
  func endless() {
    var reader = MultipartReader()
    let junk = [UInt8](repeating: 65, count: 100_000)
    #expect(throws: MultipartReader.Fault.notPictures) { try junk.withUnsafeBytes { try reader.take($0) } }
  }
}
