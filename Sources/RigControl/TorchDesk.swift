import CamrigModel
import Capture
import DaemonKit

/// All torches of the rig: what they are at, who may have switched them, and when they go off by themselves.
package actor TorchDesk {
  private let sources: [any TorchSource]
  private let timer: any RegistryTimer
  private let log: Log
  private let changed: @Sendable ([TorchDescription]) -> Void
  private var timeLimit: Duration
  private var known: [TorchDescription] = []
  /// Whose each is, by its place in `sources`.
  private var owners: [String: Int] = [:]
  private var looks = 0
  private var seen = 0
  /// How bright each was the last time.
  private var lastLevels: [String: Int] = [:]
  /// Counts the wishes for each torch, so that a time limit of an earlier one does nothing.
  private var wishes: [String: Int] = [:]
  /// Wishes for each torch that are on their way to it.
  private var underWay: [String: Int] = [:]
  private var isClosed = false

  /// - Parameter changed: told all torches after each change. With no lock held.
  package init(
    sources: [any TorchSource], timeLimit: Duration, timer: any RegistryTimer, log: Log,
    changed: @escaping @Sendable ([TorchDescription]) -> Void
  ) {
    self.sources = sources
    self.timeLimit = timeLimit
    self.timer = timer
    self.log = log
    self.changed = changed
  }

  package func use(timeLimit: Duration) { self.timeLimit = timeLimit }

  /// As they really are now.
  package var torches: [TorchDescription] {
    get async {
      await look()
      return known
    }
  }

  /// Something may have happened to one of them: a camera came or went, somebody else has switched a light.
  package func look() async {
    looks += 1
    let look = looks
    var found: [TorchDescription] = []
    var owners: [String: Int] = [:]
    for (index, source) in sources.enumerated() {
      let torches = await source.torches()
      found += torches
      for torch in torches { owners[torch.id] = index }
    }
    // One that began later has seen more.
    guard look > seen else { return }
    seen = look
    self.owners = owners
    guard found != known else { return }
    known = found
    changed(found)
  }

  package func set(_ request: TorchSetRequest, camera: CameraID?) async throws(RigError) -> TorchDescription {
    let torch = try await find(request.torch, camera)
    guard request.on != nil || request.level != nil else {
      throw RigError(.paramsInvalid, "Say on (true or false) or level (0 to \(torch.maxLevel)).")
    }
    var level = request.level ?? brightness(torch)
    if request.on == false { level = 0 }
    guard (0...torch.maxLevel).contains(level) else {
      throw RigError(.paramsInvalid, "The level of \(torch.name) is from 0 to \(torch.maxLevel), not \(level).")
    }
    try await set(torch, level)
    guard let now = known.first(where: { $0.id == torch.id }) else {
      throw RigError(.torchUnknown, "the torch \(torch.name) has gone just now.")
    }
    return now
  }

  /// None stays on after the rig, nor from before it.
  package func allOff() async {
    await look()
    for torch in known where torch.on || underWay[torch.id, default: 0] > 0 { await putOut(torch) }
  }

  /// At the rig's end: all off, and none goes on any more.
  package func close() async {
    isClosed = true
    await allOff()
  }

  /// A camera is about to be out of reach.
  package func off(of camera: CameraID) async {
    for torch in known where torch.camera == camera && torch.on { await putOut(torch) }
  }

  private func putOut(_ torch: TorchDescription) async {
    do throws(RigError) { try await set(torch, 0) } catch { log.error("\(torch.name) stays on: \(error)") }
  }

  func isOn(_ torch: TorchDescription) -> Bool { known.first { $0.id == torch.id }?.on == true }

  /// As bright as the last time, and fully at first.
  func brightness(_ torch: TorchDescription) -> Int { min(lastLevels[torch.id] ?? torch.maxLevel, torch.maxLevel) }

  func wish(for torch: TorchDescription) -> Int? { wishes[torch.id] }

  func note(_ trouble: String) { log.error(trouble) }

  func set(_ torch: TorchDescription, _ level: Int) async throws(RigError) {
    let wish = newWish(for: torch)
    if try await put(torch, level) > 0 { limit(torch, wish) }
  }

  /// The number of a wish that is to be carried out now.
  func newWish(for torch: TorchDescription) -> Int {
    wishes[torch.id, default: 0] += 1
    return wishes[torch.id, default: 0]
  }

  /// With no time limit. Returns the level that was granted.
  @discardableResult
  func put(_ torch: TorchDescription, _ level: Int) async throws(RigError) -> Int {
    guard let owner = owners[torch.id] else {
      throw RigError(.torchUnknown, "the torch \(torch.name) is gone.")
    }
    guard level == 0 || !isClosed else { throw RigError(.torchFailed, "The rig is being stopped.") }
    underWay[torch.id, default: 0] += 1
    let outcome = await sources[owner].set(torch, level)
    underWay[torch.id, default: 1] -= 1
    await look()
    let granted = try outcome.get()
    if granted > 0 { lastLevels[torch.id] = granted }
    return granted
  }

  private func limit(_ torch: TorchDescription, _ wish: Int) {
    guard timeLimit > .zero else { return }
    Task { [weak self, timer, timeLimit] in
      await timer.wait(timeLimit)
      await self?.timeIsUp(torch, wish)
    }
  }

  private func timeIsUp(_ torch: TorchDescription, _ wish: Int) async {
    guard wishes[torch.id] == wish else { return }
    do throws(RigError) {
      try await set(torch, 0)
      log.notice("\(torch.name) switched off: nobody has touched it for as long as TimeLimit= says")
    } catch {
      log.error("\(torch.name) stays on beyond TimeLimit=: \(error)")
    }
  }

  /// What is known is what there is: whatever comes, goes or is switched makes the rig look. Only where it seems not to be
  /// there it is looked for once more.
  private func find(_ name: String?, _ camera: CameraID?) async throws(RigError) -> TorchDescription {
    do throws(RigError) {
      return try findKnown(name, camera)
    } catch {
      await look()
      return try findKnown(name, camera)
    }
  }

  private func findKnown(_ name: String?, _ camera: CameraID?) throws(RigError) -> TorchDescription {
    guard !known.isEmpty else {
      throw RigError(
        .torchNone,
        "This rig has no torch. Name one in [Torch] of camrig.conf, or plug in a camera that has one.")
    }
    if let name {
      if let torch = known.first(where: { $0.id == name || $0.name == name }) { return torch }
      throw RigError(
        .torchUnknown, "There is no torch \"\(name)\". There are: \(known.map(\.id).joined(separator: ", ")).")
    }
    if let camera {
      if let torch = known.first(where: { $0.camera == camera }) { return torch }
      throw RigError(.torchNone, "No torch belongs to \(camera).")
    }
    if known.count == 1 { return known[0] }
    throw RigError(.paramsInvalid, "Which torch? There are: \(known.map(\.id).joined(separator: ", ")).")
  }
}
