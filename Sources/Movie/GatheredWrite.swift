import CLinux
import Glibc

/// Collects pieces of memory and writes them in order, at most 128 KiB a call: measured, larger writes cost more
/// (they leave the processor's cache between our reading and the kernel's copy). Each piece is hashed once, just before it is written.
///
/// After a failure it does nothing more; `failure` tells.
struct GatheredWrite {
  static let chunkByteCount = 128 << 10

  private let output: any FileOutput
  private let checksum: Checksum?
  private let vectors: UnsafeMutableBufferPointer<iovec>
  private var count = 0
  private var pending = 0
  private(set) var offset: Int64
  /// 0, or the errno of the write that failed.
  private(set) var failure: Int32 = 0

  /// `vectors` is the caller's memory for the list of pieces, used again for every write.
  init(
    _ output: any FileOutput, at offset: Int64, checksum: Checksum?, vectors: UnsafeMutableBufferPointer<iovec>
  ) {
    self.output = output
    self.offset = offset
    self.checksum = checksum
    self.vectors = vectors
  }

  /// `bytes` must stay until `flush`.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty, failure == 0 {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(room))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      checksum?.add(part)
      vectors[count] = iovec(iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count)
      count += 1
      pending += part.count
      if count == vectors.count || room == 0 { flush() }
    }
  }

  /// Up to the next multiple of the chunk in the file, so that no page is touched by two calls.
  private var room: Int {
    Self.chunkByteCount - Int(offset % Int64(Self.chunkByteCount)) - pending
  }

  mutating func flush() {
    var first = 0
    while pending > 0, failure == 0 {
      let written = output.write(UnsafeBufferPointer(rebasing: vectors[first..<count]), at: offset)
      if written == -Int(EINTR) { continue }
      guard written > 0 else {
        failure = written == 0 ? ENOSPC : Int32(-written)
        break
      }
      offset += Int64(written)
      pending -= written
      first = skip(written, from: first)
    }
    count = 0
    pending = 0
  }

  /// Takes `written` bytes off the front of the list.
  private func skip(_ written: Int, from first: Int) -> Int {
    var place = first
    var rest = written
    while place < count, rest >= vectors[place].iov_len {
      rest -= vectors[place].iov_len
      place += 1
    }
    if rest > 0, place < count {
      vectors[place].iov_base += rest
      vectors[place].iov_len -= rest
    }
    return place
  }
}
