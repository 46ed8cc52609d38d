import CamrigModel
import Settings

/// What the thread has done, and what follows from it.
extension ControlDesk {
  mutating func opened(_ found: [ControlDescription], attachment: Int, now: MediaTime) -> ControlEffects {
    guard attachment == self.attachment, obstacle == nil else { return ControlEffects() }
    canFlip = CameraFlips.ids.allSatisfy { id in found.contains { $0.id == id } }
    controls = found.map(chosen)
    isOpen = true
    retryAt = nil
    let isFirstLook = showsLights && !hasLookedForLights
    hasLookedForLights = showsLights
    // None stays on from before the rig.
    if isFirstLook { for light in lights where light.level > 0 { put(light, at: 0) } }
    var effects = ControlEffects(news: [.listed])
    for (number, ask) in unplanned { effects.append(plan(number, ask, now: now)) }
    unplanned = []
    effects.append(answerListers())
    return effects
  }

  mutating func openFailed(_ error: CaptureError, attachment: Int, now: MediaTime) -> ControlEffects {
    guard attachment == self.attachment else { return ControlEffects() }
    var effects = lose(.device(error))
    if retry.tries >= Self.mostTries || error.trouble == .unplugged {
      // Asked anew, it is tried anew; nobody else waits for it.
      (mustApply, mustJudge, checkAt, hasLookedForLights) = (false, false, nil, showsLights)
      if !kept.isEmpty, error.trouble != .unplugged {
        troubles[""] = "What was kept of its controls could not be set: \(error)"
        effects.haveHintsChanged = true
      }
      retryAt = now + Self.givenUp
    } else {
      retryAt = now + retry.next()
    }
    return effects
  }

  /// The handle is dead; what comes next says udev.
  mutating func died(_ error: CaptureError, attachment: Int, now: MediaTime) -> ControlEffects {
    guard attachment == self.attachment else { return ControlEffects() }
    (mustApply, mustJudge, checkAt, hasLookedForLights) = (false, false, nil, showsLights)
    let effects = lose(.device(error))
    retryAt = now + Self.givenUp
    return effects
  }

  mutating func refreshed(_ fresh: [ControlDescription], attachment: Int, now: MediaTime) -> ControlEffects {
    guard attachment == self.attachment, isOpen else { return ControlEffects() }
    let fresh = fresh.map(chosen)
    for control in fresh {
      stale.remove(control.id)
      note(control)
    }
    var effects = ControlEffects()
    if let due = checkAt, now >= due {
      checkAt = nil
      apply(whereDifferent: fresh)
    }
    if mustJudge {
      mustJudge = false
      effects.append(judge())
    }
    if stale.isEmpty { effects.append(answerListers()) }
    return effects
  }

  private mutating func apply(whereDifferent fresh: [ControlDescription]) {
    for step in ControlPlan(kept: lasting, among: controls).steps {
      guard let control = fresh.first(where: { $0.id == step.id }), control.value != nil, control.value != step.value
      else { continue }
      put(step, Pending(id: step.id, value: step.value, isKept: true))
    }
  }

  mutating func noticed(_ ids: Set<UInt32>, attachment: Int) {
    guard attachment == self.attachment else { return }
    stale.formUnion(ids.filter { control($0) != nil })
  }

  private mutating func note(_ new: ControlDescription) {
    guard let index = controls.firstIndex(where: { $0.id == new.id }), controls[index] != new else { return }
    controls[index] = new
    changed.insert(new.id)
  }

  mutating func tell(now: MediaTime) -> ControlEffects {
    let news = controls.filter { changed.contains($0.id) }
    changed = []
    toldAt = now
    return ControlEffects(news: news.isEmpty ? [] : [.changed(news)])
  }

  mutating func answerListers() -> ControlEffects {
    defer { listers = [] }
    return ControlEffects(answers: listers.map { ($0, .controls(controls)) })
  }

  private mutating func judge() -> ControlEffects {
    guard let slow else { return ControlEffects() }
    let hint = RateHint(measured: slow.measured, granted: slow.granted, controls: controls).text
    guard hint != rateHint else { return ControlEffects() }
    rateHint = hint
    return ControlEffects(haveHintsChanged: true)
  }

  // MARK: What became of a write

  /// - Parameters:
  ///   - result: what the camera made of it, or why it did not.
  ///   - fresh: the control and those that depend on it, read anew.
  mutating func wrote(
    _ id: UInt32, _ asked: ControlValue, _ result: Result<ControlValue, ControlRefusal>,
    fresh: [ControlDescription], attachment: Int, now: MediaTime
  ) -> ControlEffects {
    guard attachment == self.attachment, isOpen, let control = control(id) else { return ControlEffects() }
    written[id] = now
    for control in fresh { note(chosen(control)) }
    let (asked, result) = (turned(asked, of: id), result.map { turned($0, of: id) })
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return ControlEffects() }
    let one = pending[index]
    if one.value != asked {
      // A newer value came meanwhile: that is the one which is answered. It waits behind the others.
      pending.append(pending.remove(at: index))
      return ControlEffects()
    }
    pending.remove(at: index)
    // Its faults, which the camera tells when they are read.
    for light in lights where light.controls.contains(id) { stale.formUnion(light.controls.subtracting([id])) }
    var effects = ControlEffects()
    switch result {
    case .success(let granted):
      if troubles.removeValue(forKey: control.key) != nil { effects.haveHintsChanged = true }
      if !one.isKept { effects.append(keep(control, granted, isReset: one.isReset)) }
    case .failure(let refusal):
      effects.append(note(refusal, of: control, one))
    }
    for number in one.requests { effects.append(settle(number, control, result)) }
    return effects
  }

  /// Nothing is kept of them any more.
  mutating func forget(_ controls: [ControlDescription]) -> ControlEffects {
    let names = kept.filter { name, value in controls.contains { $0.key == name || $0.id == value.id } }.map(\.key)
    for name in names { kept[name] = nil }
    return ControlEffects(news: names.isEmpty ? [] : [.forgotten(names)])
  }

  private mutating func keep(_ control: ControlDescription, _ value: ControlValue, isReset: Bool) -> ControlEffects {
    guard control.isKept else { return ControlEffects() }
    if isReset { return forget([control]) }
    let one = KeptControl(id: control.id, value: value)
    // Under another kernel's name it would contradict this one.
    let older = kept.filter { name, value in
      name != control.key && (value.id == control.id || ControlPlan.find(name, in: controls)?.id == control.id)
    }.map(\.key)
    for name in older { kept[name] = nil }
    guard kept[control.key] != one else { return ControlEffects() }
    kept[control.key] = one
    return ControlEffects(news: (older.isEmpty ? [] : [.forgotten(older)]) + [.chosen([control.key: one])])
  }

  private mutating func note(_ refusal: ControlRefusal, of control: ControlDescription, _ one: Pending)
    -> ControlEffects
  {
    guard one.isKept else { return ControlEffects() }
    // An automatic works it: its day comes.
    if case .inactive = refusal { return ControlEffects() }
    let text = Self.trouble(control.key, one.value, refusal.description)
    guard troubles.updateValue(text, forKey: control.key) != text else { return ControlEffects() }
    return ControlEffects(haveHintsChanged: true)
  }

  private mutating func settle(
    _ number: Int, _ control: ControlDescription, _ result: Result<ControlValue, ControlRefusal>
  ) -> ControlEffects {
    guard var request = requests[number], request.remaining.remove(control.id) != nil else { return ControlEffects() }
    switch result {
    case .success(let granted): request.outcome.granted[control.key] = granted
    case .failure(let refusal): request.outcome.refuse(control.key, refusal)
    }
    guard request.remaining.isEmpty else {
      requests[number] = request
      return ControlEffects()
    }
    requests[number] = nil
    return ControlEffects(answers: [(number, .outcome(request.outcome))])
  }
}
