/// Switches lights, remembers which it has switched on, and what an LED showed before. For whoever has the right.
package struct Switchboard: Sendable {
  /// A line of a GPIO chip that is held; off at first.
  package typealias Line = @Sendable (_ on: Bool) throws(LightError) -> Void
  package typealias Opener = @Sendable (_ chip: String, _ line: UInt32, _ activeLow: Bool) throws(LightError) -> Line

  private let leds: LEDClass
  private let open: Opener
  private let isAllowed: @Sendable (LightPlace, LEDClass) -> Bool
  private var lines: [LightPlace: Line] = [:]
  private var lit: Set<LightPlace> = []
  /// What the kernel made an LED show before it was ours.
  private var triggers: [String: String] = [:]

  /// - Parameters:
  ///   - open: for tests, which have no chips.
  ///   - isAllowed: whether the administrator has named it; asked each time.
  package init(
    leds: LEDClass = LEDClass(), open: @escaping Opener = Self.device,
    isAllowed: @escaping @Sendable (LightPlace, LEDClass) -> Bool
  ) {
    self.leds = leds
    self.open = open
    self.isAllowed = isAllowed
  }

  package static func device(_ chip: String, _ line: UInt32, _ activeLow: Bool) throws(LightError) -> Line {
    let line = try GPIOLine(chip: chip, line: line, activeLow: activeLow)
    return { (on: Bool) throws(LightError) in try line.set(on) }
  }

  /// - Parameter level: 0 is off; a GPIO line knows 0 and 1.
  /// - Returns: the level that was granted.
  package mutating func set(_ place: LightPlace, _ level: Int) throws(LightError) -> Int {
    // What is named no more still goes off.
    guard isAllowed(place, leds) || level == 0 && lit.contains(place) else { throw .notAllowed(place) }
    let granted: Int
    switch place {
    case .led(let name):
      granted = try set(name, level)
    case .gpio(let chip, let number, let activeLow):
      // Before a reload it may have been named the other way round, and nobody can hold a line twice.
      let reverse = LightPlace.gpio(chip: chip, line: number, activeLow: !activeLow)
      lines[reverse] = nil
      lit.remove(reverse)
      granted = level > 0 ? 1 : 0
      try set(place, granted > 0) { [open] () throws(LightError) in try open(chip, number, activeLow) }
    }
    if granted > 0 { lit.insert(place) } else { lit.remove(place) }
    return granted
  }

  /// A line of a chip that was unplugged is dead for good; the chip may have come back.
  private mutating func set(
    _ place: LightPlace, _ on: Bool, open: () throws(LightError) -> Line
  ) throws(LightError) {
    if let known = lines[place] {
      do throws(LightError) {
        return try known(on)
      } catch {
        // Let go of first: nobody can hold a line twice.
        lines[place] = nil
      }
    }
    let line = try open()
    lines[place] = line
    try line(on)
  }

  private mutating func set(_ name: String, _ level: Int) throws(LightError) -> Int {
    guard let led = leds.led(name) else { throw .noSuchLED(name) }
    let wanted = min(max(0, level), led.maxLevel)
    if let trigger = leds.trigger(name), trigger != "none" {
      // What the kernel shows is no light of ours, and a zero would take its trigger away.
      if wanted == 0 { return 0 }
      try leds.setTrigger(name, "none")
      triggers[name] = trigger
    }
    try leds.setLevel(name, wanted)
    if wanted == 0, let trigger = triggers.removeValue(forKey: name) { try leds.setTrigger(name, trigger) }
    return leds.level(name) ?? wanted
  }
}
