import CamrigModel
import HTTP
import Monitor
import TestSupport
import Testing

/// Every address and every method, asked by everybody. The lists come from the router and the OpenRPC document, so that
/// nothing new goes unasked.
@Suite("Everything that can be asked, by everybody", .timeLimit(.minutes(5)), .serialized)
struct WalkTests {
  /// Who may ask for an address, said once more by hand: what is new is to be thought of twice. Nil: everybody.
  private static let admitted: [(Route, AccessRole?)] = [
    (.page, nil), (.asset, nil), (.authority, nil), (.session, nil), (.pair, nil),
    (.pairRequest, nil), (.pairOutcome, nil), (.unpair, .viewer), (.rpc, .viewer),
    (.control, .viewer), (.media, .viewer), (.document, .viewer), (.snapshot, .viewer), (.stream, .viewer),
    (.sound, .viewer), (.takeFile, .viewer), (.takeFrames, .viewer), (.metrics, .viewer), (.photoFile, .viewer),
    (.timelapseFile, .viewer),
  ]

  private func least(_ route: Route) -> AccessRole? {
    if case .atLeast(let role) = route.admission { role } else { nil }
  }

  @Test("no address is open that is not said to be (a new one: write it into the table of this test)")
  func table() {
    #expect(Set(Self.admitted.map(\.0)) == Set(Route.allCases))
    for (route, role) in Self.admitted { #expect(least(route) == role, "\(route)") }
  }

  @Test("an address answers those of its role and nobody else, whatever way is used")
  func addresses() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let origin = "https://127.0.0.1:\(try served.port("https"))"
    func status(_ route: Route, _ method: HTTPMethod, _ headers: HTTPHeaders) async throws -> Int {
      var headers = headers
      headers.add("origin", origin)
      let body = method == .get ? nil : Array("{}".utf8)
      return try await client.send(method, route.example, headers: headers, body: body).status
    }
    for route in Route.allCases {
      // This client cannot ask HEAD, which is answered like GET.
      for method in route.methods where method != .head {
        for wrong: HTTPHeaders in [[:], ["authorization": "Bearer 0000"], ["cookie": "camrig=0000"]] {
          #expect(
            try await status(route, method, wrong) == 401 || least(route) == nil, "a stranger: \(method) \(route)")
        }
        for role in AccessRole.allCases {
          let headers: HTTPHeaders = ["authorization": "Bearer \(try served.pair(role))"]
          let answer = try await status(route, method, headers)
          let isIn = role >= least(route) ?? .viewer
          #expect(answer != 401 && (answer == 403) != isIn, "\(role): \(method) \(route): \(answer)")
        }
      }
    }
    client.close()
    await served.end()
  }

  @Test("by a name that is not the rig's nothing is answered, and pages of others change nothing")
  func names() async throws {
    let served = try await RigInNetwork(demo: 0)
    let base = "http://127.0.0.1:\(try served.port("http"))"
    let token = try served.pair(.admin)
    func curl(_ route: Route, _ headers: [String]) async -> String {
      let method = route.methods.contains(.post) ? "POST" : "GET"
      let body = method == "POST" ? ["--data", "{}"] : []
      return await Program.ended(
        "curl",
        [
          "-s", "-m", "5", "-o", "/dev/null", "-w", "%{http_code}", "-X", method, "-H",
          "Authorization: Bearer \(token)",
        ]
          + headers.flatMap { ["-H", $0] } + body + [base + route.example], seconds: 20
      ).text
    }
    for route in Route.allCases {
      #expect(await curl(route, ["Host: evil.example"]) == "421", "\(route)")
      // What is only read may be asked for from anywhere: browsers show nobody else the answer.
      let foreign = await curl(route, ["Origin: https://evil.example"])
      let changes = [Route.control, .media].contains(route) || route.methods.contains(.post)
      #expect((foreign == "403") == changes, "\(route): \(foreign)")
    }
    await served.end()
  }

  @Test("each method of the document is refused to those below its role, with an error that the document names")
  func methods() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let viewer: HTTPHeaders = ["authorization": "Bearer \(try served.pair(.viewer))"]
    #expect(try await client.send(.get, "/openrpc.json").status == 401)
    let answer = try await client.send(.get, "/openrpc.json", headers: viewer)
    let document = try JSONValue(json: answer.body)
    // Those of the media socket have a walk of their own.
    let entries = (document["methods"]?.asArray ?? []).filter { $0["servers"] == nil }
    #expect(Set(entries.compactMap { $0["name"]?.asString }) == Set(RigMethod.allCases.map(\.rawValue)))
    for role in AccessRole.allCases {
      let token = try served.pair(role)
      for entry in entries {
        let name = try #require(entry["name"]?.asString)
        let least = try #require(entry["x-least-role"]?.asString.flatMap { AccessRole(rawValue: $0) })
        let declared = (entry["errors"]?.asArray ?? []).compactMap { $0["$ref"]?.asString?.split(separator: "/").last }
        let params: JSONValue = ["camera": "nobody", "take": "x", "monitor": "0"]
        let error = try await served.call(client, token, name, params)["error"]
        let reason = error?["data"]?["reason"]?.asString
        #expect((reason == "role.forbidden") == (role < least), "\(role): \(name)")
        if let reason { #expect(declared.contains { $0 == reason }, "\(name) answers \(reason), and does not say so") }
      }
      #expect(try await served.call(client, token, "rig.fly")["error"]?["code"] == -32601)
    }
    // A stranger is not even told which methods there are.
    for entry in entries + [["name": "rig.fly"]] {
      let request = RPCRequest(id: .number(1), method: entry["name"]?.asString ?? "")
      #expect(try await client.send(.post, "/rpc", body: request.json.bytes).status == 401)
    }
    client.close()
    await served.end()
  }

  @Test("each method of the media socket, by each role: an answer, or an error that the document names")
  func media() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let entries = (try OpenRPCDocument.make()["methods"]?.asArray ?? []).filter { $0["servers"] != nil }
    #expect(entries.compactMap { $0["name"]?.asString } == MediaMethod.allCases.map(\.rawValue))
    for role in AccessRole.allCases {
      let inbox = Inbox()
      let socket = try await client.open(
        "/monitor/media", subprotocols: ["camrig.media.v1"],
        headers: ["authorization": "Bearer \(try served.pair(role))"], session: inbox)
      for (number, entry) in entries.enumerated() {
        let method = try #require(entry["name"]?.asString.flatMap { MediaMethod(rawValue: $0) })
        let declared = (entry["errors"]?.asArray ?? []).compactMap { $0["$ref"]?.asString?.split(separator: "/").last }
        let id = Int64(number + 1)
        let params: JSONValue = [
          "stream": 1, "camera": "nobody", "microphone": "nobody", "path": "/takes/20261130T090507Z/x.mov",
          "sequence": 0,
        ]
        socket.send(RPCRequest(id: .number(id), method: method.rawValue, params: params).json.text)
        await eventually { inbox.answer(id) != nil }
        let reason = inbox.answer(id)?["error"]?["data"]?["reason"]?.asString
        #expect(reason != "role.forbidden" && role.allows(method.leastRole))
        if let reason { #expect(declared.contains { $0 == reason }, "\(method) answers \(reason)") }
        // Nonsense is told as such, and without an ID by the notification.
        socket.send(RPCRequest(id: .number(id + 100), method: method.rawValue, params: ["stream": "x"]).json.text)
        await eventually { inbox.answer(id + 100)?["error"]?["data"]?["reason"] == "params.invalid" }
      }
      socket.send(RPCRequest(id: .number(99), method: "rig.status").json.text)
      await eventually { inbox.answer(99)?["error"]?["code"] == -32601 }
      socket.close()
    }
    client.close()
    await served.end()
  }
}
