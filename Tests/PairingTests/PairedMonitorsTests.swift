import CamrigModel
import FoundationEssentials
import Pairing
import Testing

@Suite("Paired monitors")
struct PairedMonitorsTests {
  private let now = WallTime(rfc3339: "2027-01-02T03:04:05Z")!

  private func token() throws -> AccessToken { try #require(AccessToken.random()) }

  @Test("a monitor is found by its token, and by nothing else")
  func found() throws {
    let monitors = List()
    let (phone, desk) = (try token(), try token())
    #expect(phone != desk)
    let first = monitors.add("Phone", .operator, token: phone, at: now)
    _ = monitors.add("Desk", .viewer, token: desk, at: now)
    #expect(monitors.value.monitor(withToken: phone.text) == first)
    #expect(monitors.value.monitor(withToken: desk.text)?.name == "Desk")
    for wrong in ["", phone.hash, phone.text + "A", phone.text.lowercased()] {
      #expect(monitors.value.monitor(withToken: wrong) == nil)
    }
  }

  @Test("what is kept does not hold the token, and is read back")
  func kept() throws {
    let monitors = List()
    let token = try token()
    _ = monitors.add("Phone", .admin, token: token, at: now)
    let bytes = try JSONEncoder().encode(monitors.value)
    #expect(!String(decoding: bytes, as: UTF8.self).contains(token.text))
    let read = try JSONDecoder().decode(PairedMonitors.self, from: bytes)
    #expect(read == monitors.value)
    #expect(read.monitor(withToken: token.text)?.role == .admin)
  }

  @Test("a token is 43 letters that fit a header; its hash is SHA-256")
  func tokens() throws {
    let token = try token()
    #expect(token.text.utf8.count == 43)
    #expect(token.text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    #expect(
      AccessToken.hash(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("who is revoked is unknown, and its number is not given again")
  func revoked() throws {
    let monitors = List()
    let token = try token()
    let first = try #require(monitors.add("Phone", .viewer, token: token, at: now))
    #expect(monitors.revoke(first.id) == first)
    #expect(monitors.revoke(first.id) == nil)
    #expect(monitors.value.monitor(withToken: token.text) == nil)
    #expect(monitors.add("Phone", .viewer, token: token, at: now)?.id == first.id + 1)
  }

  @Test("when a monitor was seen is kept to the hour")
  func seen() throws {
    let monitors = List()
    let id = try #require(monitors.add("Phone", .viewer, token: try token(), at: now)).id
    #expect(monitors.saw(id, at: now))
    #expect(!monitors.saw(id, at: WallTime(rfc3339: "2027-01-02T03:59:59Z")!))
    #expect(monitors.saw(id, at: WallTime(rfc3339: "2027-01-02T04:00:00Z")!))
    #expect(monitors.value.monitors.first?.lastSeen?.rfc3339 == "2027-01-02T04:00:00.000000Z")
    #expect(!monitors.saw(99, at: now))
  }

  @Test("a name is one line of at most 64 letters")
  func names() throws {
    let monitors = List()
    let long = String(repeating: "ü", count: 100)
    for (name, shown) in [
      ("  My\n\tphone\u{7}!", "My phone !"), ("", "unnamed"), ("\u{1B}", "unnamed"), (long, String(long.prefix(64))),
    ] {
      #expect(monitors.add(name, .viewer, token: try token(), at: now)?.name == shown)
    }
    #expect(monitors.rename(1, "Desk\n"))
    #expect(monitors.value.monitors.first?.name == "Desk")
    #expect(!monitors.rename(99, "x"))
  }

  @Test("there is room for 256")
  func full() throws {
    let monitors = List()
    let token = try token()
    for _ in 0..<256 { #expect(monitors.add("x", .viewer, token: token, at: now) != nil) }
    #expect(monitors.add("x", .viewer, token: token, at: now) == nil)
  }

  @Test("a role may what the ones below it may")
  func roles() {
    #expect(AccessRole.viewer.allows(.viewer) && !AccessRole.viewer.allows(.operator))
    #expect(AccessRole.operator.allows(.viewer) && !AccessRole.operator.allows(.admin))
    #expect(AccessRole.allCases.allSatisfy { AccessRole.admin.allows($0) })
  }
}

/// The monitors of a rig, for a test that cannot change a value inside of an expectation.
private final class List {
  private(set) var value = PairedMonitors()

  func add(_ name: String, _ role: AccessRole, token: AccessToken, at now: WallTime) -> PairedMonitor? {
    value.add(name, role, token: token, at: now)
  }
  func saw(_ id: Int, at now: WallTime) -> Bool { value.saw(id, at: now) }
  func revoke(_ id: Int) -> PairedMonitor? { value.revoke(id) }
  func rename(_ id: Int, _ name: String) -> Bool { value.rename(id, name) }
}
