import CamrigModel
import Pairing
import Testing

@Suite("Pairing codes")
struct PairingCodesTests {
  private let begin = MediaTime(seconds: 1000, microseconds: 0)
  private let house = "192.0.2.7"

  private func after(_ seconds: Int) -> MediaTime { begin + .seconds(seconds) }

  @Test("a code is eight digits and pairs one monitor, with the role that it was made for")
  func once() throws {
    let codes = Codes()
    let code = try codes.code(.operator, at: begin)
    #expect(code.utf8.count == 8 && code.utf8.allSatisfy { (48...57).contains($0) })
    let typed = PairingCodes.grouped(code)
    #expect(typed.utf8.count == 9)
    #expect(codes.redeem(typed, from: house, at: after(599)) == .accepted(.operator))
    #expect(codes.redeem(code, from: house, at: after(599)) == .wrong)
  }

  @Test("it lasts ten minutes")
  func old() throws {
    let codes = Codes()
    let code = try codes.code(.viewer, at: begin)
    #expect(codes.redeem(code, from: house, at: after(600)) == .wrong)
  }

  @Test("codes differ")
  func random() {
    let codes = Codes()
    let made = Set((0..<100).compactMap { _ in codes.issue(.viewer, at: begin) })
    #expect(made.count >= 99)
  }

  @Test("an address has five wrong tries in ten minutes; the right code does not help it then")
  func triesOfAddress() throws {
    let codes = Codes()
    let code = try codes.code(.admin, at: begin)
    for _ in 0..<5 { #expect(codes.redeem("x", from: house, at: after(10)) == .wrong) }
    #expect(codes.redeem(code, from: house, at: after(20)) == .tooMany(.seconds(590)))
    #expect(codes.redeem(code, from: "192.0.2.8", at: after(20)) == .accepted(.admin))
    let later = try codes.code(.admin, at: after(500))
    #expect(codes.redeem(later, from: house, at: after(610)) == .accepted(.admin))
  }

  @Test("who has many addresses is stopped, too")
  func triesOfAll() throws {
    let codes = Codes()
    let code = try codes.code(.admin, at: begin)
    for number in 0..<30 { #expect(codes.redeem("x", from: "a\(number)", at: after(1)) == .wrong) }
    #expect(codes.redeem(code, from: "fresh", at: after(2)) == .tooMany(.seconds(599)))
  }

  @Test("of many open codes the oldest goes")
  func many() throws {
    let codes = Codes()
    let first = try codes.code(.viewer, at: begin)
    for _ in 0..<8 { _ = codes.issue(.viewer, at: after(1)) }
    #expect(codes.redeem(first, from: house, at: after(2)) == .wrong)
  }
}

/// The codes of a rig, for a test that cannot change a value inside of an expectation.
private final class Codes {
  private var codes = PairingCodes()

  func issue(_ role: AccessRole, at now: MediaTime) -> String? { codes.issue(role, at: now) }
  func code(_ role: AccessRole, at now: MediaTime) throws -> String { try #require(issue(role, at: now)) }

  func redeem(_ typed: String, from address: String, at now: MediaTime) -> PairingCodes.Verdict {
    codes.redeem(typed, from: address, at: now)
  }
}
