import CCertificates
import CamrigModel
import DaemonKit

enum PEM {
  /// More makes no sense for a certificate with its chain.
  static let mostBytes = 1 << 20

  static func read(_ path: String) throws(CertificateError) -> [UInt8] {
    do throws(FileError) {
      return try AtomicFile.read(path, limit: mostBytes)
    } catch {
      throw .file(error)
    }
  }

  /// As the text with its end that C wants.
  static func with<R>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
    (bytes + [0]).withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
  }

  /// Takes a text that C has made.
  static func take(_ text: UnsafeMutablePointer<CChar>?) -> [UInt8]? {
    guard let text else { return nil }
    defer { ccert_free(text) }
    return Array(String(cString: text).utf8)
  }
}

extension WallTime {
  init(seconds: Int64) {
    // What nanoseconds reach, the year 2261 at most.
    let limit: Int64 = 9_000_000_000
    self.init(nanoseconds: min(max(seconds, -limit), limit) * 1_000_000_000)
  }

  var seconds: Int64 { nanoseconds / 1_000_000_000 }
}
