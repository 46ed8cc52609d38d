import CamrigModel

/// What users chose for one microphone, and what the registry must remember to know it again.
package struct MicrophoneSettings: RememberedDevice {
  package var name: String
  /// Whose clips get its sound.
  package var camera = CameraChoice.automatic
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
    case camera(CameraID)
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
    let text = try decoder.singleValueContainer().decode(String.self)
    self = text == "auto" ? .automatic : text == "off" ? .off : .camera(CameraID(text))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .automatic: try container.encode("auto")
    case .off: try container.encode("off")
    case .camera(let id): try container.encode(id)
    }
  }
}

extension MicrophoneSettings: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, camera, gain, muted, offsetMilliseconds, recognition, fingerprint, place, port, firstSeen, lastSeen
    case aliases, companion
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    // As of cameras.
    recognition = try container.decode(CameraSettings.Recognition.self, forKey: .recognition)
    place = try container.decode(CameraPlace.self, forKey: .place)
    fingerprint = try container.decodeIfPresent(CameraFingerprint.self, forKey: .fingerprint) ?? CameraFingerprint()
    name = try container.decodeIfPresent(String.self, forKey: .name) ?? ""
    camera = try container.decodeIfPresent(CameraChoice.self, forKey: .camera) ?? .automatic
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
