import CamrigModel
import Settings

/// What monitors see, and what users may change.
extension MicrophoneRegistry {
  /// What a user wants changed; what is nil stays.
  package struct Wish: Sendable {
    package var name: String?
    package var gain: Double?
    package var muted: Bool?
    package var offsetMilliseconds: Int?
    package var camera: MicrophoneSettings.CameraChoice?
    package var enabled: Bool?

    package init() {}
  }

  /// All microphones ever seen, by name.
  package var microphones: [MicrophoneDescription] {
    memory.keys.compactMap { description($0) }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  package func description(_ id: MicrophoneID) -> MicrophoneDescription? {
    guard let record = memory[id], record.recognition != .builtIn || builtIns.contains(id) else { return nil }
    let present = online[id]
    let status = present == nil ? nil : streams[id]?.status
    let pairing: MicrophonePairing =
      switch record.camera {
      case .automatic: .automatic
      case .off: .off
      case .cameras: .chosen
      }
    return MicrophoneDescription(
      id: id, name: record.name, state: status?.state ?? .offline,
      message: status == nil ? "It is not plugged in." : status?.message ?? "", cameras: record.effectiveCameras,
      enabled: record.enabled, pairing: pairing,
      format: status?.format.map { MicrophoneFormat(rate: $0.rate, channels: $0.channels) },
      gain: present?.gain, muted: record.muted, offsetMilliseconds: record.offsetMilliseconds,
      xruns: streams[id]?.status.xruns ?? 0, port: present?.present.port ?? record.port,
      lastSeen: present == nil ? record.lastSeen : parts.clock.anchor.wall)
  }

  /// Asks the cards for their gain, which another program may have turned. What fails is as it was.
  package func refreshGains() async {
    for (id, present) in online where present.gain != nil {
      do throws(MicrophoneRegistryError) { try await mix(id, present.device, gain: nil, muted: nil) } catch { continue }
      if online[id]?.gain != present.gain { parts.observer(.changed(id)) }
    }
  }

  /// The object for an ID. Nil: no such microphone was ever seen.
  package func microphone(_ id: MicrophoneID) -> Microphone? { description(id) == nil ? nil : stream(id) }

  /// Those that are plugged in.
  package var present: [MicrophoneID: Microphone] {
    var present: [MicrophoneID: Microphone] = [:]
    for id in online.keys { present[id] = stream(id) }
    return present
  }

  /// The microphones whose sound belongs to this camera, whether they are there or not, by name.
  package func microphones(of camera: CameraID) -> [MicrophoneDescription] {
    microphones.filter { $0.enabled && $0.cameras.contains(camera) }
  }

  /// The microphone that a person means by an ID or a name.
  package func find(_ text: String) throws(MicrophoneRegistryError) -> MicrophoneID {
    let visible = microphones
    if let microphone = visible.first(where: { $0.id.rawValue == text }) { return microphone.id }
    let named = [
      visible.filter { $0.name == text }, visible.filter { $0.name.lowercased() == text.lowercased() },
    ]
    guard let found = named.first(where: { !$0.isEmpty }) else {
      throw .unknown(text, microphones: visible.map { "\($0.name) (\($0.id))" })
    }
    guard found.count == 1 else { throw .ambiguous(text, found.map(\.id)) }
    return found[0].id
  }

  /// What the device does not do is not kept either.
  package func set(_ id: MicrophoneID, _ wish: Wish) async throws(MicrophoneRegistryError) {
    guard let record = memory[id] else { throw .unknown(id.rawValue, microphones: []) }
    let name = try wish.name.map { text throws(MicrophoneRegistryError) in try cleanName(text, for: id) }
    if let offset = wish.offsetMilliseconds, !SoundOffset.isAllowed(offset) { throw .badOffset(offset) }
    if wish.gain != nil || wish.muted != nil { try await mix(id, record, wish) }
    let granted = wish.gain == nil ? nil : online[id]?.gain?.value ?? wish.gain
    try await change { microphones in
      if let name { microphones[id]?.name = name }
      if let granted { microphones[id]?.gain = granted }
      if let muted = wish.muted { microphones[id]?.muted = muted }
      if let offset = wish.offsetMilliseconds { microphones[id]?.offsetMilliseconds = offset }
      if let camera = wish.camera { microphones[id]?.camera = camera }
      if let enabled = wish.enabled { microphones[id]?.enabled = enabled }
    }
    if let enabled = wish.enabled { stream(id).setEnabled(enabled) }
    if let muted = wish.muted { stream(id).setMuted(muted) }
    parts.observer(.changed(id))
  }

  /// Muting works on any microphone: what its own switch does not do is done to its sound.
  private func mix(
    _ id: MicrophoneID, _ record: MicrophoneSettings, _ wish: Wish
  ) async throws(MicrophoneRegistryError) {
    guard let device = online[id]?.device else {
      if wish.gain != nil { throw .noGain(name: record.name) }
      return
    }
    try await mix(id, device, gain: wish.gain, muted: wish.muted)
    if wish.gain != nil, online[id]?.gain == nil { throw .noGain(name: record.name) }
  }

  /// Its name and settings are lost; plugged in again, it is a new microphone.
  package func forget(_ id: MicrophoneID) async throws(MicrophoneRegistryError) {
    let name = memory[id]?.name ?? id.rawValue
    if builtIns.contains(id) { throw .builtIn(name: name) }
    guard online[id] == nil else { throw .stillOnline(name: name) }
    try await change { $0 = MicrophoneIdentity.forgetting(id, $0) }
    if let stream = streams.removeValue(forKey: id) { errands.async { stream.shutdown() } }
    parts.observer(.forgotten(id))
  }

  private func cleanName(_ text: String, for id: MicrophoneID) throws(MicrophoneRegistryError) -> String {
    guard let clean = CameraNames.clean(text), CameraNames.isAllowed(text) else { throw .badName(text) }
    for other in microphones
    where other.id != id && (other.name.lowercased() == clean.lowercased() || other.id.rawValue == clean) {
      throw .nameTaken(clean, by: other.id)
    }
    return clean
  }

  /// What a user has asked for is on the disk before it holds.
  private func change(
    _ body: @Sendable (inout [MicrophoneID: MicrophoneSettings]) -> Void
  ) async throws(MicrophoneRegistryError) {
    if let trouble = await changed(body) { throw .settings(trouble) }
  }
}

extension MicrophoneSettings {
  fileprivate var effectiveCameras: [CameraID] {
    switch camera {
    case .automatic: companion.map { [$0] } ?? []
    case .off: []
    case .cameras(let ids): ids
    }
  }
}
