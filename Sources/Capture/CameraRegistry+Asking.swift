import CamrigModel
import Settings

/// What monitors see, and what users may change.
extension CameraRegistry {
  // MARK: - What there is

  /// All cameras ever seen, by name.
  package var cameras: [CameraDescription] {
    memory.keys.compactMap { description($0) }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  package func description(_ id: CameraID) -> CameraDescription? {
    guard let record = memory[id], record.recognition != .builtIn || builtIns[id] != nil else { return nil }
    let status = status(id, record)
    let present = online[id]?.camera
    return CameraDescription(
      id: id, name: record.name, state: status.state, message: status.message, cause: status.cause,
      since: status.since, enabled: record.enabled, device: status.device, sharesSerialWith: sharing[id] ?? [],
      port: present?.port ?? record.port,
      serial: record.fingerprint.serial.isEmpty ? nil : record.fingerprint.serial, wish: record.wish,
      granted: status.granted, stream: status.stream,
      lastSeen: present == nil ? record.lastSeen : parts.clock.anchor.wall,
      hints: hints(id, status), picture: record.picture.choice, pictureRefusal: status.turnAdvice,
      delivered: status.delivered,
      soundOffsetMilliseconds: record.soundOffsetMilliseconds == 0 ? nil : record.soundOffsetMilliseconds)
  }

  private func hints(_ id: CameraID, _ status: CameraStreamState) -> [String]? {
    let hints = status.hints + (status.isBusFull ? [whoFills(status.device?.bus ?? "", besides: id)] : [])
    return hints.isEmpty ? nil : hints
  }

  /// Who has the bandwidth that a camera did not get.
  private func whoFills(_ bus: String, besides id: CameraID) -> String {
    let others = online.keys.filter { $0 != id }.sorted().compactMap { other -> String? in
      guard let status = streams[other]?.status, let granted = status.granted, let theirs = status.device?.bus,
        BusTurns.controller(theirs) == BusTurns.controller(bus)
      else { return nil }
      return "\(name(other)) (\(granted))"
    }
    return others.isEmpty
      ? "No other camera of the rig streams on its USB bus: another device there does, or it asks for more than there is. "
        + "What it asks for shows: camrigctl bandwidth"
      : "Its USB bus carries \(others.joined(separator: ", ")) already. A smaller size or rate for one of them makes room; "
        + "what fits shows: camrigctl bandwidth"
  }

  /// Of a camera that is plugged in by USB; with its model, `046d:0825`.
  package func usbFacts(_ id: CameraID) async -> (facts: SystemUSB.Facts, model: String)? {
    guard let camera = online[id]?.camera, camera.fingerprint.vendor != "" else { return nil }
    let usb = parts.usb
    guard let facts = await blocking(probes, { usb(camera.sysPath) }) else { return nil }
    return (facts, "\(camera.fingerprint.vendor):\(camera.fingerprint.product)")
  }

  private func status(_ id: CameraID, _ record: CameraSettings) -> CameraStreamState {
    func state(_ trouble: CameraTrouble, _ since: WallTime?) -> CameraStreamState {
      CameraStreamState(trouble, since: since)
    }
    guard let online = online[id] else {
      return state(CameraTrouble(.offline, .unplugged, "It is not plugged in."), record.lastSeen)
    }
    if let problem = online.camera.problem {
      guard !record.enabled else { return state(problem, online.since) }
      return state(CameraTrouble(.disabled, .disabled, problem.message), nil)
    }
    guard online.isAttached, let stream = streams[id] else {
      let message = "It comes and goes. Check its cable and the power of its hub."
      return state(CameraTrouble(.offline, .comesAndGoes, message), online.since)
    }
    return stream.status
  }

  /// The camera for its ID; made if it has not been online yet. Nil: no such camera was ever seen.
  package func camera(_ id: CameraID) -> Stream? { description(id) == nil ? nil : stream(id) }

  package var onlineIDs: Set<CameraID> { Set(online.filter(\.value.isAttached).keys) }

  /// The camera that a person means by an ID or a name.
  package func find(_ text: String) throws(CameraRegistryError) -> CameraID {
    let visible = cameras
    if let camera = visible.first(where: { $0.id.rawValue == text }) { return camera.id }
    let named = [
      visible.filter { $0.name == text }, visible.filter { $0.name.lowercased() == text.lowercased() },
      visible.filter { memory[$0.id]?.aliases.contains(CameraID(text)) == true },
    ]
    guard let found = named.first(where: { !$0.isEmpty }) else {
      throw .unknown(text, cameras: visible.map { "\($0.name) (\($0.id))" })
    }
    guard found.count == 1 else { throw .ambiguous(text, found.map(\.id)) }
    return found[0].id
  }

  // MARK: - What users choose

  package func rename(_ id: CameraID, _ name: String) async throws(CameraRegistryError) {
    try known(id)
    guard let clean = CameraNames.clean(name), CameraNames.isAllowed(name) else { throw .badName(name) }
    for camera in cameras where camera.id != id {
      if camera.name.lowercased() == clean.lowercased() || camera.id.rawValue == clean {
        throw .nameTaken(clean, by: camera.id)
      }
    }
    // The disk takes its time; meanwhile nobody else shall get the name.
    if promisedNames.contains(where: { $0.id != id && $0.name.lowercased() == clean.lowercased() }) {
      throw .namePromised(clean)
    }
    promisedNames.append((id, clean))
    defer { if let index = promisedNames.firstIndex(where: { $0 == (id, clean) }) { promisedNames.remove(at: index) } }
    try await change { $0[id]?.name = clean }
    emit(.changed(id))
  }

  package func setWish(_ id: CameraID, _ wish: FormatWish) async throws(CameraRegistryError) {
    try known(id)
    try free(id)
    let before = memory[id]?.wish
    try await change { $0[id]?.wish = wish }
    // A take may have begun while the change was kept.
    do throws(CameraRegistryError) { try free(id) } catch {
      try await change { if let before { $0[id]?.wish = before } }
      throw error
    }
    streams[id]?.setWish(wish)
    emit(.changed(id))
  }

  /// How its pictures are seen. Not while they are recorded: their size may change. Of many in a short time the first and
  /// the last show; it is kept a moment later.
  package func setPicture(_ id: CameraID, _ picture: PictureSetting) throws(CameraRegistryError) {
    try known(id)
    try free(id)
    memory[id]?.picture = picture
    if bursts[id] == nil {
      bursts[id] = PictureBurst(first: picture)
      streams[id]?.setPicture(picture)
      followBurst(id)
    } else {
      bursts[id]?.wish(picture)
    }
    emit(.changed(id))
  }

  /// As chosen; the identity for a camera that nobody knows.
  package func picture(_ id: CameraID) -> PictureSetting { memory[id]?.picture ?? PictureSetting() }

  /// Also while it is recorded: it holds from the next take on.
  package func setSoundOffset(_ id: CameraID, milliseconds: Int) async throws(CameraRegistryError) {
    try known(id)
    try await change { $0[id]?.soundOffsetMilliseconds = milliseconds }
    emit(.changed(id))
  }

  /// 0 for a camera that nobody knows.
  package func soundOffsetMilliseconds(_ id: CameraID) -> Int { memory[id]?.soundOffsetMilliseconds ?? 0 }

  package func setEnabled(_ id: CameraID, _ enabled: Bool) async throws(CameraRegistryError) {
    try known(id)
    if !enabled { try free(id) }
    try await change { $0[id]?.enabled = enabled }
    streams[id]?.setEnabled(enabled)
    emit(.changed(id))
  }

  /// The device of `new` is the camera `old` from now on: with its ID, its name and its settings.
  package func replace(_ old: CameraID, with new: CameraID) async throws(CameraRegistryError) {
    try known(old)
    try known(new)
    for id in [old, new] where builtIns[id] != nil { throw .builtIn(name: name(id)) }
    guard old != new else { throw .sameCamera(name: name(old)) }
    try free(old)
    try free(new)
    guard online[old] == nil else { throw .stillOnline(name: name(old), action: "replaced") }
    try await change { $0 = CameraIdentity.replacing(old, with: new, $0) }
    if let record = memory[old] {
      streams[old]?.setWish(record.wish)
      streams[old]?.setEnabled(record.enabled)
      streams[old]?.setKept(record.controls)
      streams[old]?.setPicture(record.picture)
    }
    flaps[old] = nil
    flaps[new] = nil
    resolve()
    tellConflicts()
    end(new)
    emit(.replaced(old: old, with: new))
  }

  /// Its name and settings are lost; plugged in again, it is a new camera.
  package func forget(_ id: CameraID) async throws(CameraRegistryError) {
    try known(id)
    if builtIns[id] != nil { throw .builtIn(name: name(id)) }
    try free(id)
    guard online[id] == nil else { throw .stillOnline(name: name(id), action: "forgotten") }
    try await change { $0 = CameraIdentity.forgetting(id, $0) }
    tellConflicts()
    flaps[id] = nil
    end(id)
    emit(.forgotten(id))
  }

  /// These cameras are in a take: until the next call nothing may be changed that would break its files.
  package func setRecorded(_ ids: Set<CameraID>) {
    // What is still to show does so before the first picture of the take.
    for id in ids { endBurst(id) }
    recorded = ids
    settle(ids)
  }

  /// A camera that the daemon makes itself, always plugged in. What users choose for it is kept under its ID.
  package func addBuiltIn(id: CameraID, name: String, device: any CameraDevice) {
    let place = CameraPlace(.bus, id.rawValue)
    let isNew = memory[id] == nil
    // Cameras may have been given its name while it was not there.
    let others = memory.filter { $0.key != id }.map(\.value.name) + promisedNames.map(\.name)
    let own = CameraNames.free(memory[id]?.name ?? name, among: others)
    if isNew {
      memory[id] = CameraSettings(
        name: own, recognition: .builtIn, fingerprint: CameraFingerprint(card: name), place: place)
      memory[id]?.port = "built in"
    }
    memory[id]?.name = own
    builtIns[id] = device
    online[id] = Online(
      camera: PresentCamera(
        sysPath: "built-in/\(id)", node: device.node, fingerprint: CameraFingerprint(card: name), place: place,
        port: "built in"),
      plugging: nextNumber(), since: parts.clock.anchor.wall)
    attach(id)
    if isNew { emit(.appeared(id)) }
    emit(.online(id))
  }

  // MARK: - Conditions

  private func name(_ id: CameraID) -> String { memory[id]?.name ?? id.rawValue }

  private func known(_ id: CameraID) throws(CameraRegistryError) {
    guard description(id) != nil else {
      throw .unknown(id.rawValue, cameras: cameras.map { "\($0.name) (\($0.id))" })
    }
  }

  private func free(_ id: CameraID) throws(CameraRegistryError) {
    if recorded.contains(id) { throw .recording(name: name(id)) }
  }

  private func end(_ id: CameraID) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    errands.async { stream.shutdown() }
  }
}
