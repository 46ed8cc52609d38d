import CXXHash

/// XXH3-64 over bytes that come in pieces. One at a time: `begin`, `add`…, `value`.
final class Checksum {
  private let state: OpaquePointer

  init() {
    guard let state = XXH3_createState() else { preconditionFailure("no memory for a checksum's 576 bytes") }
    self.state = state
  }

  deinit { XXH3_freeState(state) }

  func begin(seed: UInt64) { XXH3_64bits_reset_withSeed(state, seed) }
  func add(_ bytes: UnsafeRawBufferPointer) { XXH3_64bits_update(state, bytes.baseAddress, bytes.count) }
  func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }
  var value: UInt64 { XXH3_64bits_digest(state) }
}
