/// Switches lights, remembers which it has switched on, and what an LED showed before. For whoever has the right.
package struct Switchboard: Sendable {
  private let leds: LEDClass
  private let deviceFolder: String
  private let isAllowed: @Sendable (LightPlace, LEDClass) -> Bool
  private var lines: [LightPlace: GPIOLine] = [:]
  /// What the kernel made an LED show before it was ours.
  private var triggers: [String: String] = [:]

  /// - Parameter isAllowed: whether the administrator has named it.
  package init(
    leds: LEDClass = LEDClass(), deviceFolder: String = "/dev",
    isAllowed: @escaping @Sendable (LightPlace, LEDClass) -> Bool
  ) {
    self.leds = leds
    self.deviceFolder = deviceFolder
    self.isAllowed = isAllowed
  }

  /// - Parameter level: 0 is off; a GPIO line knows 0 and 1.
  /// - Returns: the level that was granted.
  package mutating func set(_ place: LightPlace, _ level: Int) throws(LightError) -> Int {
    guard isAllowed(place, leds) else { throw .notAllowed(place) }
    let granted: Int
    switch place {
    case .led(let name):
      granted = try set(name, level)
    case .gpio(let chip, let number, let activeLow):
      let line: GPIOLine
      if let known = lines[place] {
        line = known
      } else {
        line = try GPIOLine(chip: chip, line: number, activeLow: activeLow, folder: deviceFolder)
        lines[place] = line
      }
      granted = level > 0 ? 1 : 0
      try line.set(granted > 0)
    }
    return granted
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
