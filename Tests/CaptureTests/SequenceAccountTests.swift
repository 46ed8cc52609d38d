import Capture
import Testing

@Suite("The account of a driver's numbers")
struct SequenceAccountTests {
  private func steps(_ raws: [UInt32], spoilt: Set<Int> = []) -> [SequenceAccount.Step] {
    var account = SequenceAccount()
    return raws.enumerated().map { account.accept($0.element, spoilt: spoilt.contains($0.offset)) }
  }

  @Test("it begins with the first number and counts what is skipped")
  func counts() {
    #expect(
      steps([5, 6, 9, 10]) == [
        .next(sequence: 5, missing: 0), .next(sequence: 6, missing: 0), .next(sequence: 9, missing: 2),
        .next(sequence: 10, missing: 0),
      ])
  }

  @Test("the wrap of 32 bits is neither a loss nor a new run")
  func wraps() {
    #expect(
      steps([0xffff_fffe, 0xffff_ffff, 0, 2]) == [
        .next(sequence: 0xffff_fffe, missing: 0), .next(sequence: 0xffff_ffff, missing: 0),
        .next(sequence: 0x1_0000_0000, missing: 0), .next(sequence: 0x1_0000_0002, missing: 1),
      ])
  }

  @Test("a count that goes back begins anew")
  func resets() {
    #expect(
      steps([1000, 0, 1]) == [
        .next(sequence: 1000, missing: 0), .reset(sequence: 0), .next(sequence: 1, missing: 0),
      ])
  }

  @Test("a leap of a million is a new count, not a million losses")
  func leaps() {
    #expect(steps([3, 0x7fff_fff0]).last == .reset(sequence: 0x7fff_fff0))
    #expect(steps([3, 0xffff_ff80]).last == .reset(sequence: 0xffff_ff80))
  }

  @Test("a spoilt buffer with an old number is no picture")
  func handsBack() {
    #expect(
      steps([7, 8, 3, 8, 9], spoilt: [2, 3]) == [
        .next(sequence: 7, missing: 0), .next(sequence: 8, missing: 0), .handedBack, .handedBack,
        .next(sequence: 9, missing: 0),
      ])
  }

  @Test("a spoilt buffer with a new number is one, and what it skips is lost")
  func countsSpoilt() {
    #expect(steps([7, 10], spoilt: [1]).last == .next(sequence: 10, missing: 2))
  }

  @Test("a driver that does not count is counted for")
  func countsForDriver() {
    #expect(
      steps([0, 0, 0, 0]) == [
        .next(sequence: 0, missing: 0), .repeated(sequence: 1), .repeated(sequence: 2), .repeated(sequence: 3),
      ])
  }
}
