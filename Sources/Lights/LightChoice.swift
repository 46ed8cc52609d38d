/// Which lights the administrator lets the rig have: those named, the tally, and unless forbidden the kernel's LEDs
/// that call themselves torch or flash.
package struct LightChoice: Sendable {
  package let declared: [LightDeclaration]
  package let tally: LightPlace?
  private let finds: Bool

  /// - Parameters:
  ///   - lights: see `LightDeclaration.list`.
  ///   - tally: a place, or empty.
  package init(lights: String, tally: String, finds: Bool) {
    declared = LightDeclaration.list(lights) ?? []
    self.tally = LightPlace(tally)
    self.finds = finds
  }

  package func allows(_ place: LightPlace, _ leds: LEDClass) -> Bool {
    if place == tally || declared.contains(where: { $0.place == place }) { return true }
    guard finds, case .led(let name) = place else { return false }
    return leds.led(name)?.isTorch == true
  }

  /// Those found in the kernel, without the declared ones.
  package func found(_ leds: LEDClass) -> [LEDClass.LED] {
    guard finds else { return [] }
    let taken = Set(declared.map(\.place) + [tally].compactMap { $0 })
    return leds.all.filter { $0.isTorch && !taken.contains(.led($0.name)) }
  }

  package func places(_ leds: LEDClass) -> [LightPlace] {
    declared.map(\.place) + found(leds).map { .led($0.name) } + [tally].compactMap { $0 }
  }
}
