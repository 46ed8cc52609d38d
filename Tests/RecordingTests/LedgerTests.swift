import CamrigModel
import Testing

@Suite("The ledger of a camera")
struct LedgerTests {
  private let start = MediaTime(nanoseconds: 1000)

  private func loss(
    _ cause: LossCause, _ first: UInt64, _ count: UInt64 = 1, run: Int = 1, at time: Int64 = 2000
  ) -> Loss {
    Loss(cause: cause, run: run, firstSequence: first, count: count, time: MediaTime(nanoseconds: time))
  }

  @Test("is exact when every sequence number of a run is written or lost, in any mixture", arguments: 0..<40)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var ledger = Ledger(start: start)
    var written: UInt64 = 0
    var lost: [LossCause: UInt64] = [:]
    for run in 1...Int.random(in: 1...4, using: &random) {
      // Near the end of 64 bits too, where a count wraps.
      var sequence = Bool.random(using: &random) ? UInt64.max - 50 : UInt64.random(in: 0...1000, using: &random)
      for step in 0..<Int.random(in: 1...200, using: &random) {
        let count = UInt64.random(in: 1...5, using: &random)
        if (run == 1 && step == 0) || Bool.random(using: &random) {
          ledger.wrote(run: run, firstSequence: sequence, count: count)
          written += count
        } else {
          let cause = LossCause.allCases.randomElement(using: &random)!
          ledger.lost(loss(cause, sequence, count, run: run))
          lost[cause, default: 0] += count
        }
        sequence = sequence &+ count
      }
    }
    #expect(ledger.isExact)
    #expect(ledger.written == written)
    #expect(ledger.lost == lost)
  }

  @Test("is not exact when a picture is missing, or counted twice", arguments: 0..<10)
  func missing(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let hole = UInt64.random(in: 1...98, using: &random)
    var ledger = Ledger(start: start)
    var twice = Ledger(start: start)
    for sequence in UInt64(0)..<100 {
      if sequence != hole { ledger.wrote(run: 1, firstSequence: sequence) }
      twice.wrote(run: 1, firstSequence: sequence)
    }
    twice.lost(loss(.disk, hole))
    #expect(!ledger.isExact)
    #expect(!twice.isExact)
  }

  @Test("begins with the first picture kept: what the driver lost before does not count")
  func begins() {
    var ledger = Ledger(start: start)
    ledger.lost(loss(.driverGap, 3, 4))
    #expect(ledger.isEmpty)
    ledger.wrote(run: 1, firstSequence: 7)
    ledger.lost(loss(.broken, 8))
    #expect(
      ledger.runs == [RunAccount(run: 1, firstSequence: 7, lastSequence: 8, written: 1, lost: [.broken: 1])])
  }

  @Test("begins with a picture that came after Record and had to be dropped, but not with one of the pre-roll")
  func dropped() {
    var ledger = Ledger(start: start)
    ledger.lost(loss(.beforeKeyframe, 10, at: 999))
    #expect(ledger.isEmpty)
    ledger.lost(loss(.beforeKeyframe, 11, 2, at: 1000))
    ledger.wrote(run: 1, firstSequence: 13)
    #expect(ledger.isExact)
    #expect(ledger.runs.first?.firstSequence == 11)
  }

  @Test("of a later run begins with whatever comes first")
  func laterRun() {
    var ledger = Ledger(start: start)
    ledger.wrote(run: 1, firstSequence: 7)
    ledger.lost(loss(.driverGap, 0, 2, run: 2))
    ledger.wrote(run: 2, firstSequence: 2)
    #expect(ledger.runs.map(\.run) == [1, 2])
    #expect(ledger.runs[1].firstSequence == 0)
    #expect(ledger.isExact)
  }

  @Test("goes over the wrap of the count")
  func wrap() {
    var ledger = Ledger(start: start)
    ledger.wrote(run: 1, firstSequence: .max - 1, count: 2)
    ledger.lost(loss(.driverGap, 0, 3))
    ledger.wrote(run: 1, firstSequence: 3)
    #expect(ledger.isExact)
    #expect(ledger.runs[0].lastSequence == 3)
  }
}

/// The same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }
  mutating func next() -> UInt64 {
    state = state &+ 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
