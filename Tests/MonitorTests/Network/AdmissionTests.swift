import CamrigModel
import Glibc
import HTTP
import Monitor
import RigControl
import TestSupport
import Testing

@Suite("Who may come in", .timeLimit(.minutes(5)), .serialized)
struct AdmissionTests {
  @Test("a stranger gets the page and what pairing takes, and nothing else, whatever is asked")
  func stranger() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    for route in Route.allCases {
      // HEAD is answered like GET, and this client cannot ask it.
      for method in HTTPMethod.allCases where method != .head {
        let body = [.post, .put, .patch].contains(method) ? Array("{}".utf8) : nil
        guard let answer = try? await client.send(method, route.example, body: body) else {
          Issue.record("\(method) \(route) is not answered")
          continue
        }
        if !route.methods.contains(method) {
          #expect(answer.status == 405, "\(method) \(route)")
        } else if case .atLeast = route.admission {
          #expect(answer.status == 401, "\(method) \(route)")
        } else {
          #expect(answer.status != 401, "\(method) \(route)")
        }
      }
    }
    let open = Route.allCases.filter { $0.admission == .anybody }
    #expect(Set(open) == [.page, .asset, .authority, .session, .pair, .pairRequest, .pairOutcome])
    let page = await Program.ended("curl", ["-ski", "https://127.0.0.1:\(try served.port("https"))/"], seconds: 20)
    #expect(page.text.hasPrefix("HTTP/1.1 200") && page.text.contains("content-security-policy: default-src 'self'"))
    let session = try JSONValue(json: try await client.send(.get, "/session").body)
    #expect(session["paired"] == false && session["rig"]?["name"] == "Stage")
    #expect(session["cameras"] == nil && session["role"] == nil)
    for target in ["/?action=stream", "/?action=snapshot", "/takes/x/y", "/monitor", "/monitor/media"] {
      #expect(try await client.send(.get, target).status == 401, "\(target)")
    }
    await #expect(throws: HTTPClientError.self) {
      try await client.open("/monitor", subprotocols: ["camrig.monitor.v1"], session: Inbox())
    }
    // Once for each, with the address.
    #expect(served.sink.lines.contains { $0.message.hasPrefix("127.0.0.1 asked for /rpc and is not paired") })
    client.close()
    await served.end()
  }

  @Test("a code pairs one monitor; the token works as a cookie, a bearer's token and a password, and is kept as a hash")
  func pairing() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let offer = try served.desk.offer(.operator)
    #expect(offer.urls.allSatisfy { $0.hasSuffix("/#code=" + offer.code.filter { $0 != " " }) })
    let body = JSONValue.object(["code": .string(offer.code), "name": "Anna's phone"]).bytes
    let answer = try await client.send(.post, "/pair", body: body)
    #expect(answer.status == 200)
    let paired = try JSONValue(json: answer.body)
    #expect(paired["role"] == "operator" && paired["monitor"]?["name"] == "Anna's phone")
    let token = try #require(paired["token"]?.asString)
    let cookie = try #require(answer.headers["set-cookie"])
    #expect(cookie.contains("=\(token);") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
    #expect(cookie.hasSuffix("; Secure"))
    #expect(try await client.send(.post, "/pair", body: body).status == 403)

    let pair = String(cookie.prefix { $0 != ";" })
    for headers: HTTPHeaders in [["cookie": "other=1; \(pair)"], ["authorization": "Bearer \(token)"]] {
      let session = try JSONValue(json: try await client.send(.get, "/session", headers: headers).body)
      #expect(session["paired"] == true)
    }
    let password = Base64Text.of("any:\(token)")
    #expect(try await client.send(.get, "/snapshot", headers: ["authorization": "Basic \(password)"]).status == 200)
    // A password is for pictures alone.
    #expect(
      try await client.send(.post, "/rpc", headers: ["authorization": "Basic \(password)"], body: [0x7b, 0x7d]).status
        == 401)
    let file = FileBytes.read(served.directory.path + "/monitors.json")
    #expect(!String(decoding: file, as: UTF8.self).contains(token))
    client.close()
    await served.end()
  }

  @Test("who guesses codes has to wait, and everybody else does not")
  func guessing() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let code = try served.book.makeCode(for: .viewer).code
    func attempt(_ code: String) async throws -> HTTPClient.Answer {
      try await client.send(.post, "/pair", body: JSONValue.object(["code": .string(code)]).bytes)
    }
    for _ in 0..<5 { #expect(try await attempt("0000 0000").status == 403) }
    let refused = try await attempt(code)
    #expect(refused.status == 429)
    let wait = try #require(refused.headers["retry-after"].flatMap { Int64($0) })
    #expect((1...600).contains(wait))
    #expect(try served.book.pair(code: code, name: "", from: "192.0.2.9").monitor.role == .viewer)
    client.close()
    await served.end()
  }

  @Test("pages of others may neither operate the rig nor come by a name that is not the rig's")
  func foreignPages() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let token = try served.pair(.admin)
    let id = String(served.link.fingerprint.description.dropFirst(7).prefix(8))
    let port = try served.port("https")
    let body = RPCRequest(id: .number(1), method: "rig.version").json.bytes
    func post(_ headers: HTTPHeaders) async throws -> Int {
      var headers = headers
      headers.add("cookie", "camrig-\(id)=\(token)")
      return try await client.send(.post, "/rpc", headers: headers, body: body).status
    }
    #expect(try await post(["origin": "https://127.0.0.1:\(port)"]) == 200)
    #expect(try await post(["origin": "https://evil.example"]) == 403)
    #expect(try await post(["origin": "http://127.0.0.1:\(port)"]) == 403)
    #expect(try await post(["origin": "null"]) == 403)
    #expect(try await post([:]) == 403)

    func status(_ host: String) async -> String {
      await Program.ended(
        "curl", ["-sk", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)", "https://127.0.0.1:\(port)/"],
        seconds: 20
      ).text
    }
    #expect(await status("rig.example:\(port)") == "200")
    #expect(await status("[::1]:\(port)") == "200")
    #expect(await status("evil.example:\(port)") == "421")
    #expect(served.sink.lines.contains { $0.message.contains("evil.example") && $0.message.contains("AllowedHosts=") })
    client.close()
    await served.end()
  }

  @Test("a monitor that is revoked is sent away at once and comes in no more; a viewer may not do that")
  func revoking() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let (phone, admin) = (try served.pair(.operator, name: "Phone"), try served.pair(.admin, name: "Desk"))
    let inbox = Inbox()
    let socket = try await client.open(
      "/monitor", subprotocols: ["camrig.monitor.v1"], headers: ["authorization": "Bearer \(phone)"], session: inbox)
    socket.send(RPCRequest(id: .number(1), method: "state.watch").json.text)
    await eventually { inbox.answer(1) != nil }
    let listed = try await served.call(client, admin, "monitor.list")
    #expect(listed["result"]?.asArray?.map { $0["connected"] } == [true, false])
    #expect(try await served.call(client, phone, "monitor.revoke", ["monitor": "Desk"])["error"] != nil)
    #expect(try await served.call(client, admin, "monitor.revoke", ["monitor": "Phone"])["result"] == [:])
    await eventually { inbox.closing != nil }
    #expect(inbox.closing?.code == 4401)
    #expect(
      try await client.send(.get, "/takes/x/y", headers: ["authorization": "Bearer \(phone)"]).status == 401)

    // A name is a monitor's own choice: it protects nobody. A picture stream ends, and so do codes that were made before.
    let (first, second) = (try served.pair(.viewer, name: "4"), try served.pair(.viewer, name: "3"))
    let offer = try served.desk.offer(.admin).code
    let url = "http://127.0.0.1:\(try served.port("http"))/stream?camera=test-1"
    async let watched = Program.ended("curl", ["-s", "-H", "Authorization: Bearer \(first)", url], seconds: 60)
    await eventually { await served.rig.cameras().contains { $0.state == .streaming } }
    #expect(try await served.call(client, admin, "monitor.revoke", ["monitor": "3"])["result"] == [:])
    #expect(await watched.status == 0)
    #expect(served.book.monitor(token: second, from: "::1")?.name == "3")
    #expect(throws: MonitorBook.PairingFailure.wrongCode) { try served.book.pair(code: offer, name: "", from: "::1") }
    client.close()
    await served.end()
  }

  @Test("a stranger's body is not taken in, and a code is not large")
  func strangersBody() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let large = [UInt8](repeating: 0x20, count: 5000)
    #expect(try await client.send(.post, "/rpc", body: large).status == 401)
    #expect(try await client.send(.post, "/pair", body: large).status == 413)
    #expect(try await client.send(.post, "/pair/request", body: large).status == 413)
    client.close()
    await served.end()
  }

  @Test("monitors stay paired over a restart; a file that makes no sense is kept aside")
  func kept() async throws {
    let directory = TemporaryDirectory()
    let sink = RecordingLogSink()
    let path = directory.path + "/monitors.json"
    let clock = TestClock()
    let aside = path + ".unreadable-\(clock.anchor.wall.compact)"
    let book = MonitorBook(path: path, clock: clock, log: sink.log)
    let token = try book.pair(code: book.makeCode(for: .viewer).code, name: "Tablet", from: "::1").token
    let again = MonitorBook(path: path, clock: clock, log: sink.log)
    #expect(again.monitor(token: token, from: "::1")?.name == "Tablet")
    #expect(again.monitor(token: token + "x", from: "::1") == nil)
    // When it was seen is written a little later.
    await eventually { String(decoding: FileBytes.read(path), as: UTF8.self).contains("lastSeen") }
    FileBytes.write(Array("{\"monitors\": 3".utf8), to: path)
    #expect(MonitorBook(path: path, clock: clock, log: sink.log).monitors.isEmpty)
    #expect(FileBytes.read(aside) == Array("{\"monitors\": 3".utf8))
    #expect(sink.lines.contains { $0.message.contains("paired again") })
    // Nor does a second one cost the first.
    FileBytes.write(Array("[]".utf8), to: path)
    #expect(MonitorBook(path: path, clock: clock, log: sink.log).monitors.isEmpty)
    #expect(FileBytes.read(aside + "-1") == Array("[]".utf8))
    #expect(FileBytes.read(aside) == Array("{\"monitors\": 3".utf8))
  }
}

@Suite("A list of monitors that cannot be saved", .timeLimit(.minutes(5)))
struct UnsavedMonitorsTests {
  @Test("who is revoked is out at once, stays on the list as long as the file has it, and can be revoked once more")
  func revoked() throws {
    let directory = TemporaryDirectory()
    let sink = RecordingLogSink()
    let path = directory.path + "/state/monitors.json"
    #expect(mkdir(directory.path + "/state", 0o755) == 0)
    let book = MonitorBook(path: path, log: sink.log)
    let tokens = try ["Phone", "Desk"].map { name in
      try book.pair(code: book.makeCode(for: .viewer).code, name: name, from: "::1").token
    }
    let told = Guarded<[Int]>([])
    book.onRevoke { id in told.withLock { $0.append(id) } }
    #expect(rename(directory.path + "/state", directory.path + "/away") == 0)
    do throws(MonitorBook.PairingFailure) {
      _ = try book.revoke(1)
      Issue.record("it cannot have been saved")
    } catch {
      guard case .notSaved(let text) = error else { throw error }
      #expect(text.hasSuffix("It is locked out until the rig starts again. Make room, and revoke it once more."))
    }
    #expect(told.withLock { $0 } == [1])
    #expect(book.monitor(token: tokens[0], from: "::1") == nil)
    #expect(book.monitor(token: tokens[1], from: "::1")?.name == "Desk")
    #expect(book.monitors.map(\.name) == ["Phone", "Desk"])
    #expect(rename(directory.path + "/away", directory.path + "/state") == 0)
    #expect(try book.revoke(1))
    #expect(book.monitors.map(\.name) == ["Desk"])
    #expect(MonitorBook(path: path, log: sink.log).monitor(token: tokens[0], from: "::1") == nil)
  }
}

/// The other way round than the rig needs it.
enum Base64Text {
  static func of(_ text: String) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = text.utf8.reduce(into: [Bool]()) { bits, byte in
      for place in stride(from: 7, through: 0, by: -1) { bits.append(byte >> UInt8(place) & 1 == 1) }
    }
    while bits.count % 6 != 0 { bits.append(false) }
    var out = ""
    for start in stride(from: 0, to: bits.count, by: 6) {
      out.append(letters[bits[start..<start + 6].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }])
    }
    while out.count % 4 != 0 { out += "=" }
    return out
  }
}
