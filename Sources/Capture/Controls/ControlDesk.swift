import CamrigModel
import Settings
import V4L2

/// What is asked of a camera's controls, what is known of them, and what their thread is to do next. A plain value:
/// `CameraControls` keeps it under its lock and carries the errands out.
struct ControlDesk {
  enum Errand {
    /// The thread closes the controls and ends; a later wish starts another.
    case end
    case open(any CameraDevice, attachment: Int)
    /// The value is the driver's.
    case write(ControlDescription, ControlValue)
    /// To read anew.
    case refresh([ControlDescription])
    /// What was kept is to be put in line.
    case apply
    /// Monitors are to be told what has changed.
    case tell
    case wait(until: MediaTime?)
  }

  /// A value that waits for its turn: of each control one, the latest.
  struct Pending {
    let id: UInt32
    var value: ControlValue
    /// Kept from before rather than chosen now.
    var isKept: Bool
    /// It resets: nothing is kept of it.
    var isReset = false
    var requests: Set<Int> = []
  }

  struct Request {
    var remaining: Set<UInt32> = []
    var outcome = ControlOutcome()
  }

  /// Between two writes of one control.
  static let spacing: Duration = .milliseconds(50)
  /// Between two tellings of what has changed.
  static let tellSpacing: Duration = .milliseconds(100)
  /// Open for so long after the last wish, for the next one is often near.
  static let linger: Duration = .seconds(2)
  /// From the first good picture to the second look whether the driver has kept what was set.
  static let checkAfter: Duration = .seconds(1)
  /// More requests than that are answered before their values are set.
  static let mostRequests = 256
  static let mostTries = 6
  /// Until somebody asks, or it is plugged in anew.
  static let givenUp: Duration = .seconds(3600)

  var device: (any CameraDevice)?
  var attachment = 0
  private var isEnabled = true
  private(set) var isShutDown = false
  var isThreadRunning = false
  var watchers = 0
  /// The rig shows the camera's lights: they are looked for whenever it comes, and if it has some its controls stay open.
  private(set) var showsLights = false
  /// Since it was plugged in its lights have been looked for, or cannot be.
  var hasLookedForLights = false

  /// In the driver's order, with the values as users choose them (`CameraFlips`); empty while it is not open.
  var controls: [ControlDescription] = []
  var isOpen = false
  var retry = Backoff(first: .milliseconds(200), most: .seconds(5))
  var retryAt: MediaTime?
  private var lingerUntil: MediaTime?

  var kept: [String: KeptControl] = [:]
  private var flips: CameraFlips?
  var canFlip: Bool?
  var mustApply = false
  var checkAt: MediaTime?
  /// Kept values that could not be set, by key.
  var troubles: [String: String] = [:]
  var rateHint: String?
  var slow: (measured: Double, granted: Double)?
  var mustJudge = false

  var pending: [Pending] = []
  var written: [UInt32: MediaTime] = [:]
  var requests: [Int: Request] = [:]
  /// Asked before the controls were known.
  var unplanned: [(number: Int, ask: Ask)] = []
  var listers: Set<Int> = []
  var stale: Set<UInt32> = []
  var changed: Set<UInt32> = []
  var toldAt: MediaTime?

  enum Ask: Sendable {
    case set([String: ControlValue])
    case reset([String]?)
  }

  // MARK: What others see

  /// Nil while they are not known.
  var known: [ControlDescription]? { isOpen ? controls : nil }

  var hints: [String] { (rateHint.map { [$0] } ?? []) + troubles.sorted { $0.key < $1.key }.map(\.value) }

  func control(_ id: UInt32) -> ControlDescription? { controls.first { $0.id == id } }

  /// Empty until it is asked to show them, and while they are not known.
  var lights: [CameraLight] { showsLights && hasLookedForLights ? CameraLight.all(in: controls) : [] }

  // MARK: What others want

  mutating func attach(_ new: any CameraDevice) -> ControlEffects {
    var effects = detach()
    device = new
    attachment += 1
    mustApply = hasLasting
    canFlip = nil
    hasLookedForLights = false
    retry = Backoff(first: .milliseconds(200), most: .seconds(5))
    effects.haveHintsChanged = true
    return effects
  }

  mutating func detach() -> ControlEffects {
    device = nil
    mustApply = false
    checkAt = nil
    slow = nil
    rateHint = nil
    troubles = [:]
    return lose(.offline)
  }

  mutating func setEnabled(_ enabled: Bool) -> ControlEffects {
    guard enabled != isEnabled else { return ControlEffects() }
    isEnabled = enabled
    if enabled {
      mustApply = device != nil && hasLasting
      hasLookedForLights = false
      return ControlEffects()
    }
    return lose(.disabled)
  }

  mutating func shutDown() -> ControlEffects {
    isShutDown = true
    return lose(.stopping)
  }

  mutating func watch(_ isWatching: Bool) { watchers += isWatching ? 1 : -1 }

  mutating func showLights() { showsLights = true }

  /// Nil: none any more.
  mutating func setFlips(_ new: CameraFlips?) {
    // Once flipped it must be set back.
    let wanted = new ?? flips.map { _ in CameraFlips() }
    guard wanted != flips else { return }
    flips = wanted
    mustApply = device != nil
  }

  private var hasLasting: Bool { !kept.isEmpty || flips != nil }

  /// What is set again whenever the camera comes or starts. Only a camera that has both flips is flipped.
  var lasting: [String: KeptControl] {
    guard let flips = flipsInForce, isOpen else { return kept }
    return flips.lasting(kept, among: controls)
  }

  private var flipsInForce: CameraFlips? { canFlip == true ? flips : nil }

  /// As users choose it, of what the driver has.
  func chosen(_ control: ControlDescription) -> ControlDescription { flipsInForce?.turned(control) ?? control }

  /// Between what users choose and what the driver has; the same both ways.
  func turned(_ value: ControlValue, of id: UInt32) -> ControlValue { flipsInForce?.turned(value, of: id) ?? value }

  /// The stream runs: what was set before may have been lost.
  mutating func pictureCame(at now: MediaTime) {
    for light in lights where light.level > 0 { put(light, at: light.level) }
    guard hasLasting else { return }
    mustApply = true
    checkAt = now + Self.checkAfter
  }

  /// Nil: the rate is as granted.
  mutating func rateChanged(_ slow: (measured: Double, granted: Double)?) -> ControlEffects {
    self.slow = slow
    mustJudge = slow != nil && device != nil
    guard slow == nil, rateHint != nil else { return ControlEffects() }
    rateHint = nil
    return ControlEffects(haveHintsChanged: true)
  }

  var obstacle: ControlTrouble? {
    if isShutDown { return .stopping }
    if device == nil { return .offline }
    return isEnabled ? nil : .disabled
  }

  mutating func list(_ number: Int) -> ControlEffects {
    if let obstacle { return ControlEffects(answers: [(number, .failed(obstacle))]) }
    listers.insert(number)
    retryAt = nil
    // What changes without an event.
    if isOpen { stale.formUnion(controls.filter { $0.type != .unsupported }.map(\.id)) }
    return isOpen && stale.isEmpty ? answerListers() : ControlEffects()
  }

  mutating func ask(_ number: Int, _ ask: Ask, now: MediaTime) -> ControlEffects {
    if let obstacle { return ControlEffects(answers: [(number, .failed(obstacle))]) }
    guard isOpen else {
      unplanned.append((number, ask))
      retryAt = nil
      return ControlEffects()
    }
    return plan(number, ask, now: now)
  }

  /// It has waited long enough.
  mutating func expire(_ number: Int) -> ControlEffects {
    var effects = ControlEffects()
    if listers.remove(number) != nil {
      effects.answers.append((number, isOpen ? .controls(controls) : .failed(.silent)))
    }
    if unplanned.contains(where: { $0.number == number }) {
      unplanned.removeAll { $0.number == number }
      effects.answers.append((number, .failed(.silent)))
    }
    if let request = requests.removeValue(forKey: number) {
      effects.answers.append((number, .outcome(late(request))))
      for index in pending.indices { pending[index].requests.remove(number) }
    }
    return effects
  }

  private func late(_ request: Request) -> ControlOutcome {
    var outcome = request.outcome
    for id in request.remaining {
      if let key = control(id)?.key { outcome.refuse(key, .late(key)) }
    }
    return outcome
  }

  mutating func plan(_ number: Int, _ ask: Ask, now: MediaTime) -> ControlEffects {
    var effects = ControlEffects()
    let plan: ControlPlan
    var isReset = false
    switch ask {
    case .set(let values): plan = ControlPlan(values, among: expected)
    case .reset(let names):
      plan = ControlPlan(reset: names, among: expected)
      isReset = true
      // What an automatic works cannot be written; kept, it would be back as soon as that is off.
      if names == nil { effects.append(forget(expected.filter { $0.flags.contains(.inactive) })) }
    }
    var request = Request(remaining: Set(plan.steps.map(\.id)))
    for (key, refusal) in plan.refused { request.outcome.refuse(key, refusal) }
    for step in plan.steps {
      put(step, Pending(id: step.id, value: step.value, isKept: false, isReset: isReset, requests: [number]))
    }
    if request.remaining.isEmpty {
      effects.answers.append((number, .outcome(request.outcome)))
    } else if requests.count >= Self.mostRequests {
      effects.answers.append((number, .outcome(late(request))))
    } else {
      requests[number] = request
    }
    return effects
  }

  mutating func put(_ step: ControlPlan.Step, _ new: Pending) {
    guard let index = pending.firstIndex(where: { $0.id == step.id }) else {
      pending.append(new)
      return
    }
    // What somebody chooses now counts more than what was kept.
    if new.isKept, !pending[index].isKept { return }
    let waiting = pending[index].requests
    pending[index] = new
    pending[index].requests.formUnion(waiting)
  }

  /// Not by anybody's wish: one that comes meanwhile counts more.
  mutating func put(_ light: CameraLight, at level: Int) {
    for step in light.writes(level).flatMap({ ControlPlan($0, among: controls).steps }) {
      put(step, Pending(id: step.id, value: step.value, isKept: true))
    }
  }

  /// The controls as they are once all is written that waits.
  private var expected: [ControlDescription] {
    controls.map { control in
      var control = control
      if let one = pending.first(where: { $0.id == control.id }) { control.value = one.value }
      return control
    }
  }

  /// All that waits gets the same answer, and nothing is known any more.
  mutating func lose(_ trouble: ControlTrouble) -> ControlEffects {
    var effects = ControlEffects()
    for number in listers { effects.answers.append((number, .failed(trouble))) }
    for (number, _) in unplanned { effects.answers.append((number, .failed(trouble))) }
    for (number, request) in requests {
      var outcome = request.outcome
      for id in request.remaining {
        if let key = control(id)?.key { outcome.refuse(key, .unplugged(key)) }
      }
      effects.answers.append((number, .outcome(outcome)))
    }
    (listers, unplanned, requests, pending) = ([], [], [:], [])
    (controls, isOpen, stale, changed, written) = ([], false, [], [], [:])
    (retryAt, lingerUntil) = (nil, nil)
    return effects
  }

  // MARK: What the thread does

  private var isNeeded: Bool {
    watchers > 0 || mustApply || mustJudge || checkAt != nil || !pending.isEmpty || !listers.isEmpty
      || !unplanned.isEmpty || !changed.isEmpty || !stale.isEmpty || needsLights
  }

  /// Somebody else may switch them.
  private var needsLights: Bool { showsLights && (!hasLookedForLights || !lights.isEmpty) }

  var needsThread: Bool { obstacle == nil && isNeeded }

  mutating func errand(now: MediaTime) -> Errand {
    guard obstacle == nil, let device else { return end() }
    if isNeeded { lingerUntil = nil }
    guard isNeeded else {
      let until = lingerUntil ?? now + Self.linger
      lingerUntil = until
      return isOpen && now < until ? .wait(until: until) : end()
    }
    guard isOpen else {
      if let retryAt, now < retryAt { return .wait(until: retryAt) }
      return .open(device, attachment: attachment)
    }
    if mustApply { return .apply }
    if let next = nextWrite(now) { return next }
    if let checkAt, now >= checkAt { return .refresh(keptControls) }
    if mustJudge { return .refresh(controls.filter { $0.role == .keepFrameRate }) }
    if !stale.isEmpty { return .refresh(controls.filter { stale.contains($0.id) }) }
    if !changed.isEmpty, now >= tellTime(now) { return .tell }
    let times = [
      checkAt, changed.isEmpty ? nil : tellTime(now),
      pending.compactMap { written[$0.id].map { $0 + Self.spacing } }.filter { $0 > now }.min(),
    ]
    return .wait(until: times.compactMap { $0 }.min())
  }

  private mutating func end() -> Errand {
    isThreadRunning = false
    lingerUntil = nil
    if isOpen { _ = lose(.offline) }
    return .end
  }

  private func tellTime(_ now: MediaTime) -> MediaTime { toldAt.map { $0 + Self.tellSpacing } ?? now }

  private func nextWrite(_ now: MediaTime) -> Errand? {
    var held: Set<UInt32> = []
    for one in pending {
      guard let control = control(one.id) else { continue }
      // An automatic and what it works stay in their order, even where one of them was written a moment ago.
      let pair = AutomaticPair.of(dependent: one.id) ?? AutomaticPair.of(automatic: one.id)
      let group = pair?.automatic ?? one.id
      if held.contains(group) { continue }
      if let last = written[one.id], now < last + Self.spacing {
        held.insert(group)
        continue
      }
      return .write(control, turned(one.value, of: one.id))
    }
    return nil
  }

  /// Puts what was kept in line, whatever reading says: some drivers forget, and tell what they were told.
  mutating func apply() -> ControlEffects {
    guard isOpen else { return ControlEffects() }
    mustApply = false
    let plan = ControlPlan(kept: lasting, among: expected)
    let before = troubles
    for (key, refusal) in plan.refused { troubles[key] = Self.trouble(key, kept[key]?.value, refusal.description) }
    for step in plan.steps { put(step, Pending(id: step.id, value: step.value, isKept: true)) }
    return ControlEffects(haveHintsChanged: troubles != before)
  }

  private var keptControls: [ControlDescription] {
    let ids = Set(ControlPlan(kept: lasting, among: controls).steps.map(\.id))
    return controls.filter { ids.contains($0.id) }
  }

  static func trouble(_ key: String, _ value: ControlValue?, _ reason: String) -> String {
    "\(key) could not be set\(value.map { " to \($0)" } ?? "") as it was kept: \(reason)"
  }
}
