import CLinux
import Glibc

/// Collects pieces of memory and writes them in order. Each piece is hashed once, just before it is written.
///
/// Through the page cache at most 128 KiB a call: measured, larger writes cost more (they leave the processor's cache
/// between our reading and the kernel's copy). Past it, pieces are first put side by side: the volume takes whole
/// blocks only, and each call waits for it, so they are fewer and larger.
///
/// After a failure it does nothing more; `failure` tells.
struct GatheredWrite {
  static let cachedByteCount = 128 << 10
  static let stagedByteCount = 512 << 10

  private let output: any FileOutput
  private let checksum: Checksum?
  private let memory: GatheringMemory
  private let isStaged: Bool
  private let chunkByteCount: Int
  private var count = 0
  private var pending = 0
  private(set) var offset: Int64
  /// 0, or the errno of the write that failed.
  private(set) var failure: Int32 = 0

  init(_ output: any FileOutput, at offset: Int64, checksum: Checksum?, _ memory: GatheringMemory) {
    self.output = output
    self.offset = offset
    self.checksum = checksum
    self.memory = memory
    isStaged = output.blockByteCount > 1
    chunkByteCount = isStaged ? Self.stagedByteCount : Self.cachedByteCount
  }

  /// `bytes` must stay until `flush`.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty, failure == 0 {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(min(room, Self.cachedByteCount)))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      checksum?.add(part)
      if isStaged { stage(part) } else { list(part) }
      if room == 0 { flush() }
    }
  }

  private mutating func list(_ part: UnsafeRawBufferPointer) {
    memory.vectors[count] = iovec(iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count)
    count += 1
    pending += part.count
    if count == memory.vectors.count { flush() }
  }

  private mutating func stage(_ part: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(rebasing: memory.staging[pending..<pending + part.count]).copyMemory(from: part)
    pending += part.count
    memory.vectors[0] = iovec(iov_base: memory.staging.baseAddress, iov_len: pending)
    count = 1
  }

  /// Up to the next multiple of the chunk in the file, so that no page is touched by two calls.
  private var room: Int { chunkByteCount - Int(offset % Int64(chunkByteCount)) - pending }

  mutating func flush() {
    var first = 0
    while pending > 0, failure == 0 {
      let written = output.write(UnsafeBufferPointer(rebasing: memory.vectors[first..<count]), at: offset)
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
    while place < count, rest >= memory.vectors[place].iov_len {
      rest -= memory.vectors[place].iov_len
      place += 1
    }
    if rest > 0, place < count {
      memory.vectors[place].iov_base += rest
      memory.vectors[place].iov_len -= rest
    }
    return place
  }
}
