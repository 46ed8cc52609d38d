/// Four characters that name a box, a brand or a sample format.
struct BoxType: Hashable, Sendable, ExpressibleByStringLiteral {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(stringLiteral value: StaticString) {
    precondition(value.utf8CodeUnitCount == 4, "a box type has four characters")
    rawValue = value.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }
}
