import CamrigModel
import HTTP
import Testing

@Suite("Signs of life")
struct LifeSignsTests {
  private let begin = MediaTime(seconds: 100, microseconds: 0)

  /// When it is given up, in seconds after the beginning, if it is looked at every two; nil: not within a minute.
  private func given(up look: (inout LifeSigns, Int) -> LifeSigns.Progress?) -> Int? {
    var signs = LifeSigns(patience: .seconds(12), at: begin)
    return stride(from: 2, through: 60, by: 2).first { second in
      let progress = look(&signs, second)
      return signs.isGone(at: begin + .seconds(second), progress)
    }
  }

  @Test("whoever answers stays, and whoever falls silent goes")
  func heard() {
    #expect(
      given { signs, second in
        signs.hear()
        return nil
      } == nil)
    #expect(given { _, _ in nil } == 12)
    #expect(
      given { signs, second in
        if second <= 20 { signs.hear() }
        return nil
      } == 32)
  }

  @Test("a slow link that gets on is no dead one, however long the answer waits behind pictures")
  func slow() {
    #expect(given { _, second in .init(acknowledgedBytes: UInt64(second) * 5000, isOutstanding: true) } == nil)
    // It stops getting on.
    #expect(
      given { _, second in .init(acknowledgedBytes: UInt64(min(second, 10)) * 5000, isOutstanding: true) } == 22)
  }

  @Test("whoever sends anything at all is there")
  func sends() {
    #expect(
      given { _, second in
        .init(acknowledgedBytes: 100, isOutstanding: false, receivedBytes: UInt64(min(second, 20)) * 6)
      } == 32)
  }

  @Test("a kernel that acknowledges a ping for a program that hangs is no sign")
  func frozen() {
    #expect(given { _, second in .init(acknowledgedBytes: second < 6 ? 100 : 106, isOutstanding: false) } == 12)
  }
}
