import DaemonKit
import Dispatch
import Settings

/// A registry whose memory is a part of the settings' file.
protocol RememberingRegistry: Actor {
  associatedtype Memory: Equatable & Sendable

  static var place: WritableKeyPath<RigSettings, Memory> & Sendable { get }
  var memory: Memory { get set }
  var saving: RegistrySaving { get set }
  var store: SettingsStore { get }
  var log: Log { get }
  /// What blocks, in order.
  var errands: DispatchQueue { get }
}

/// How far the memory is on its way to the disk.
struct RegistrySaving {
  var isUnderWay = false
  var isWanted = false
  /// Why what holds is not on the disk: a restart would lose it.
  var trouble: String?
  /// Times that it was sent there.
  var count = 0
}

extension RememberingRegistry {
  /// What the registry itself has learnt is kept as soon as the disk allows; nobody waits for it.
  func keepSoon() {
    saving.isWanted = true
    guard !saving.isUnderWay else { return }
    saving.isUnderWay = true
    Task { await keepUntilNothingIsWanted() }
  }

  private func keepUntilNothingIsWanted() async {
    while saving.isWanted {
      saving.isWanted = false
      guard let error = await keep(memory) else { continue }
      let trouble = "\(error) It is tried again with the next change."
      if trouble != saving.trouble { log.error(trouble) }
      saving.trouble = trouble
    }
    saving.isUnderWay = false
  }

  /// What a user has asked for is on the disk before it holds; what comes back is why it does not.
  func changed(_ body: @Sendable (inout Memory) -> Void) async -> SettingsError? {
    var next = memory
    body(&next)
    let before = saving.count
    if let trouble = await keep(next) { return trouble }
    // The memory may have learnt something meanwhile, or have been sent to the disk without this behind it.
    body(&memory)
    if memory != next || saving.count != before + 1 { keepSoon() }
    return nil
  }

  func keep(_ memory: Memory) async -> SettingsError? {
    saving.count += 1
    let (store, place) = (store, Self.place)
    let trouble = await blocking(errands) { () -> SettingsError? in
      do throws(SettingsError) {
        try store.update { $0[keyPath: place] = memory }
        return nil
      } catch {
        return error
      }
    }
    if trouble == nil { saving.trouble = nil }
    return trouble
  }
}
