import CamrigModel
import DaemonKit
import RigControl

/// The rig's state as monitors show it: one document of maps, and the patches from each revision to the next.
/// While nobody watches it does nothing.
package actor StateBoard {
  /// Between two revisions, so that a burst of events is one patch.
  private static let spacing = Duration.milliseconds(100)
  /// What no event tells (free space, the clock's state) is looked at so often while somebody watches.
  private static let look = Duration.seconds(10)
  /// A monitor that is further behind loses the oldest, sees that the revisions do not follow, and asks anew.
  private static let waitingPatches = 256

  private let rig: Rig
  private let log: Log
  /// Members beside the rig's own, such as the paired monitors.
  private let more: @Sendable () async -> [String: JSONValue]
  /// And those that only admins see.
  private let forAdmins: @Sendable () async -> [String: JSONValue]
  private var everybody = StateEdition()
  private var admins = StateEdition()
  private var watchers: [Int: (feed: AsyncStream<RPCNotification>.Continuation, isAdmin: Bool)] = [:]
  private var nextWatcher = 0
  /// Watchers whose first look is under way.
  private var arriving = 0
  private var pumps: [Task<Void, Never>] = []
  private var controlWatch: ControlWatch?
  private var controls = ControlsMember()
  private var isScheduled = false
  private var ticket = 0
  private var applied = 0

  package init(
    rig: Rig, log: Log, forAdmins: @escaping @Sendable () async -> [String: JSONValue] = { [:] },
    more: @escaping @Sendable () async -> [String: JSONValue] = { [:] }
  ) {
    self.rig = rig
    self.forAdmins = forAdmins
    self.log = log
    self.more = more
  }

  /// The state now, and what follows it without a gap: `state.changed` with a patch, and what happens to takes.
  package func watch(asAdmin isAdmin: Bool = false) async throws -> (
    state: JSONValue, changes: AsyncStream<RPCNotification>
  ) {
    arriving += 1
    defer { arriving -= 1 }
    if pumps.isEmpty { begin() }
    if controlWatch == nil { controlWatch = await rig.watchControls() }
    try await refresh()
    let (stream, continuation) = AsyncStream.makeStream(
      of: RPCNotification.self, bufferingPolicy: .bufferingNewest(Self.waitingPatches))
    let number = nextWatcher
    nextWatcher += 1
    watchers[number] = (continuation, isAdmin)
    continuation.onTermination = { [weak self] _ in Task { await self?.leave(number) } }
    return ((isAdmin ? admins : everybody).snapshot, stream)
  }

  /// The state as it is now, for who does not watch it.
  package func look() async throws -> JSONValue {
    try StateDocument(await rig.status(), more: await openMembers()).json
  }

  private func openMembers() async -> [String: JSONValue] {
    var members = await more()
    members["controls"] = controls.json(await rig.knownControls())
    return members
  }

  /// Something beside the rig's events has changed.
  package func changed() { schedule() }

  /// The rig has ended, and its events with it: what it told last is passed on, and nothing comes behind.
  package func finish() async {
    await pumps.first?.value
    for pump in pumps { pump.cancel() }
    tellEnd()
    for watcher in watchers.values { watcher.feed.finish() }
  }

  /// The last look may be older than the take's end. Nothing is looked at any more: the rig has let go of its cameras.
  private func tellEnd() {
    applied = .max
    do {
      tell(try everybody.remove("recording"), admins: try admins.remove("recording"))
    } catch {
      log.error("the state cannot be told: \(error)")
    }
  }

  /// The first one ends with the rig's events.
  private func begin() {
    let events = rig.events.subscribe()
    pumps = [
      Task { [weak self] in for await event in events { await self?.take(event) } },
      Task { [weak self] in
        while !Task.isCancelled {
          do { try await Task.sleep(for: Self.look) } catch { return }
          await self?.changed()
        }
      },
    ]
  }

  private func leave(_ number: Int) {
    watchers[number] = nil
    guard watchers.isEmpty, arriving == 0 else { return }
    for pump in pumps { pump.cancel() }
    pumps = []
    controlWatch = nil
  }

  private func take(_ event: RigEvent) {
    switch event {
    // Cameras, their controls, arming and progress are in the state.
    case .camera, .cameraForgotten, .controls, .microphone, .microphoneForgotten, .armed, .torches, .take(.progress),
      .eventsLost:
      break
    case .timelapse(.advanced): break
    case .take, .takeRepaired, .photo, .timelapse:
      do { try tell(event.notification()) } catch { log.error("an event cannot be sent: \(error)") }
    }
    schedule()
  }

  private func schedule() {
    guard !isScheduled, !watchers.isEmpty || arriving > 0 else { return }
    isScheduled = true
    Task { [weak self] in
      try? await Task.sleep(for: Self.spacing)
      await self?.refreshNow()
    }
  }

  private func refreshNow() async {
    isScheduled = false
    do { try await refresh() } catch { log.error("the state cannot be told: \(error)") }
  }

  private func refresh() async throws {
    ticket += 1
    let mine = ticket
    let (status, members, secret) = (await rig.status(), await openMembers(), await forAdmins())
    // Cameras that were let go of would look as if they were unplugged.
    let isEnding = await rig.isEnding
    // Another look, begun later, may have been faster.
    guard mine > applied, !isEnding else { return }
    applied = mine
    tell(
      try everybody.change(to: StateDocument(status, more: members).json),
      admins: try admins.change(to: StateDocument(status, more: members.merging(secret) { $1 }).json))
  }

  private func tell(_ open: RPCNotification?, admins all: RPCNotification?) {
    for watcher in watchers.values {
      if let change = watcher.isAdmin ? all : open { watcher.feed.yield(change) }
    }
  }

  private func tell(_ notification: RPCNotification) {
    for watcher in watchers.values { watcher.feed.yield(notification) }
  }
}
