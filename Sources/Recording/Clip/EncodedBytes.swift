/// An encoder's picture, in memory that stays where it is.
///
/// `@unchecked`: written once, before anyone else sees it.
final class EncodedBytes: @unchecked Sendable {
  private let block: UnsafeMutableRawBufferPointer

  init(copying bytes: UnsafeRawBufferPointer) {
    block = .allocate(byteCount: max(bytes.count, 1), alignment: 1)
    block.copyMemory(from: bytes)
    count = bytes.count
  }

  deinit { block.deallocate() }

  let count: Int
  var unsafeBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: block[0..<count]) }
}
