import CamrigModel
import Testing
import V4L2

/// A driver with the controls of a test.
private struct FakeControls: ControlSource {
  var controls: [OfferedControl] = []
  var menus: [UInt32: [Int64: String]] = [:]
  var knowsNext = true
  /// Asked for the next after this one, it fails, and perhaps says which one it tripped over.
  var tripsAfter: (last: UInt32, told: UInt32)?

  func query(_ id: UInt32, next: Bool) -> ControlAnswer {
    guard next else { return controls.first { $0.id == id }.map { .control($0) } ?? .none }
    if !knowsNext { return .unknownCall }
    if let trip = tripsAfter, trip.last == id { return .failed(trip.told) }
    return controls.filter { $0.id > id }.min { $0.id < $1.id }.map { .control($0) } ?? .none
  }

  func menuItem(_ id: UInt32, index: Int64, isInteger: Bool) -> String? { menus[id]?[index] }
}

@Suite("The controls that a device lists")
struct ControlListTests {
  private let brightness = OfferedControl(
    id: 0x0098_0900, type: 1, name: "Brightness", minimum: -64, maximum: 64, step: 1)
  private let gain = OfferedControl(id: 0x0098_0913, type: 1, name: "Gain", maximum: 255, step: 1, flags: 0x90)
  private let exposure = OfferedControl(id: 0x009a_0901, type: 3, name: "Auto Exposure", maximum: 3, defaultValue: 3)

  private func keys(_ source: FakeControls) -> [String] { ControlList.read(source).map(\.key) }

  @Test("a menu with gaps has only the items that there are")
  func gaps() throws {
    var source = FakeControls(controls: [exposure])
    source.menus[exposure.id] = [1: "Manual Mode", 3: "Aperture Priority Mode"]
    let control = try #require(ControlList.read(source).first)
    #expect(control.items == [1: "Manual Mode", 3: "Aperture Priority Mode"])
    #expect((control.group, control.role, control.defaultValue) == ("camera", .exposureAuto, .number(3)))
  }

  @Test("a menu that says any maximum ends")
  func endlessMenu() {
    var source = FakeControls(controls: [exposure])
    source.controls[0].maximum = .max
    source.menus[exposure.id] = [0: "Auto", 5: "More"]
    #expect(ControlList.read(source).first?.items == [0: "Auto", 5: "More"])
  }

  @Test("headings group, and are no controls; flags are told in words")
  func headings() {
    let source = FakeControls(controls: [
      OfferedControl(id: 0x00f0_0001, type: 6, name: "Vivid Controls"), gain,
      OfferedControl(id: 0x00f0_f000, type: 2, name: "Loop", defaultValue: 1),
    ])
    let controls = ControlList.read(source)
    #expect(controls.map(\.key) == ["gain", "loop"])
    #expect(controls.map(\.group) == ["user", "vivid-controls"])
    #expect(controls.first?.flags == [.inactive, .volatile])
  }

  @Test("what has no single value is listed, and nothing more")
  func compound() {
    let source = FakeControls(controls: [
      OfferedControl(id: 0x0098_f905, type: 0x100, name: "U8 2 Element", isArray: true),
      OfferedControl(id: 0x0098_f906, type: 1, name: "S32 Array", isArray: true),
      OfferedControl(id: 0x0098_f907, type: 0x110, name: "Area"),
    ])
    for control in ControlList.read(source) {
      #expect(control.type == .unsupported && control.value == nil && !control.isKept)
    }
  }

  @Test("two controls of one name have two keys")
  func doubles() {
    var other = brightness
    other.id += 1
    #expect(keys(FakeControls(controls: [brightness, other])) == ["brightness", "brightness_2"])
  }

  @Test("a role is the best control for it that can be used, and no other")
  func roles() {
    var disabled = gain
    disabled.flags = 1
    let analogue = OfferedControl(id: 0x009e_0903, type: 1, name: "Analogue Gain", maximum: 10)
    let both = ControlList.read(FakeControls(controls: [gain, analogue]))
    #expect(both.map(\.role) == [.gain, nil])
    #expect(ControlList.read(FakeControls(controls: [disabled, analogue])).map(\.role) == [nil, .gain])
  }

  @Test("a driver without a list is asked number by number")
  func old() {
    var source = FakeControls(controls: [brightness, gain, exposure], knowsNext: false)
    source.controls.append(OfferedControl(id: 0x0800_0000, type: 1, name: "Own"))
    #expect(keys(source) == ["brightness", "gain", "auto_exposure", "own"])
  }

  @Test("a control that the driver trips over costs none of the others")
  func trips() {
    var source = FakeControls(controls: [brightness, gain, exposure])
    source.tripsAfter = (brightness.id, 0)
    #expect(keys(source) == ["brightness", "gain", "auto_exposure"])
    // A newer kernel says which one it was.
    source.tripsAfter = (brightness.id, 0x0098_0901)
    #expect(keys(source) == ["brightness", "gain", "auto_exposure"])
  }

  @Test("a driver that does not count on ends")
  func endless() {
    struct Same: ControlSource {
      let control: OfferedControl
      func query(_ id: UInt32, next: Bool) -> ControlAnswer { .control(control) }
      func menuItem(_ id: UInt32, index: Int64, isInteger: Bool) -> String? { nil }
    }
    #expect(ControlList.read(Same(control: brightness)).count == 1)
  }
}
