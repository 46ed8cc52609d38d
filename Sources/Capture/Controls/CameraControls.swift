import CamrigModel
import Settings
import V4L2

/// The controls of one camera, apart from its pictures: with a handle and a thread of their own, so that a camera which
/// takes seconds to obey loses no picture. While nobody wants anything of them there is neither. All calls return at
/// once (but `shutdown`) and may come from anywhere.
package final class CameraControls: Sendable {
  /// How long a client waits for its answer. The value is set all the same.
  package static let patience: Duration = .seconds(2)
  /// To list all of them may take a slow camera longer.
  package static let listPatience: Duration = .seconds(8)

  private let id: CameraID
  private let clock: any RigClock
  private let timer: any RegistryTimer
  private let log: CameraLog
  private let tell: @Sendable (ControlNews) -> Void
  private let hintsChanged = Guarded<(@Sendable () -> Void)?>(nil)
  private let desk = Guarded(ControlDesk())
  private let worker = Guarded(Worker())
  private let clients = Guarded(Clients())

  private struct Worker {
    var thread: CaptureThread?
    var wake: WakeEvent?
  }

  private struct Clients {
    var last = 0
    var waiting: [Int: Awaited<ControlAnswerToClient>] = [:]
  }

  /// - Parameter tell: called from any thread, with no lock held.
  init(
    id: CameraID, clock: any RigClock, timer: any RegistryTimer, log: CameraLog,
    tell: @escaping @Sendable (ControlNews) -> Void
  ) {
    self.id = id
    self.clock = clock
    self.timer = timer
    self.log = log
    self.tell = tell
  }

  /// - Parameter observer: called from any thread, with no lock held, whenever `hints` are other ones.
  func observeHints(_ observer: @escaping @Sendable () -> Void) { hintsChanged.withLock { $0 = observer } }

  // MARK: The camera

  func attach(_ device: any CameraDevice) { update { $0.attach(device) } }
  func detach() { update { $0.detach() } }
  func setEnabled(_ enabled: Bool) { update { $0.setEnabled(enabled) } }

  func setKept(_ kept: [String: KeptControl]) {
    update { desk in
      desk.kept = kept
      return ControlEffects()
    }
  }

  /// What the camera's own picture is flipped by, beside what users chose for these controls; nil: by nothing.
  func setFlips(_ flips: CameraFlips?) {
    update { desk in
      desk.setFlips(flips)
      return ControlEffects()
    }
  }

  /// Whether it has controls for both; nil: not asked yet.
  package var canFlip: Bool? { desk.withLock { $0.canFlip } }

  /// The first picture of a stream.
  package func pictureCame() {
    let now = clock.now
    update { desk in
      desk.pictureCame(at: now)
      return ControlEffects()
    }
  }

  func rateChanged(_ slow: (measured: Double, granted: Double)?) { update { $0.rateChanged(slow) } }

  func shutdown() {
    update { $0.shutDown() }
    worker.withLock { $0.thread }?.join()
  }

  // MARK: Who looks

  /// For monitors: what a person may want to do about the camera.
  package var hints: [String] { desk.withLock { $0.hints } }

  /// In the driver's order, as far as they are known: always while somebody watches, a moment after the camera came.
  package var known: [ControlDescription]? { desk.withLock { $0.known } }

  /// Clients without an answer yet.
  package var waiting: Int { desk.withLock { $0.requests.count } }

  /// Until as many `unwatch`: every change is told.
  package func watch() {
    update { desk in
      desk.watch(true)
      return ControlEffects()
    }
  }

  package func unwatch() {
    update { desk in
      desk.watch(false)
      return ControlEffects()
    }
  }

  /// Read anew, with queries only.
  package func list() async throws(ControlTrouble) -> [ControlDescription] {
    switch await ask(within: Self.listPatience, { desk, number in desk.list(number) }).answer() {
    case .controls(let controls): return controls
    case .outcome: preconditionFailure("who lists gets a list")
    case .failed(let trouble): throw trouble
    }
  }

  /// Answered when each has been written or refused, or after `patience`.
  package func set(_ values: [String: ControlValue]) async throws(ControlTrouble) -> ControlOutcome {
    try await begin(values).outcome()
  }

  /// The same in two steps: once this returns, a later wish is behind it.
  package func begin(_ values: [String: ControlValue]) -> Wish { begin(.set(values)) }

  /// To the driver's defaults, and nothing is kept of them; nil: all.
  package func reset(_ names: [String]?) async throws(ControlTrouble) -> ControlOutcome {
    try await begin(.reset(names)).outcome()
  }

  // MARK: Its lights

  /// From now on `lights` are those that the camera has, a moment after it came, and each change of them is told.
  package func showLights() {
    update { desk in
      desk.showLights()
      return ControlEffects()
    }
  }

  /// As they really are.
  package var lights: [CameraLight] { desk.withLock { $0.lights } }

  /// Returns the level that was granted.
  package func set(light name: String, _ level: Int) async throws(CameraLightTrouble) -> Int {
    for values in lights.first(where: { $0.name == name })?.writes(level) ?? [] {
      let outcome: ControlOutcome
      do { outcome = try await set(values) } catch { throw .controls(error) }
      if let refusal = outcome.refused.values.first { throw .refused(refusal) }
    }
    guard let light = lights.first(where: { $0.name == name }) else { throw .gone }
    return light.level
  }

  // MARK: Asking

  /// What was asked and is not answered yet.
  package struct Wish: Sendable {
    fileprivate let awaited: Awaited<ControlAnswerToClient>
    fileprivate let expiry: Task<Void, Never>

    fileprivate func answer() async -> ControlAnswerToClient {
      defer { expiry.cancel() }
      return await awaited.value
    }

    /// For one who waits.
    package func outcome() async throws(ControlTrouble) -> ControlOutcome {
      switch await answer() {
      case .outcome(let outcome): return outcome
      case .controls: preconditionFailure("who sets gets an outcome")
      case .failed(let trouble): throw trouble
      }
    }
  }

  private func begin(_ ask: ControlDesk.Ask) -> Wish {
    let now = clock.now
    return self.ask(within: Self.patience) { desk, number in desk.ask(number, ask, now: now) }
  }

  private func ask(
    within patience: Duration, _ body: @escaping @Sendable (inout ControlDesk, Int) -> ControlEffects
  ) -> Wish {
    let awaited = Awaited<ControlAnswerToClient>()
    let number = clients.withLock { clients in
      clients.last += 1
      clients.waiting[clients.last] = awaited
      return clients.last
    }
    update { body(&$0, number) }
    let expiry = Task { [weak self, timer] in
      await timer.wait(patience)
      if !Task.isCancelled { self?.update { $0.expire(number) } }
    }
    return Wish(awaited: awaited, expiry: expiry)
  }

  // MARK: State

  private func update(wakes: Bool = true, _ change: (inout ControlDesk) -> ControlEffects) {
    let (effects, mustStart) = desk.withLock { desk in
      let effects = change(&desk)
      let mustStart = desk.needsThread && !desk.isThreadRunning
      if mustStart { desk.isThreadRunning = true }
      return (effects, mustStart)
    }
    if mustStart {
      startThread()
    } else if wakes {
      worker.withLock { $0.wake }?.signal()
    }
    for (number, answer) in effects.answers {
      clients.withLock { $0.waiting.removeValue(forKey: number) }?.give(answer)
    }
    for news in effects.news { tell(news) }
    guard effects.haveHintsChanged else { return }
    for hint in hints { log.once(hint, hint) }
    hintsChanged.withLock { $0 }?()
  }

  private func startThread() {
    do throws(CaptureError) {
      try worker.withLock { worker throws(CaptureError) in
        // It has ended, or is about to return.
        worker.thread?.join()
        worker.thread = nil
        let wake = if let wake = worker.wake { wake } else { try WakeEvent() }
        worker.wake = wake
        worker.thread = try CaptureThread(name: "ctl \(id.rawValue.suffix(11))") { self.work(wake) }
      }
    } catch {
      let now = clock.now
      update(wakes: false) { desk in
        desk.isThreadRunning = false
        return desk.openFailed(error, attachment: desk.attachment, now: now)
      }
    }
  }

  // MARK: The thread

  private struct Handle {
    let controls: any OpenControls
    let attachment: Int
  }

  private func work(_ wake: WakeEvent) {
    var handle: Handle?
    while true {
      let now = clock.now
      let errand = desk.withLock { $0.errand(now: now) }
      switch errand {
      case .end:
        handle?.controls.close()
        return
      case .open(let device, let attachment):
        handle?.controls.close()
        handle = open(device, attachment)
      case .apply: update(wakes: false) { $0.apply() }
      case .tell: update(wakes: false) { $0.tell(now: now) }
      case .wait(let time):
        guard let open = handle else {
          wake.wait(atMost: time.map { $0 - now } ?? .seconds(3600))
          continue
        }
        use(&handle) { () throws(V4L2Error) in try wait(open, wake, time.map { $0 - now }) }
      case .write(let control, let value):
        guard let open = handle else { continue }
        use(&handle) { () throws(V4L2Error) in try write(open, control, value) }
      case .refresh(let controls):
        guard let open = handle else {
          // A device without controls: what is known of them is all there is.
          update(wakes: false) { $0.refreshed(controls, attachment: $0.attachment, now: now) }
          continue
        }
        use(&handle) { () throws(V4L2Error) in try refresh(open, controls) }
      }
    }
  }

  /// A handle that stays open keeps an unplugged camera's node from coming back.
  private func use(_ handle: inout Handle?, _ body: () throws(V4L2Error) -> Void) {
    do throws(V4L2Error) {
      try body()
    } catch {
      guard let dead = handle else { return }
      dead.controls.close()
      handle = nil
      update(wakes: false) { $0.died(.device(error), attachment: dead.attachment, now: self.clock.now) }
    }
  }

  private func open(_ device: any CameraDevice, _ attachment: Int) -> Handle? {
    var found: (any OpenControls)?
    do throws(CaptureError) {
      let opened = try device.openControls()
      found = opened
      var controls: [ControlDescription] = []
      do throws(V4L2Error) { controls = try opened?.list() ?? [] } catch { throw .device(error) }
      opened?.subscribe(to: controls)
      let listed = controls
      update(wakes: false) { $0.opened(listed, attachment: attachment, now: self.clock.now) }
      return opened.map { Handle(controls: $0, attachment: attachment) }
    } catch {
      found?.close()
      update(wakes: false) { $0.openFailed(error, attachment: attachment, now: self.clock.now) }
      return nil
    }
  }

  private func wait(_ handle: Handle, _ wake: WakeEvent, _ timeout: Duration?) throws(V4L2Error) {
    switch try handle.controls.next(wake: wake.descriptor, timeout: timeout) {
    case .timeout: break
    case .woken: wake.drain()
    case .changed(let ids):
      update(wakes: false) { desk in
        desk.noticed(ids, attachment: handle.attachment)
        return ControlEffects()
      }
    }
  }

  private func write(_ handle: Handle, _ asked: ControlDescription, _ value: ControlValue) throws(V4L2Error) {
    var control = asked
    // What has had no effect may have one by now, for an automatic was switched off a moment ago.
    if !control.flags.isDisjoint(with: [.inactive, .grabbed]) { try handle.controls.refresh(&control) }
    let result = try attempt(handle, control, value)
    if case .success(let granted) = result, control.type != .button, !control.flags.contains(.writeOnly) {
      control.value = granted
    }
    let fresh = try dependents(of: control, handle) + [control]
    let id = control.id
    update(wakes: false) {
      $0.wrote(id, value, result, fresh: fresh, attachment: handle.attachment, now: self.clock.now)
    }
  }

  private func attempt(
    _ handle: Handle, _ control: ControlDescription, _ value: ControlValue
  ) throws(V4L2Error) -> Result<ControlValue, ControlRefusal> {
    if control.flags.contains(.inactive) {
      return .failure(.inactive(control.key, by: ControlPlan.worker(of: control, among: known ?? [])))
    }
    if control.flags.contains(.grabbed) { return .failure(.grabbed(control.key)) }
    do throws(V4L2Error) {
      return .success(try handle.controls.write(value, to: control))
    } catch {
      guard case .refused(_, _, let errno) = error else { throw error }
      return .failure(.device(control.key, driverRefusal(errno), errno: errnoName(errno)))
    }
  }

  /// An automatic that is switched changes what depends on it, and not every driver tells so.
  private func dependents(of control: ControlDescription, _ handle: Handle) throws(V4L2Error) -> [ControlDescription] {
    guard let pair = AutomaticPair.of(automatic: control.id) else { return [] }
    var dependents = (known ?? []).filter { pair.dependents.contains($0.id) }
    for index in dependents.indices { try handle.controls.refresh(&dependents[index]) }
    return dependents
  }

  private func refresh(_ handle: Handle, _ controls: [ControlDescription]) throws(V4L2Error) {
    var fresh = controls
    for index in fresh.indices { try handle.controls.refresh(&fresh[index]) }
    let all = fresh
    update(wakes: false) { $0.refreshed(all, attachment: handle.attachment, now: self.clock.now) }
  }
}
