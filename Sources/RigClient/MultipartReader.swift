/// Takes a preview (`multipart/x-mixed-replace`) apart as it comes. Goes by `Content-Length`, which the rig sends with
/// every picture.
package struct MultipartReader: Sendable {
  package enum Fault: Error, Hashable {
    /// A part without a length, or with one that no picture has.
    case notPictures
  }

  private static let longestHead = 4096
  package static let largestPart = 64 << 20

  private enum Place: Hashable {
    case head
    case body(Int)
  }

  private var place = Place.head
  private var kept: [UInt8] = []

  package init() {}

  /// The parts that `bytes` complete.
  package mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      switch place {
      case .head:
        guard let byte = rest.popFirst() else { break }
        kept.append(byte)
        if kept.suffix(4).elementsEqual([13, 10, 13, 10]) {
          place = .body(try Self.length(of: kept))
          kept = []
        } else if kept.count > Self.longestHead {
          throw .notPictures
        }
      case .body(let length):
        let count = min(length - kept.count, rest.count)
        kept.append(contentsOf: rest.prefix(count))
        rest = rest.dropFirst(count)
        if kept.count == length {
          parts.append(kept)
          kept = []
          place = .head
        }
      }
    }
    return parts
  }

  private static func length(of head: [UInt8]) throws(Fault) -> Int {
    for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") {
      let pair = line.split(separator: ":", maxSplits: 1)
      guard pair.count == 2, pair[0].lowercased() == "content-length" else { continue }
      if let length = Int(pair[1].filter { $0 != " " }), length > 0, length <= largestPart { return length }
    }
    throw .notPictures
  }
}
