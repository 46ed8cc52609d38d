import Glibc

/// A volume of a few megabytes; needs root.
final class SmallVolume {
  let path: String

  init?(megabytes: Int) {
    var template = Array("/tmp/camrig-volume-XXXXXX".utf8CString)
    guard geteuid() == 0, template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) != nil }) else {
      return nil
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
      rmdir(path)
      return nil
    }
  }

  /// False: somebody writes to it.
  func become(readOnly: Bool) -> Bool {
    mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0), nil) == 0
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  static let isPossible = SmallVolume(megabytes: 1) != nil
}
