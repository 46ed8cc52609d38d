import CamrigModel
import DaemonKit
import Settings

/// From nodes that come and go to cameras that are online and offline.
extension CameraRegistry {
  /// Nodes that come at once are judged at once, so that new twins are seen side by side; a slow one is not waited
  /// for longer than this.
  private static var patience: Duration { .milliseconds(300) }
  /// A camera that has been in another socket for so long is at home there. Until then a twin that comes to the old
  /// socket is the camera (they may all be coming up after a boot).
  private static var settlingTime: Duration { .seconds(30) }

  func take(_ batch: NodeMailbox.Batch) {
    var gone = batch.removed.filter { nodes[$0] != nil }
    if batch.isComplete { gone.formUnion(nodes.keys.filter { batch.present[$0] == nil }) }
    for path in gone { nodes[path] = nil }
    // What went and came back was away.
    if !gone.isEmpty { resolve() }
    for found in batch.present.values.sorted(by: { $0.sysPath < $1.sysPath }) {
      // Told twice, by the listing and by an event.
      if let node = nodes[found.sysPath], node.found == found, case .success(let facts)? = node.result,
        facts.role != .noCamera, facts.formatCount > 0
      {
        continue
      }
      nodes[found.sysPath] = Node(found: found, generation: 0, result: nodes[found.sysPath]?.result)
      ask(found.sysPath)
    }
  }

  /// Probes a node.
  func ask(_ path: String) {
    guard let node = nodes[path] else { return }
    let generation = nextNumber()
    nodes[path]?.generation = generation
    probing.insert(generation)
    let (probe, name) = (parts.probe, node.found.node)
    Task {
      let result = await blocking(probes) { () -> Result<NodeFacts, NodeProbeError> in
        do throws(NodeProbeError) { return .success(try probe.probe(name)) } catch { return .failure(error) }
      }
      answered(path, generation, result)
    }
  }

  private func answered(_ path: String, _ generation: Int, _ result: Result<NodeFacts, NodeProbeError>) {
    probing.remove(generation)
    if nodes[path]?.generation == generation {
      var isFinal = true
      switch result {
      case .failure(let error): isFinal = !askAgain(path, generation, error)
      case .success: endWatch(path)
      }
      if isFinal { nodes[path]?.result = result }
    }
    if probing.isEmpty {
      resolve()
    } else if !isBatchTimed {
      isBatchTimed = true
      Task {
        await parts.timer.wait(Self.patience)
        isBatchTimed = false
        resolve()
      }
    }
  }

  /// A node that was busy or locked can be asked now. Where there is a camera already, that says what is watched.
  private func endWatch(_ path: String) {
    guard let node = nodes[path], case .failure? = node.result,
      !online.values.contains(where: { $0.camera.node == node.found.node && $0.isAttached })
    else { return }
    watch?.watch(node.found.node, for: nil)
  }

  /// True: it is asked again later, and until then nobody is told of the trouble.
  private func askAgain(_ path: String, _ generation: Int, _ error: NodeProbeError) -> Bool {
    switch error {
    case .gone: return false
    case .busy:
      if let node = nodes[path]?.found.node { watchBusy(node) }
      return false
    case .notYetOurs(let reason), .refused(let reason):
      guard var retry = nodes[path]?.retry, retry.tries < Node.mostTries else {
        parts.log.warning(reason)
        if let node = nodes[path]?.found.node { watch?.watch(node, for: .permission) }
        return false
      }
      let wait = retry.next()
      nodes[path]?.retry = retry
      Task {
        await parts.timer.wait(wait)
        if nodes[path]?.generation == generation { ask(path) }
      }
      return true
    }
  }

  /// Who is who now, and what follows from it.
  func resolve() {
    let candidates = nodes.values.compactMap { node in
      node.result.map { CameraSelection.Candidate(node.found, $0) }
    }
    let present = CameraSelection.cameras(among: candidates)
    let before = memory
    let resolution = CameraIdentity.resolve(
      present: present, memory: memory, promised: promisedNames.map(\.name), now: parts.clock.anchor.wall)
    memory = resolution.memory
    var now: [CameraID: PresentCamera] = [:]
    for camera in present { if let id = resolution.ids[camera.sysPath] { now[id] = camera } }

    for (id, was) in online where builtIns[id] == nil && now[id]?.sysPath != was.camera.sysPath {
      leave(id, isUnplugged: now[id] == nil)
    }
    for (id, camera) in now.sorted(by: { $0.key < $1.key }) {
      if let was = online[id] {
        guard was.camera != camera else { continue }
        online[id]?.camera = camera
        if camera.problem != was.camera.problem {
          online[id]?.since = parts.clock.anchor.wall
          camera.problem == nil ? attach(id) : detach(id)
        }
        emit(.changed(id))
      } else {
        arrive(id, camera, isNew: before[id] == nil)
      }
    }
    if memory != before {
      tellConflicts()
      keepSoon()
    }
  }

  private func arrive(_ id: CameraID, _ camera: PresentCamera, isNew: Bool) {
    let plugging = nextNumber()
    online[id] = Online(camera: camera, plugging: plugging, since: parts.clock.anchor.wall)
    memory[id]?.lastSeen = parts.clock.anchor.wall
    if isNew { emit(.appeared(id)) }
    let name = memory[id]?.name ?? id.rawValue
    let wait = flaps[id]?.appeared(at: parts.clock.now) ?? .zero
    if wait == .zero {
      parts.log.notice(
        isNew ? "\(name) is new, at \(camera.port)" : "\(name) is online, at \(camera.port)", .cameraOnline,
        camera: id, fields: ["CAMRIG_NODE": camera.node])
      attach(id)
    } else {
      Task {
        await parts.timer.wait(wait)
        guard online[id]?.plugging == plugging else { return }
        parts.log.notice("\(name) is online again, at \(camera.port)", .cameraOnline, camera: id)
        attach(id)
        emit(.changed(id))
      }
    }
    emit(.online(id))
    guard memory[id]?.place != camera.place else { return }
    Task {
      await parts.timer.wait(Self.settlingTime)
      if online[id]?.plugging == plugging { settle([id]) }
    }
  }

  /// - Parameter isUnplugged: false where another device turned out to be this camera.
  private func leave(_ id: CameraID, isUnplugged: Bool) {
    guard let was = online.removeValue(forKey: id) else { return }
    watch?.watch(was.camera.node, for: nil)
    streams[id]?.detach()
    memory[id]?.lastSeen = parts.clock.anchor.wall
    if isUnplugged { flaps[id, default: FlapGuard()].vanished(at: parts.clock.now) }
    // A loose contact is told of at its start, not each time.
    if was.isAttached {
      let message = "\(memory[id]?.name ?? id.rawValue) is offline"
      parts.log.notice(message, .cameraOffline, camera: id)
    }
    emit(.offline(id))
  }

  func attach(_ id: CameraID) {
    guard let camera = online[id]?.camera, camera.problem == nil else { return }
    online[id]?.isAttached = true
    stream(id).attach(builtIns[id] ?? parts.device(camera.node))
  }

  private func detach(_ id: CameraID) {
    online[id]?.isAttached = false
    streams[id]?.detach()
  }

  /// These cameras are at home where they are now.
  func settle(_ ids: some Sequence<CameraID>) {
    for id in ids {
      guard let camera = online[id]?.camera, let record = memory[id], record.place != camera.place,
        builtIns[id] == nil
      else { continue }
      memory[id]?.place = camera.place
      memory[id]?.port = camera.port
      keepSoon()
    }
  }

  func tellConflicts() {
    let now = CameraIdentity.sharing(memory)
    let news = now.filter { sharing[$0.key] != $0.value }
    sharing = now
    var told: Set<CameraID> = []
    for (id, others) in news.sorted(by: { $0.key < $1.key }) where !told.contains(id) {
      let group = ([id] + others).sorted()
      told.formUnion(group)
      let names = group.map { memory[$0]?.name ?? $0.rawValue }
      parts.log.warning(
        "\(names.joined(separator: ", ")) have the same serial. They are told apart by their sockets: leave each in "
          + "its own.", .cameraConflict, camera: id)
      emit(.conflict(group))
    }
  }
}
