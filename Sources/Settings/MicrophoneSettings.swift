import CamrigModel

/// What users chose for one microphone, and what the registry must remember to know it again.
package struct MicrophoneSettings: RememberedDevice {
  package var name: String
  /// Whose clips get its sound.
  package var camera = CameraChoice.automatic
  /// Else it is never opened.
  package var enabled = true
  /// In dB; nil: as the device has it.
  package var gain: Double?
  package var muted = false
  package var offsetMilliseconds = 0

  package var recognition: CameraSettings.Recognition
  package var fingerprint: CameraFingerprint
  package var place: CameraPlace
  package var port = ""
  package var firstSeen: WallTime?
  package var lastSeen: WallTime?
  package var aliases: [MicrophoneID] = []
  /// The camera of the same USB device, when both were last there.
  package var companion: CameraID?
  var unknown: [String: JSONValue] = [:]

  package enum CameraChoice: Hashable, Sendable {
    case automatic
    case off
    /// One or more, each once.
    case cameras([CameraID])
  }

  package init(
    name: String, recognition: CameraSettings.Recognition, fingerprint: CameraFingerprint, place: CameraPlace
  ) {
    self.name = name
    self.recognition = recognition
    self.fingerprint = fingerprint
    self.place = place
  }
}

extension MicrophoneSettings.CameraChoice: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let cameras = try? container.decode([CameraID].self) {
      self = cameras.isEmpty ? .off : .cameras(cameras)
    } else {
      let text = try container.decode(String.self)
      self = text == "auto" ? .automatic : text == "off" ? .off : .cameras([CameraID(text)])
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .automatic: try container.encode("auto")
    case .off: try container.encode("off")
    // One stands as earlier releases wrote and read it.
    case .cameras(let ids): if ids.count == 1 { try container.encode(ids[0]) } else { try container.encode(ids) }
    }
  }
}

extension MicrophoneSettings: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, camera, enabled, gain, muted, offsetMilliseconds, recognition, fingerprint, place, port
    case firstSeen, lastSeen, aliases, companion
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    // As of cameras.
    recognition = try container.decode(CameraSettings.Recognition.self, forKey: .recognition)
    place = try container.decode(CameraPlace.self, forKey: .place)
    fingerprint = try container.decodeIfPresent(CameraFingerprint.self, forKey: .fingerprint) ?? CameraFingerprint()
    name = try container.decodeIfPresent(String.self, forKey: .name) ?? ""
    camera = try container.decodeIfPresent(CameraChoice.self, forKey: .camera) ?? .automatic
    enabled = try container.decodeIfPresent(Bool.self, forKey: .enabled) ?? true
    gain = try container.decodeIfPresent(Double.self, forKey: .gain)
    muted = try container.decodeIfPresent(Bool.self, forKey: .muted) ?? false
    offsetMilliseconds = try container.decodeIfPresent(Int.self, forKey: .offsetMilliseconds) ?? 0
    port = try container.decodeIfPresent(String.self, forKey: .port) ?? ""
    firstSeen = try container.decodeIfPresent(WallTime.self, forKey: .firstSeen)
    lastSeen = try container.decodeIfPresent(WallTime.self, forKey: .lastSeen)
    aliases = try container.decodeIfPresent([MicrophoneID].self, forKey: .aliases) ?? []
    companion = try container.decodeIfPresent(CameraID.self, forKey: .companion)
    unknown = try UnknownKeys.read(decoder, besides: Key.allCases)
  }

  package func encode(to encoder: any Encoder) throws {
    try UnknownKeys.write(unknown, encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(camera, forKey: .camera)
    if !enabled { try container.encode(false, forKey: .enabled) }
    try container.encodeIfPresent(gain, forKey: .gain)
    try container.encode(muted, forKey: .muted)
    try container.encode(offsetMilliseconds, forKey: .offsetMilliseconds)
    try container.encode(recognition, forKey: .recognition)
    try container.encode(fingerprint, forKey: .fingerprint)
    try container.encode(place, forKey: .place)
    try container.encode(port, forKey: .port)
    try container.encodeIfPresent(firstSeen, forKey: .firstSeen)
    try container.encodeIfPresent(lastSeen, forKey: .lastSeen)
    try container.encode(aliases, forKey: .aliases)
    try container.encodeIfPresent(companion, forKey: .companion)
  }
}
