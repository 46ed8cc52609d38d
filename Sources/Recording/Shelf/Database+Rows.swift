import CamrigModel
import FoundationEssentials

extension Database {
  /// A row of another version is as good as none; the next reconciliation does not miss it, but a rewrite does it.
  static func read<Summary: Decodable>(_ rows: [String]) -> [Summary] {
    rows.compactMap { try? JSONDecoder().decode(Summary.self, from: Data($0.utf8)) }
  }

  fileprivate static func json(_ summary: some Encodable) -> String {
    String(decoding: ManifestFile.json(summary, pretty: false), as: UTF8.self)
  }
}

extension TakeSummary {
  var row: Database.Row { Database.Row(id: id, start: start, summary: Database.json(self)) }
}

extension ShotRecord {
  var row: Database.Row { Database.Row(id: shot, start: at, summary: Database.json(self)) }
}
