import CamrigModel

/// What users chose, kept in `settings.json`. A missing key takes its default, an unknown one is kept.
package struct RigSettings: Hashable, Sendable {
  /// Rises when an older release would misread the file.
  package static let schemaVersion = 1

  /// Of the release that wrote the file.
  package private(set) var version = schemaVersion
  package var cameras: [CameraID: CameraSettings] = [:]
  package var microphones: [MicrophoneID: MicrophoneSettings] = [:]
  var unknown: [String: JSONValue] = [:]

  package init() {}
}

extension RigSettings: Codable {
  private enum Key: String, CodingKey, CaseIterable { case version, cameras, microphones }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    version = try container.decodeIfPresent(Int.self, forKey: .version) ?? Self.schemaVersion
    cameras = try container.decodeIfPresent([CameraID: CameraSettings].self, forKey: .cameras) ?? [:]
    microphones =
      try container.decodeIfPresent([MicrophoneID: MicrophoneSettings].self, forKey: .microphones) ?? [:]
    unknown = try UnknownKeys.read(decoder, besides: Key.allCases)
  }

  package func encode(to encoder: any Encoder) throws {
    try UnknownKeys.write(unknown, encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Self.schemaVersion, forKey: .version)
    try container.encode(cameras, forKey: .cameras)
    if !microphones.isEmpty { try container.encode(microphones, forKey: .microphones) }
  }
}
