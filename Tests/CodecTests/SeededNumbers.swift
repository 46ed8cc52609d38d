/// The same numbers each time (xorshift).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
