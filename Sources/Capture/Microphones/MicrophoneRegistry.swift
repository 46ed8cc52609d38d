import CamrigModel
import DaemonKit
import Dispatch
import Settings
import Sound

/// All microphones ever seen: which of them are plugged in, which camera each belongs to, and what users chose for
/// them. `Microphone` objects are made when first asked for and stay until the microphone is forgotten.
package actor MicrophoneRegistry {
  /// What the registry works with.
  package struct Parts: Sendable {
    package var finder: any CameraFinder
    package var store: SettingsStore
    package var configuration: CaptureConfiguration
    package var clock: any RigClock = SystemClock()
    package var log: Log
    /// The device behind a node.
    package var device: @Sendable (String) -> any SoundDevice = { ALSADevice(node: $0) }
    /// Called on the registry's actor: must return at once.
    package var observer: @Sendable (MicrophoneEvent) -> Void

    package init(
      finder: any CameraFinder, store: SettingsStore, configuration: CaptureConfiguration, log: Log,
      observer: @escaping @Sendable (MicrophoneEvent) -> Void
    ) {
      self.finder = finder
      self.store = store
      self.configuration = configuration
      self.log = log
      self.observer = observer
    }
  }

  /// A microphone that is plugged in.
  struct Online {
    var present: PresentMicrophone
    let device: any SoundDevice
    /// Nil until it was asked, and where it has none.
    var gain: SoundGain?
  }

  let parts: Parts
  private var nodes: [String: FoundNode] = [:]
  var memory: [MicrophoneID: MicrophoneSettings]
  var online: [MicrophoneID: Online] = [:]
  var streams: [MicrophoneID: Microphone] = [:]
  var builtIns: Set<MicrophoneID> = []
  /// Where the cameras that are plugged in are in sysfs.
  private var cameras: [CameraID: String] = [:]
  var saving = RegistrySaving()
  /// The settings' file, mixers and the ends of microphones: what blocks, in order.
  let errands = DispatchQueue(label: "camrig.microphones")
  private let mailbox = NodeMailbox()
  private var pump: Task<Void, Never>?
  private var watch: NodeWatch?

  package init(_ parts: Parts) {
    self.parts = parts
    memory = parts.store.current.microphones
  }

  /// Finds the microphones that are there, and all that come. Call once.
  package func start() throws(FinderError) {
    let mailbox = mailbox
    pump = Task { [weak self] in
      for await _ in mailbox.signals { await self?.take(mailbox.drain()) }
    }
    do throws(CaptureError) {
      watch = try NodeWatch { [weak self] node in Task { await self?.touched(node) } }
    } catch {
      parts.log.warning("Whether a busy microphone gets free is noticed late: \(error)")
    }
    try parts.finder.start { mailbox.put($0) }
  }

  /// Ends all microphones and keeps what is to be kept. Nothing is found after this.
  package func stop() async {
    let finder = parts.finder
    await blocking(errands) { finder.stop() }
    mailbox.close()
    pump?.cancel()
    let watch = watch
    self.watch = nil
    for id in online.keys where !builtIns.contains(id) { memory[id]?.lastSeen = parts.clock.anchor.wall }
    let all = Array(streams.values)
    (streams, online) = ([:], [:])
    await blocking(errands) {
      for stream in all { stream.shutdown() }
      watch?.stop()
    }
    _ = await keep(memory)
  }

  // MARK: What there is

  private func take(_ batch: NodeMailbox.Batch) {
    var gone = batch.removed
    if batch.isComplete { gone.formUnion(nodes.keys.filter { batch.present[$0] == nil }) }
    for path in gone { nodes[path] = nil }
    // What went and came back was away.
    if !gone.isEmpty { resolve() }
    for (path, node) in batch.present { nodes[path] = node }
    resolve()
  }

  /// Who is who now, and what follows from it.
  private func resolve() {
    let present = nodes.values.map { PresentMicrophone($0) }
    let before = memory
    let resolution = MicrophoneIdentity.resolve(
      present: present, memory: memory.filter { !builtIns.contains($0.key) }, now: parts.clock.anchor.wall)
    memory.merge(resolution.memory) { _, new in new }
    var now: [MicrophoneID: PresentMicrophone] = [:]
    for microphone in present { if let id = resolution.ids[microphone.sysPath] { now[id] = microphone } }
    for (id, was) in online where !builtIns.contains(id) && now[id]?.sysPath != was.present.sysPath { leave(id) }
    for (id, microphone) in now.sorted(by: { $0.key < $1.key }) {
      if online[id] == nil {
        arrive(id, microphone, isNew: before[id] == nil)
      } else if online[id]?.present != microphone {
        online[id]?.present = microphone
        parts.observer(.changed(id))
      }
    }
    pair()
    if memory != before { keepSoon() }
  }

  private func arrive(_ id: MicrophoneID, _ microphone: PresentMicrophone, isNew: Bool) {
    let device = parts.device(microphone.node)
    online[id] = Online(present: microphone, device: device, gain: nil)
    memory[id]?.lastSeen = parts.clock.anchor.wall
    memory[id]?.place = microphone.place
    memory[id]?.port = microphone.port
    let name = memory[id]?.name ?? id.rawValue
    parts.log.notice("the microphone \(name) is \(isNew ? "new" : "online"), at \(microphone.port)")
    stream(id).attach(device)
    parts.observer(.changed(id))
    Task { await applyMix(id) }
  }

  private func leave(_ id: MicrophoneID) {
    guard let was = online.removeValue(forKey: id) else { return }
    watch?.watch(was.present.node, for: nil)
    streams[id]?.detach()
    memory[id]?.lastSeen = parts.clock.anchor.wall
    parts.log.notice("the microphone \(memory[id]?.name ?? id.rawValue) is offline")
    parts.observer(.changed(id))
  }

  /// What the user has chosen is set whenever it comes; what he has not stays as the device has it.
  private func applyMix(_ id: MicrophoneID) async {
    guard let device = online[id]?.device, let record = memory[id] else { return }
    do throws(MicrophoneRegistryError) {
      try await mix(id, device, gain: record.gain, muted: record.muted ? true : nil)
    } catch {
      parts.log.warning("\(record.name): \(error)")
    }
    parts.observer(.changed(id))
  }

  func mix(
    _ id: MicrophoneID, _ device: any SoundDevice, gain: Double?, muted: Bool?
  ) async throws(MicrophoneRegistryError) {
    let result = await blocking(errands) { () -> Result<SoundGain?, SoundError> in
      do throws(SoundError) { return .success(try device.mix(gain: gain, muted: muted)) } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let granted): if online[id]?.device.node == device.node { online[id]?.gain = granted }
    case .failure(let error): throw .device(error)
    }
  }

  // MARK: Pairing

  /// The cameras that are plugged in, and where they are in sysfs.
  package func camerasAre(_ places: [CameraID: String]) {
    guard cameras != places else { return }
    cameras = places
    let before = memory
    pair()
    if memory != before { keepSoon() }
  }

  private func pair() {
    for (id, online) in online {
      // A camera that is away keeps its microphone: it may come back in a second.
      guard let companion = online.present.companion(among: cameras), memory[id]?.companion != companion else {
        continue
      }
      memory[id]?.companion = companion
      parts.observer(.changed(id))
    }
  }

  // MARK: The objects

  /// The microphone's object, made if it is the first time.
  func stream(_ id: MicrophoneID) -> Microphone {
    if let stream = streams[id] { return stream }
    let stream = Microphone(
      id: id, configuration: parts.configuration, clock: parts.clock, log: parts.log
    ) { [weak self] in Task { await self?.streamChanged(id) } }
    stream.setMuted(memory[id]?.muted ?? false)
    stream.setEnabled(memory[id]?.enabled ?? true)
    streams[id] = stream
    return stream
  }

  private func streamChanged(_ id: MicrophoneID) {
    if let node = online[id]?.present.node, !builtIns.contains(id) {
      // One that works opens and closes its node itself.
      watch?.watch(node, for: streams[id]?.status.state == .busy ? .closing : nil)
    }
    parts.observer(.changed(id))
  }

  /// Another program closed the node, or its mode has changed.
  private func touched(_ node: String) {
    for (id, microphone) in online where microphone.present.node == node { streams[id]?.retryNow() }
  }

  /// A microphone that the daemon makes itself, always plugged in: of the test-pattern camera `camera`.
  package func addBuiltIn(id: MicrophoneID, name: String, device: any SoundDevice, of camera: CameraID) {
    let place = CameraPlace(.bus, id.rawValue)
    let fingerprint = CameraFingerprint(card: name)
    if memory[id] == nil {
      memory[id] = MicrophoneSettings(name: name, recognition: .builtIn, fingerprint: fingerprint, place: place)
      memory[id]?.port = "built in"
    }
    memory[id]?.companion = camera
    builtIns.insert(id)
    online[id] = Online(
      present: PresentMicrophone(
        sysPath: "built-in/\(id)", node: device.node, fingerprint: fingerprint, place: place, port: "built in"),
      device: device)
    stream(id).attach(device)
    parts.observer(.changed(id))
  }
}

extension MicrophoneRegistry: RememberingRegistry {
  static var place: WritableKeyPath<RigSettings, [MicrophoneID: MicrophoneSettings]> & Sendable { \.microphones }
  var store: SettingsStore { parts.store }
  var log: Log { parts.log }
  /// Why what holds would be lost by a restart.
  package var saveTrouble: String? { saving.trouble }
}
