import Glibc

package enum HostName {
  /// Of this machine, up to its first dot.
  package static var current: String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let failed = buffer.withUnsafeMutableBytes {
      gethostname($0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count - 1) != 0
    }
    let name = String(decoding: buffer.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }, as: UTF8.self)
    return failed || name.isEmpty ? "camrig" : name
  }
}
