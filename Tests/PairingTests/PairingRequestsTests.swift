import CamrigModel
import Pairing
import Testing

@Suite("Strangers that ask to be let in")
struct PairingRequestsTests {
  private let wall = WallTime(nanoseconds: 1_800_000_000_000_000_000)

  private func at(_ seconds: Int64) -> MediaTime { MediaTime(nanoseconds: seconds * 1_000_000_000) }

  private func ask(
    _ requests: inout PairingRequests, _ address: String, at seconds: Int64 = 0, name: String = "Phone"
  ) -> (secret: String, check: String)? {
    switch requests.ask(name, from: address, at: at(seconds), wall: wall) {
    case .accepted(let secret, let check): (secret, check)
    case .tooMany, .noRandomNumbers: nil
    }
  }

  @Test("wait until somebody decides, and hear it once")
  func approved() throws {
    var requests = PairingRequests()
    let asked = try #require(ask(&requests, "192.0.2.7", name: " Anna's\nphone\u{202E} "))
    let waiting = try #require(requests.waiting(at: at(1)).first)
    #expect(waiting.name == "Anna's phone" && waiting.address == "192.0.2.7" && waiting.check == asked.check)
    #expect(requests.outcome(secret: asked.secret, at: at(2)) == .waiting)
    #expect(requests.approve(waiting.id, as: .viewer, at: at(3))?.id == waiting.id)
    #expect(requests.waiting(at: at(3)).isEmpty)
    #expect(requests.deny(waiting.id, at: at(3)) == nil)
    guard case .approved(.viewer, let request) = requests.outcome(secret: asked.secret, at: at(4)) else {
      Issue.record("not approved")
      return
    }
    #expect(request.name == "Anna's phone")
    #expect(requests.outcome(secret: asked.secret, at: at(5)) == .unknown)
  }

  @Test("that are refused hear that; nobody hears anything by another's number or a guess")
  func denied() throws {
    var requests = PairingRequests()
    let asked = try #require(ask(&requests, "192.0.2.7"))
    let id = try #require(requests.waiting(at: at(0)).first).id
    #expect(requests.outcome(secret: "\(id)", at: at(0)) == .unknown)
    #expect(requests.deny(id, at: at(1)) != nil)
    #expect(requests.outcome(secret: asked.secret, at: at(2)) == .denied)
    #expect(requests.outcome(secret: asked.secret, at: at(2)) == .unknown)
  }

  @Test("are told apart by four digits that no two of them share")
  func checks() throws {
    for _ in 0..<200 {
      var requests = PairingRequests()
      let checks = (0..<PairingRequests.most).compactMap { ask(&requests, "192.0.2.\($0)")?.check }
      #expect(checks.count == PairingRequests.most && Set(checks).count == checks.count)
      #expect(checks.allSatisfy { $0.utf8.count == 4 && $0.utf8.allSatisfy { (48...57).contains($0) } })
    }
  }

  @Test("are forgotten after ten minutes, approved or not")
  func expired() throws {
    var requests = PairingRequests()
    let (first, second) = (try #require(ask(&requests, "192.0.2.7")), try #require(ask(&requests, "192.0.2.8")))
    let id = try #require(requests.waiting(at: at(0)).first).id
    #expect(requests.approve(id, as: .admin, at: at(599)) != nil)
    #expect(requests.waiting(at: at(599)).count == 1)
    #expect(requests.outcome(secret: first.secret, at: at(600)) == .unknown)
    #expect(requests.outcome(secret: second.secret, at: at(600)) == .unknown)
    #expect(requests.waiting(at: at(600)).isEmpty)
  }

  @Test("are a handful: one more is refused until one is decided on; the first refusal of an address is news")
  func bounded() throws {
    var requests = PairingRequests()
    for number in 0..<PairingRequests.most { #expect(ask(&requests, "192.0.2.\(number)") != nil) }
    #expect(requests.ask("x", from: "192.0.2.99", at: at(60), wall: wall) == .tooMany(.seconds(540), isNews: true))
    #expect(requests.ask("x", from: "192.0.2.99", at: at(61), wall: wall) == .tooMany(.seconds(539), isNews: false))
    let id = try #require(requests.waiting(at: at(62)).first).id
    #expect(requests.deny(id, at: at(62)) != nil)
    // Whether or not that one ever comes to hear so.
    #expect(ask(&requests, "192.0.2.99", at: 63) != nil)
    #expect(ask(&requests, "192.0.2.98", at: 63) == nil)
  }

  @Test("an address has one place, that of its newest request, and five tries in ten minutes; others go on")
  func oneAddress() throws {
    var requests = PairingRequests()
    let first = try #require(ask(&requests, "192.0.2.7"))
    for _ in 1..<PairingRequests.mostOfAddress { #expect(ask(&requests, "192.0.2.7", at: 10) != nil) }
    #expect(requests.waiting(at: at(10)).count == 1)
    #expect(requests.outcome(secret: first.secret, at: at(10)) == .unknown)
    #expect(requests.ask("x", from: "192.0.2.7", at: at(20), wall: wall) == .tooMany(.seconds(580), isNews: true))
    #expect(ask(&requests, "192.0.2.8", at: 20) != nil)
    #expect(ask(&requests, "192.0.2.7", at: 600) != nil)
  }

  @Test("all addresses together have thirty tries in ten minutes")
  func all() throws {
    var requests = PairingRequests()
    var accepted = 0
    for number in 0..<2000 {
      guard let asked = ask(&requests, "2001:db8::\(number)", at: 1) else { continue }
      accepted += 1
      let id = try #require(requests.waiting(at: at(1)).first).id
      #expect(requests.deny(id, at: at(1)) != nil)
      #expect(requests.outcome(secret: asked.secret, at: at(1)) == .denied)
    }
    #expect(accepted == PairingRequests.mostOfAll)
  }

  @Test("an approval that was not fetched is void once it is withdrawn")
  func withdrawn() throws {
    var requests = PairingRequests()
    let asked = try #require(ask(&requests, "192.0.2.7"))
    let id = try #require(requests.waiting(at: at(0)).first).id
    #expect(requests.approve(id, as: .admin, at: at(1)) != nil)
    requests.withdrawApprovals()
    #expect(requests.outcome(secret: asked.secret, at: at(2)) == .unknown)
  }
}
