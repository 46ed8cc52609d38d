import CamrigModel

/// What users chose for one camera, and what the registry must remember to know it again.
package struct CameraSettings: Hashable, Sendable {
  /// How a camera is known again.
  package enum Recognition: String, Codable, Sendable {
    /// By its serial, in whatever socket.
    case serial
    /// By its serial and its socket, since another camera has the same serial.
    case serialAndPlace
    /// By its socket and its model, since it has no real serial.
    case place
    /// By its ID: a test pattern, which the daemon makes itself.
    case builtIn
  }

  package var name: String
  package var enabled = true
  package var wish = FormatWish()
  /// By their keys; set again whenever the camera comes or starts.
  package var controls: [String: KeptControl] = [:]
  package var picture = PictureSetting()
  /// How much later the sound of its clips is put; see `SoundOffset`.
  package var soundOffsetMilliseconds = 0

  package var recognition: Recognition
  package var fingerprint: CameraFingerprint
  /// Where it was last.
  package var place: CameraPlace
  /// udev's `ID_PATH` where it was last, for people.
  package var port = ""
  package var firstSeen: WallTime?
  package var lastSeen: WallTime?
  /// IDs of devices that this camera has replaced or that have replaced it: they still lead here.
  package var aliases: [CameraID] = []
  var unknown: [String: JSONValue] = [:]

  package init(name: String, recognition: Recognition, fingerprint: CameraFingerprint, place: CameraPlace) {
    self.name = name
    self.recognition = recognition
    self.fingerprint = fingerprint
    self.place = place
  }
}

extension CameraSettings: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, enabled, wish, controls, picture, soundOffsetMilliseconds, recognition, fingerprint, place, port
    case firstSeen, lastSeen, aliases
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    // Without these two nothing could be known again; whoever writes the file by hand may leave out all else.
    recognition = try container.decode(Recognition.self, forKey: .recognition)
    place = try container.decode(CameraPlace.self, forKey: .place)
    fingerprint = try container.decodeIfPresent(CameraFingerprint.self, forKey: .fingerprint) ?? CameraFingerprint()
    name = try container.decodeIfPresent(String.self, forKey: .name) ?? ""
    enabled = try container.decodeIfPresent(Bool.self, forKey: .enabled) ?? true
    wish = try container.decodeIfPresent(FormatWish.self, forKey: .wish) ?? FormatWish()
    controls = try container.decodeIfPresent([String: KeptControl].self, forKey: .controls) ?? [:]
    picture = PictureSetting(kept: try container.decodeIfPresent(PictureChoice.self, forKey: .picture))
    soundOffsetMilliseconds = try container.decodeIfPresent(Int.self, forKey: .soundOffsetMilliseconds) ?? 0
    port = try container.decodeIfPresent(String.self, forKey: .port) ?? ""
    firstSeen = try container.decodeIfPresent(WallTime.self, forKey: .firstSeen)
    lastSeen = try container.decodeIfPresent(WallTime.self, forKey: .lastSeen)
    aliases = try container.decodeIfPresent([CameraID].self, forKey: .aliases) ?? []
    unknown = try UnknownKeys.read(decoder, besides: Key.allCases)
  }

  package func encode(to encoder: any Encoder) throws {
    try UnknownKeys.write(unknown, encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(enabled, forKey: .enabled)
    try container.encode(wish, forKey: .wish)
    if !controls.isEmpty { try container.encode(controls, forKey: .controls) }
    try container.encodeIfPresent(picture.choice, forKey: .picture)
    if soundOffsetMilliseconds != 0 { try container.encode(soundOffsetMilliseconds, forKey: .soundOffsetMilliseconds) }
    try container.encode(recognition, forKey: .recognition)
    try container.encode(fingerprint, forKey: .fingerprint)
    try container.encode(place, forKey: .place)
    try container.encode(port, forKey: .port)
    try container.encodeIfPresent(firstSeen, forKey: .firstSeen)
    try container.encodeIfPresent(lastSeen, forKey: .lastSeen)
    try container.encode(aliases, forKey: .aliases)
  }
}
