import CLinux
import Glibc

/// What a volume says of itself.
package struct DiskSpace: Hashable, Sendable {
  /// What an unprivileged process may still write.
  package var freeBytes: UInt64
  package var totalBytes: UInt64
  package var isReadOnly: Bool
  /// FAT: no file of 4 GiB or more.
  package var isFAT: Bool

  package init(freeBytes: UInt64, totalBytes: UInt64, isReadOnly: Bool = false, isFAT: Bool = false) {
    self.freeBytes = freeBytes
    self.totalBytes = totalBytes
    self.isReadOnly = isReadOnly
    self.isFAT = isFAT
  }
}

/// The answer to "how full is the volume of this folder?". A folder that is not there is not a full one.
package enum DiskState: Hashable, Sendable {
  case present(DiskSpace)
  case missing
  /// The volume does not answer; the number is `errno`.
  case failed(Int32)

  /// Blocks as long as the volume does.
  package static func read(_ path: String) -> DiskState {
    var numbers = statvfs()
    guard statvfs(path, &numbers) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : .failed(errno)
    }
    var kind = statfs()
    let isFAT = statfs(path, &kind) == 0 && UInt32(truncatingIfNeeded: kind.f_type) == UInt32(MSDOS_SUPER_MAGIC)
    let unit = UInt64(numbers.f_frsize)
    return .present(
      DiskSpace(
        freeBytes: UInt64(numbers.f_bavail) &* unit, totalBytes: UInt64(numbers.f_blocks) &* unit,
        isReadOnly: numbers.f_flag & UInt(ST_RDONLY) != 0, isFAT: isFAT))
  }
}
