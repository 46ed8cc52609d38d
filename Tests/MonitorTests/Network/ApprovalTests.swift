import CamrigModel
import HTTP
import Monitor
import TestSupport
import Testing

@Suite("Being let in by a paired monitor", .timeLimit(.minutes(5)), .serialized)
struct ApprovalTests {
  private func ask(
    _ client: HTTPClient, name: String = "Tablet", headers: HTTPHeaders = [:]
  ) async throws -> (request: String, check: String) {
    let answer = try await client.send(
      .post, "/pair/request", headers: headers, body: JSONValue.object(["name": .string(name)]).bytes)
    let json = try JSONValue(json: answer.body)
    return (try #require(json["request"]?.asString), try #require(json["check"]?.asString))
  }

  private func outcome(_ client: HTTPClient, _ request: String) async throws -> (JSONValue, HTTPHeaders) {
    let answer = try await client.send(.get, "/pair/request/\(request)")
    #expect(answer.status == 200)
    return (try JSONValue(json: answer.body), answer.headers)
  }

  @Test("an admin sees who asks with the digits that the device shows, lets it in, and its token works")
  func approved() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let admin = try served.pair(.admin)
    let asked = try await ask(client)
    #expect(try await outcome(client, asked.request).0 == ["state": "waiting"])
    let listed = try await served.call(client, admin, "pairing.list")["result"]?.asArray
    let entry = try #require(listed?.first)
    #expect(listed?.count == 1)
    #expect(entry["name"] == "Tablet" && entry["address"] == "127.0.0.1" && entry["check"] == .string(asked.check))
    let number = try #require(entry["request"])
    #expect(
      try await served.call(client, admin, "pairing.approve", ["request": number, "role": "viewer"])["result"] == [:])
    #expect(
      try await served.call(client, admin, "pairing.approve", ["request": number])["error"]?["data"]?["reason"]
        == "pairing.unknown")
    let (paired, headers) = try await outcome(client, asked.request)
    #expect(paired["state"] == "approved" && paired["role"] == "viewer" && paired["monitor"]?["name"] == "Tablet")
    let token = try #require(paired["token"]?.asString)
    #expect(headers["set-cookie"]?.contains("=\(token);") == true)
    #expect(try await served.call(client, token, "camera.list")["result"] == [])
    // It is told once.
    #expect(try await outcome(client, asked.request).0 == ["state": "expired"])
    client.close()
    await served.end()
  }

  @Test("a browser gets the token as a cookie alone")
  func browser() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let admin = try served.pair(.admin)
    let port = try served.port("https")
    let asked = try await ask(client, headers: ["origin": "https://127.0.0.1:\(port)"])
    #expect(try await served.call(client, admin, "pairing.approve", ["request": "1"])["result"] == [:])
    let (paired, headers) = try await outcome(client, asked.request)
    #expect(paired["state"] == "approved" && paired["role"] == "operator" && paired["token"] == nil)
    #expect(headers["set-cookie"]?.contains("HttpOnly") == true)
    // No page but the rig's may ask.
    let foreign = try await client.send(
      .post, "/pair/request", headers: ["origin": "https://evil.example"], body: [0x7B, 0x7D])
    #expect(foreign.status == 403)
    client.close()
    await served.end()
  }

  @Test("who is sent away hears so, and so does who asks for nothing known; nobody but an admin decides")
  func denied() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let (admin, operator_) = (try served.pair(.admin), try served.pair(.operator))
    let asked = try await ask(client)
    for method in ["pairing.list", "pairing.approve", "pairing.deny"] {
      #expect(
        try await served.call(client, operator_, method, ["request": "1"])["error"]?["data"]?["reason"]
          == "role.forbidden")
    }
    #expect(try await served.call(client, admin, "pairing.deny", ["request": "1"])["result"] == [:])
    #expect(try await outcome(client, asked.request).0 == ["state": "denied"])
    #expect(try await outcome(client, "1").0 == ["state": "expired"])
    #expect(served.book.monitors.count == 2)
    client.close()
    await served.end()
  }

  @Test("who asks too often is refused with the time to wait, and the log says so once with the address")
  func tooOften() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    for _ in 0..<5 { _ = try await ask(client) }
    for _ in 0..<4 {
      let refused = try await client.send(.post, "/pair/request", body: [0x7B, 0x7D])
      #expect(refused.status == 429)
      #expect((1...600).contains(refused.headers["retry-after"].flatMap { Int($0) } ?? 0))
    }
    #expect(served.sink.lines.filter { $0.message.hasPrefix("127.0.0.1 asks too often") }.count == 1)
    #expect(served.book.monitors.isEmpty)
    client.close()
    await served.end()
  }

  @Test("an approval is void once a monitor is revoked before it was fetched: that one may have given it")
  func revoked() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let admin = try served.pair(.admin)
    _ = try served.pair(.admin)
    let asked = try await ask(client)
    #expect(
      try await served.call(client, admin, "pairing.approve", ["request": "1", "role": "admin"])["result"] == [:])
    #expect(try await served.call(client, admin, "monitor.revoke", ["monitor": "2"])["result"] == [:])
    #expect(try await outcome(client, asked.request).0 == ["state": "expired"])
    client.close()
    await served.end()
  }

  @Test("admins alone see in the state who asks; everybody's revisions follow one another")
  func state() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    var inboxes: [AccessRole: Inbox] = [:]
    for role in [AccessRole.operator, .admin] {
      let inbox = Inbox()
      let socket = try await client.open(
        "/monitor", subprotocols: ["camrig.monitor.v1"],
        headers: ["authorization": "Bearer \(try served.pair(role, name: role.rawValue))"], session: inbox)
      socket.send(RPCRequest(id: .number(1), method: "state.watch").json.text)
      await eventually { inbox.answer(1) != nil }
      #expect(inbox.answer(1)?["result"]?["state"]?["pairingRequests"] == nil)
      inboxes[role] = inbox
    }
    let asked = try await ask(client)
    let admin = try #require(inboxes[.admin])
    @Sendable func told(_ inbox: Inbox) -> [JSONValue] {
      inbox.texts.compactMap { $0["method"] == "state.changed" ? $0["params"] : nil }
    }
    await eventually {
      told(admin).contains { $0["patch"]?["pairingRequests"]?["1"]?["check"] == .string(asked.check) }
    }
    let token = try served.pair(.admin)
    #expect(try await served.call(client, token, "pairing.deny", ["request": "1"])["result"] == [:])
    await eventually { told(admin).contains { $0["patch"]?.asObject?["pairingRequests"] == .null } }
    for (role, inbox) in inboxes {
      var revision = inbox.answer(1)?["result"]?["revision"]?.asInteger ?? -1
      for change in told(inbox) {
        revision += 1
        #expect(change["revision"] == .integer(revision), "\(role)")
        if role != .admin { #expect(change["patch"]?.asObject?.keys.contains("pairingRequests") == false) }
      }
    }
    client.close()
    await served.end()
  }
}
