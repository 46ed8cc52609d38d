import CamrigModel
import DaemonKit
import FoundationEssentials
import Glibc

/// `take.json` in a take's folder.
package enum ManifestFile {
  package static let name = "take.json"

  /// Durable when it returns; a power cut at any moment leaves the old or the new one.
  package static func write(_ manifest: TakeManifest, folder: String) throws(RecordingError) {
    do throws(FileError) {
      try AtomicFile.write(json(manifest) + [UInt8(ascii: "\n")], to: folder + "/" + name)
    } catch {
      throw .of(error.code ?? EIO, folder + "/" + name)
    }
  }

  /// - Throws: `.unknownTake` without one, `.brokenManifest` if it is not what we write.
  package static func read(folder: String) throws(RecordingError) -> TakeManifest {
    let path = folder + "/" + name
    let bytes: [UInt8]
    do throws(RecordingError) {
      bytes = try Folder.read(path)
    } catch {
      if case .directoryMissing = error {
        throw .unknownTake(String(folder.split(separator: "/").last ?? ""))
      }
      throw error
    }
    do {
      return try JSONDecoder().decode(TakeManifest.self, from: Data(bytes))
    } catch {
      throw .brokenManifest(path: path, why: why(error))
    }
  }

  /// Sorted, so that two manifests can be compared by eye.
  static func json(_ value: some Encodable, pretty: Bool = true) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting =
      pretty ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
    // Our values hold no infinities and no keys that are not text, so nothing can be refused.
    guard let data = try? encoder.encode(value) else { return [] }
    return Array(data)
  }

  private static func why(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(([place(context), key.stringValue].filter { !$0.isEmpty }).joined(separator: ".")) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context)) is of another type"
    case .dataCorrupted(let context):
      return place(context).isEmpty ? "it is no JSON" : "\(place(context)): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }
}
