import CLinux
import Glibc

/// The file a movie is written to, as few calls as that needs. Every call answers 0 or more, or −errno.
package protocol FileOutput: Sendable {
  /// May write less than all, as `pwritev` does.
  func write(_ vectors: UnsafeBufferPointer<iovec>, at offset: Int64) -> Int
  func truncate(to byteCount: Int64) -> Int32
  /// May be called by another thread during any other call.
  func sync() -> Int32
  func close()
}
