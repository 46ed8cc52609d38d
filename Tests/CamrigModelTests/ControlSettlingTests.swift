import CamrigModel
import Testing

@Suite("The value of a control")
struct ControlSettlingTests {
  private func control(
    _ type: ControlType, _ least: Int64? = nil, _ most: Int64? = nil, step: UInt64? = nil,
    items: [Int64: String]? = nil,
    id: UInt32 = 1, flags: Set<ControlFlag> = []
  ) -> ControlDescription {
    ControlDescription(
      key: "it", id: id, name: "It", type: type, minimum: least, maximum: most, step: step, items: items, flags: flags)
  }

  private func settled(_ control: ControlDescription, _ value: ControlValue) -> ControlValue? {
    try? control.settled(value)
  }

  private func refusal(_ control: ControlDescription, _ value: ControlValue) -> String? {
    do throws(ControlRefusal) {
      _ = try control.settled(value)
      return nil
    } catch { return error.description }
  }

  @Test("a number goes to the nearest step of the range and stays what it is if it is one")
  func steps() {
    let control = control(.integer, -64, 64, step: 8)
    for value: Int64 in stride(from: -64, through: 64, by: 8) {
      #expect(settled(control, .number(value)) == .number(value))
    }
    #expect(settled(control, .number(3)) == .number(0))
    #expect(settled(control, .number(4)) == .number(8))
    #expect(settled(control, .number(-1000)) == .number(-64))
    #expect(settled(control, .number(1000)) == .number(64))
    // The steps may not reach the end of the range.
    #expect(settled(self.control(.integer, 0, 10, step: 4), .number(10)) == .number(8))
    #expect(settled(control, .text("0x10")) == .number(16))
    #expect(settled(control, .text("much")) == nil)
  }

  @Test("64 bits are 64 bits, and no sum of them overflows")
  func wide() {
    let all = control(.integer64, .min, .max, step: 1)
    for value in [Int64.min, -1, 0, .max] { #expect(settled(all, .number(value)) == .number(value)) }
    let third = control(.integer64, .min, .max, step: 3)
    #expect(settled(third, .number(.max)) == .number(.max))
    #expect(settled(third, .number(.min + 2)) == .number(.min + 3))
  }

  @Test("a menu takes only items that there are, by number or by name")
  func menus() {
    let menu = control(.menu, 0, 3, items: [1: "Manual Mode", 3: "Aperture Priority Mode"])
    #expect(settled(menu, .number(3)) == .number(3))
    #expect(settled(menu, .text("manual mode")) == .number(1))
    #expect(settled(menu, .text("1")) == .number(1))
    #expect(refusal(menu, .number(2)) == "it has no item 2. It has 1 (Manual Mode), 3 (Aperture Priority Mode).")
  }

  @Test("an automatic with a menu is switched on and off like any other")
  func automatics() {
    let exposure = control(.menu, 0, 3, items: [1: "Manual Mode", 3: "Aperture Priority Mode"], id: 0x009a_0901)
    #expect(settled(exposure, .bool(true)) == .number(3))
    #expect(settled(exposure, .text("off")) == .number(1))
    #expect(settled(control(.menu, 0, 1, items: [0: "A", 1: "B"]), .bool(true)) == nil, "others are no switches")
  }

  @Test("a switch, bits, a text, a button")
  func others() {
    #expect(settled(control(.boolean), .text("yes")) == .bool(true))
    #expect(settled(control(.boolean), .number(0)) == .bool(false))
    #expect(settled(control(.boolean), .number(2)) == nil)
    let bits = control(.bitmask, 0, 0x8000_0007)
    #expect(settled(bits, .number(0x8000_0001)) == .number(0x8000_0001))
    #expect(refusal(bits, .number(8)) == "it has only the bits of 0x80000007.")
    let text = control(.string, 2, 8, step: 2)
    #expect(settled(text, .text("abcd")) == .text("abcd"))
    #expect(settled(text, .number(12)) == .text("12"))
    for bad in ["a", "abc", "abcdefghij", "a\0"] { #expect(settled(text, .text(bad)) == nil, "\(bad)") }
    #expect(settled(control(.button), .bool(true)) == .number(1))
  }

  @Test("what cannot be set says why")
  func refuses() {
    #expect(refusal(control(.integer, flags: [.readOnly]), .number(1)) == "it can only be read.")
    #expect(refusal(control(.integer, flags: [.disabled]), .number(1)) == "it is disabled by the driver.")
    #expect(refusal(control(.unsupported), .number(1)) == "it is of a kind that camrig can only list.")
  }

  @Test("on the wire")
  func wire() throws {
    let described = ControlDescription(
      key: "power_line_frequency", id: 0x0098_0918, name: "Power Line Frequency", type: .menu, minimum: 0, maximum: 2,
      defaultValue: .number(1), value: .number(2), items: [0: "Disabled", 2: "60 Hz"], flags: [.volatile, .inactive],
      role: .powerLineFrequency)
    #expect(
      described.json.text == #"{"class":"user","default":1,"flags":["inactive","volatile"],"id":9963800,"#
        + #""items":{"0":"Disabled","2":"60 Hz"},"key":"power_line_frequency","maximum":2,"minimum":0,"#
        + #""name":"Power Line Frequency","role":"power-line-frequency","type":"menu","value":2}"#)
    #expect(try described.json.decode(ControlDescription.self) == described)
    let big = ControlDescription(key: "big", id: 1, name: "Big", type: .integer64, value: .number(.max))
    #expect(try JSONValue(json: big.json.bytes).decode(ControlDescription.self).value == .number(.max))
  }

  @Test(
    "a key is the name in v4l2-ctl's manner",
    arguments: [
      ("White Balance, Automatic", "white_balance_automatic"), ("Exposure Time, Absolute", "exposure_time_absolute"),
      ("(Ünï) 4x4", "n_4x4"), ("***", "control"), ("Power Line Frequency ", "power_line_frequency"),
    ])
  func keys(_ name: String, _ key: String) { #expect(KnownControls.key(name) == key) }
}
