import Lights
import Testing

@Suite("Where lights are switched")
struct LightPlaceTests {
  @Test("LEDs and GPIO lines are named as the configuration names them")
  func places() {
    #expect(LightPlace("led:white:torch") == .led("white:torch"))
    #expect(LightPlace("gpio:gpiochip0/17") == .gpio(chip: "gpiochip0", line: 17, activeLow: false))
    #expect(LightPlace("gpio:gpiochip4/3!") == .gpio(chip: "gpiochip4", line: 3, activeLow: true))
    for text in ["led:white:torch", "gpio:gpiochip0/17", "gpio:gpiochip4/3!"] {
      #expect(LightPlace(text)?.description == text)
    }
  }

  @Test(
    "what would lead root to another file is no place",
    arguments: [
      "led:", "led:../../kernel", "led:a/b", "led:.hidden", "led:a b", "gpio:gpiochip0", "gpio:../mem/1",
      "gpio:gpiochip0/-1", "gpio:gpiochip0/1/2", "white:torch", "",
    ])
  func refused(_ text: String) { #expect(LightPlace(text) == nil) }

  @Test("a declaration has a name, a place and perhaps a camera")
  func declarations() {
    let lights = LightDeclaration.list("key=led:white:torch@usb-046d-0825 fill=gpio:gpiochip0/17!")
    #expect(lights?.map(\.name) == ["key", "fill"])
    #expect(lights?.map(\.camera) == ["usb-046d-0825", nil])
    #expect(lights?[1].place == .gpio(chip: "gpiochip0", line: 17, activeLow: true))
  }

  @Test(
    "two lights of one name, or a word that is none, spoil the list", arguments: ["a=led:x a=led:y", "a=x", "led:x"])
  func spoilt(_ text: String) { #expect(LightDeclaration.list(text) == nil) }
}
