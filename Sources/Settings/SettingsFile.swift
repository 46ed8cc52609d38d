import DaemonKit
import FoundationEssentials
import Glibc

/// `settings.json` as bytes.
package enum SettingsFile {
  /// A thousand cameras take about 1 MB.
  static let largest = 16 << 20

  package static func encode(_ settings: RigSettings) throws(SettingsError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(settings)) + [UInt8(ascii: "\n")]
    } catch {
      throw .notWritable("\(error)")
    }
  }

  /// Nil: there is no such file.
  static func read(_ path: String) throws(SettingsError) -> RigSettings? {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try AtomicFile.read(path, limit: largest)
    } catch {
      if error.code == ENOENT { return nil }
      // Set aside only what was read and made no sense: a denied or failing read may succeed next time.
      if error.code != nil { throw .file(error) }
      throw .unreadable(path: path, reason: error.description)
    }
    guard bytes.contains(where: { $0 != 0 }) else {
      let what = bytes.isEmpty ? "is empty" : "holds nothing but zeros"
      throw .unreadable(path: path, reason: "it \(what), as a power cut may leave a file")
    }
    do {
      return try JSONDecoder().decode(RigSettings.self, from: Data(bytes))
    } catch {
      throw .unreadable(path: path, reason: reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    let context: DecodingError.Context =
      switch error {
      case .dataCorrupted(let context): context
      case .keyNotFound(_, let context): context
      case .typeMismatch(_, let context): context
      case .valueNotFound(_, let context): context
      @unknown default: DecodingError.Context(codingPath: [], debugDescription: "\(error)")
      }
    let place = context.codingPath.map(\.stringValue).joined(separator: ".")
    let detail = context.underlyingError.map { " (\($0))" } ?? ""
    return (place.isEmpty ? "" : "at \(place): ") + context.debugDescription + detail
  }
}
