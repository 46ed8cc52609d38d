import CLinux
import Glibc

/// The file a movie is written to, as few calls as that needs. Every call answers 0 or more, or −errno.
package protocol FileOutput: Sendable {
  /// 1: pieces of any length go anywhere. More, a power of two up to 32 KiB: the output bypasses the page cache, and
  /// each write is to be one piece of memory whose address, length and place in the file are multiples of it. It may
  /// become 1 at any time; what is not aligned is written all the same. Asked by the thread that writes.
  var blockByteCount: Int { get }
  /// May write less than all, as `pwritev` does.
  func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int
  func truncate(to byteCount: Int64) -> Int32
  /// May be called by another thread during any other call.
  func sync() -> Int32
  func close()
}
