import CamrigModel
import Testing

@Suite("Lights in a camera")
struct CameraLightTests {
  private func mode(_ value: Int64, items: [Int64: String] = [0: "Off", 1: "Flash", 2: "Torch"]) -> ControlDescription {
    ControlDescription(
      key: "led_mode", id: 0x009c_0901, name: "LED Mode", group: "flash", type: .menu, defaultValue: .number(0),
      value: .number(value), items: items)
  }

  private func intensity(_ value: Int64, from least: Int64, to most: Int64, step: UInt64) -> ControlDescription {
    ControlDescription(
      key: "intensity_torch_mode", id: 0x009c_0908, name: "Intensity, Torch Mode", group: "flash", type: .integer,
      minimum: least, maximum: most, step: step, defaultValue: .number(least), value: .number(value))
  }

  private func faults(_ bits: Int64) -> ControlDescription {
    ControlDescription(
      key: "faults", id: 0x009c_090a, name: "Faults", group: "flash", type: .bitmask, value: .number(bits),
      flags: [.readOnly, .volatile])
  }

  private func control(
    _ name: String, id: UInt32 = 0x0a04_6d20, _ type: ControlType = .boolean, maximum: Int64? = nil,
    usually: Int64 = 0, value: Int64 = 0, flags: Set<ControlFlag> = []
  ) -> ControlDescription {
    ControlDescription(
      key: KnownControls.key(name), id: id, name: name, type: type, minimum: 0, maximum: maximum, step: 1,
      defaultValue: type == .boolean ? .bool(usually != 0) : .number(usually),
      value: type == .boolean ? .bool(value != 0) : .number(value), flags: flags)
  }

  @Test("the flash class is a torch whose levels are the steps of its brightness")
  func levels() throws {
    let light = try #require(CameraLight.all(in: [mode(2), intensity(75, from: 25, to: 200, step: 25)]).first)
    #expect(light.backend == .flashControl)
    #expect((light.level, light.maxLevel) == (3, 8))
    #expect(light.writes(8) == [["intensity_torch_mode": .number(200)], ["led_mode": .number(2)]])
    #expect(light.writes(0) == [["led_mode": .number(0)]])
  }

  @Test("brightness nothing is no level, for that is off")
  func darkStep() throws {
    let light = try #require(CameraLight.all(in: [mode(2), intensity(0, from: 0, to: 10, step: 1)]).first)
    #expect((light.level, light.maxLevel) == (1, 10))
    #expect(light.writes(1).first == ["intensity_torch_mode": .number(1)])
  }

  @Test("without a brightness it is on or off")
  func plain() throws {
    let light = try #require(CameraLight.all(in: [mode(2)]).first)
    #expect((light.level, light.maxLevel) == (1, 1))
    #expect(light.writes(1) == [["led_mode": .number(2)]])
  }

  @Test("a flash that fires is no torch that is on, and one that only fires is no torch")
  func strobe() {
    #expect(CameraLight.all(in: [mode(1), intensity(75, from: 25, to: 200, step: 25)]).map(\.level) == [0])
    #expect(CameraLight.all(in: [mode(0, items: [0: "Off", 1: "Flash"])]) == [])
  }

  @Test("its faults are named, those of later kernels too")
  func names() {
    let light = CameraLight.all(in: [mode(0), faults(0b1_0000_0100)]).first
    #expect(light?.faults == ["over-temperature", "the LED is too hot"])
    #expect(CameraLight.all(in: [mode(0), faults(1 << 20)]).first?.faults == ["an unknown fault"])
  }

  @Test("a switch that V4L2 or its name calls a light is one", arguments: ["Torch", "Front Lamp", "IR Illuminator 1"])
  func switches(_ name: String) throws {
    let light = try #require(CameraLight.all(in: [control(name, value: 1)]).first)
    #expect((light.backend, light.level, light.maxLevel) == (.control, 1, 1))
    #expect(light.writes(0) == [[KnownControls.key(name): .bool(false)]])
    #expect(CameraLight.all(in: [control("Whatever", id: 0x0098_0925)]).count == 1)
  }

  @Test("a number that begins at nothing is a light with as many levels")
  func dimmer() throws {
    let light = try #require(CameraLight.all(in: [control("Torch", .integer, maximum: 16, value: 4)]).first)
    #expect((light.level, light.maxLevel) == (4, 16))
    #expect(light.writes(9) == [["torch": .number(9)]])
    #expect(light.writes(0) == [["torch": .number(0)]])
  }

  @Test("what may be something else is none: indicators, what is on by default, what cannot be changed")
  func others() {
    #expect(CameraLight.all(in: [control("LED1 Mode", .menu), control("Backlight Compensation")]) == [])
    #expect(CameraLight.all(in: [control("Lamp", usually: 1)]) == [])
    #expect(CameraLight.all(in: [control("Torch", flags: [.readOnly])]) == [])
    #expect(CameraLight.all(in: [control("Torch", .button)]) == [])
  }

  @Test("what switches a light is never kept; how bright it is, is")
  func kept() {
    #expect(!mode(0).isKept)
    #expect(!control("Torch").isKept)
    #expect(intensity(25, from: 25, to: 200, step: 25).isKept)
  }
}
