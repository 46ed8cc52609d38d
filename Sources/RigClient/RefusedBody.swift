import CamrigModel

/// The answer that was no success: its status, and the beginning of what it says.
struct RefusedBody: Sendable {
  private static let most = 4096
  let status: Int
  private(set) var bytes: [UInt8] = []

  init(status: Int) { self.status = status }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more.prefix(Self.most - bytes.count))
  }

  var code: String? { (try? JSONValue(json: bytes))?["code"]?.asString }
}
