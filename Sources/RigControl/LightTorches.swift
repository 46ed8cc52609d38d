import CamrigModel
import Glibc
import Lights

/// LEDs of the kernel and GPIO lines, switched by way of the helper that has the right to.
package actor LightTorches: TorchSource {
  private let client: LightClient
  private let leds: LEDClass
  private let devices: String
  private var choice: LightChoice
  /// Whose a declared or found light is, by what the configuration or the device says of it.
  private let camera: @Sendable (_ named: String?, _ device: String?) async -> CameraID?
  /// Nobody can ask a GPIO line that another process holds.
  private var lines: [LightPlace: Int] = [:]
  private var troubles: [LightPlace: String] = [:]
  /// The inode of each chip's node: another one is a chip that was plugged in anew.
  private var chips: [String: UInt64] = [:]
  /// Of each LED that was seen: one that is unplugged is still as fine as it was.
  private var maxLevels: [String: Int] = [:]

  package init(
    client: LightClient, leds: LEDClass, devices: String = "/dev", choice: LightChoice,
    camera: @escaping @Sendable (_ named: String?, _ device: String?) async -> CameraID?
  ) {
    self.client = client
    self.leds = leds
    self.devices = devices
    self.choice = choice
    self.camera = camera
  }

  /// What is named no more goes off: nobody could switch it any longer.
  package func use(_ choice: LightChoice) async {
    for place in Set(self.choice.named).subtracting(choice.named) { _ = await set(place, 0) }
    self.choice = choice
  }

  /// The files whose change means that somebody has switched a light.
  package var watched: [String] {
    choice.places(leds).compactMap { place in
      if case .led(let name) = place { leds.brightnessFile(name) } else { nil }
    }
  }

  package func torches() async -> [TorchDescription] {
    var found: [TorchDescription] = []
    for light in choice.declared {
      found.append(await described(light.name, light.place, camera: await camera(light.camera, device(light.place))))
    }
    for led in choice.found(leds) {
      found.append(await described(led.name, .led(led.name), camera: await camera(nil, leds.device(led.name))))
    }
    return found
  }

  package func set(_ torch: TorchDescription, _ level: Int) async -> Result<Int, RigError> {
    guard let place = place(of: torch.id) else {
      return .failure(RigError(.torchUnknown, "the torch \(torch.name) is gone."))
    }
    return await set(place, level)
  }

  /// With the helper all lights go off.
  package func helperHasGone() { lines = lines.mapValues { _ in 0 } }

  /// Lines that nobody has set may be at anything, and a light that is on when its line is low then often shines.
  package func settle() async {
    chips = seenChips
    for place in choice.named {
      if case .gpio = place, lines[place, default: 0] == 0 { _ = await set(place, 0) }
    }
  }

  /// Where chips come and go; nil: the rig has no line of one.
  package var watchedFolder: String? { namedChips.isEmpty ? nil : devices }

  /// Chips may have come or gone. The lines of one that was plugged in anew are set to off, as at the start.
  package func lookForChips() async {
    let seen = seenChips
    for chip in namedChips where seen[chip] != chips[chip] {
      chips[chip] = seen[chip]
      for place in choice.named where place.chip == chip {
        lines[place] = 0
        if seen[chip] == nil {
          troubles[place] = LightError.noSuchChip(chip).description
        } else {
          _ = await set(place, 0)
        }
      }
    }
  }

  private var namedChips: Set<String> { Set(choice.named.compactMap(\.chip)) }

  private var seenChips: [String: UInt64] {
    var seen: [String: UInt64] = [:]
    for chip in namedChips {
      var facts = stat()
      if stat(devices + "/" + chip, &facts) == 0 { seen[chip] = UInt64(facts.st_ino) }
    }
    return seen
  }

  /// The light that shows that a take runs. Its troubles are told once, by `tallyTrouble`.
  package func setTally(_ on: Bool) async {
    guard let place = choice.tally else { return }
    _ = await set(place, on ? Int(UInt16.max) : 0)
  }

  package var tallyTrouble: String? {
    choice.tally.flatMap { troubles[$0] }.map { "The tally light does not work: \($0)" }
  }

  private func set(_ place: LightPlace, _ level: Int) async -> Result<Int, RigError> {
    switch await client.set(place, level) {
    case .success(let granted):
      troubles[place] = nil
      if case .gpio = place { lines[place] = granted }
      return .success(granted)
    case .failure(let error):
      troubles[place] = error.description
      return .failure(RigError(.torchFailed, error.description))
    }
  }

  private func place(of id: String) -> LightPlace? {
    choice.declared.first { $0.name == id }?.place ?? choice.found(leds).first { $0.name == id }.map { .led($0.name) }
  }

  private func device(_ place: LightPlace) -> String? {
    if case .led(let name) = place { leds.device(name) } else { nil }
  }

  private func described(_ name: String, _ place: LightPlace, camera: CameraID?) async -> TorchDescription {
    var message = troubles[place] ?? ""
    switch place {
    case .led(let led):
      let max = leds.led(led)?.maxLevel
      let absence = LightError.noSuchLED(led).description
      if let max {
        maxLevels[led] = max
        // It is back.
        if message == absence { (troubles[place], message) = (nil, "") }
      } else {
        message = absence
      }
      return TorchDescription(
        id: name, name: name, backend: .led, camera: camera, level: leds.level(led) ?? 0,
        maxLevel: max ?? maxLevels[led] ?? 1, message: message)
    case .gpio:
      return TorchDescription(
        id: name, name: name, backend: .gpio, camera: camera, level: lines[place] ?? 0, maxLevel: 1, message: message)
    }
  }
}

extension LightChoice {
  /// The lights that stand in the configuration.
  fileprivate var named: [LightPlace] { declared.map(\.place) + [tally].compactMap(\.self) }
}

extension LightPlace {
  fileprivate var chip: String? { if case .gpio(let chip, _, _) = self { chip } else { nil } }
}
