/// Where a light is switched, as the configuration names it: `led:white:torch` is /sys/class/leds/white:torch,
/// `gpio:gpiochip0/17` a line of a GPIO chip, `gpio:gpiochip0/17!` one that is on when the line is low.
package enum LightPlace: Hashable, Sendable, CustomStringConvertible {
  case led(String)
  case gpio(chip: String, line: UInt32, activeLow: Bool)

  /// Nil: it is none of these.
  package init?(_ text: some StringProtocol) {
    if text.hasPrefix("led:") {
      let name = text.dropFirst(4)
      guard Self.isFileName(name) else { return nil }
      self = .led(String(name))
    } else if text.hasPrefix("gpio:") {
      var rest = text.dropFirst(5)
      let activeLow = rest.hasSuffix("!")
      if activeLow { rest.removeLast() }
      let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, Self.isFileName(parts[0]), let line = UInt32(parts[1]) else { return nil }
      self = .gpio(chip: String(parts[0]), line: line, activeLow: activeLow)
    } else {
      return nil
    }
  }

  package var description: String {
    switch self {
    case .led(let name): "led:\(name)"
    case .gpio(let chip, let line, let activeLow): "gpio:\(chip)/\(line)\(activeLow ? "!" : "")"
    }
  }

  /// It becomes part of a path that root writes to.
  private static func isFileName(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix(".")
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
  }
}
