import CamrigModel
import HTTP
import RigControl
import TestSupport
import Testing

@Suite("Each failure has a code", .timeLimit(.minutes(5)), .serialized)
struct ErrorCodeTests {
  /// A method, parameters that it cannot take, and what it says to that.
  private static let vain: [(method: String, params: String, reason: RigErrorCode)] = [
    ("rig.fly", "{}", .methodUnknown),
    ("camera.get", "{}", .paramsInvalid),
    ("camera.get", #"{"camera":5}"#, .paramsInvalid),
    ("camera.get", "[1]", .paramsInvalid),
    ("control.set", #"{"camera":"test-1","values":{"zoom":[1]}}"#, .paramsInvalid),
    ("camera.get", #"{"camera":"nobody"}"#, .cameraUnknown),
    ("camera.select", #"{"camera":"nobody"}"#, .cameraUnknown),
    ("camera.rename", #"{"camera":"test-1","name":""}"#, .cameraNameInvalid),
    ("camera.rename", #"{"camera":"test-1","name":"Test pattern 2"}"#, .cameraNameTaken),
    ("camera.forget", #"{"camera":"test-1"}"#, .cameraNotReplaceable),
    ("control.set", #"{"camera":"nobody","values":{}}"#, .cameraUnknown),
    ("control.reset", #"{"camera":"nobody"}"#, .cameraUnknown),
    ("control.import", #"{"camera":"nobody","controls":{}}"#, .cameraUnknown),
    ("control.list", #"{"camera":"test-2"}"#, .cameraDisabled),
    ("microphone.set", #"{"microphone":"nobody"}"#, .microphoneUnknown),
    ("torch.set", #"{"torch":"key","on":true}"#, .torchNone),
    ("recording.stop", "{}", .takeUnknown),
    ("take.get", #"{"take":"20261130T090507Z"}"#, .takeUnknown),
    ("photo.cancel", "{}", .shotUnknown),
    ("timelapse.stop", "{}", .timelapseUnknown),
    ("pairing.approve", #"{"request":"99"}"#, .pairingUnknown),
    ("monitor.revoke", #"{"monitor":"99"}"#, .monitorUnknown),
  ]

  @Test("a wish that fails is answered under its own ID, with number and reason of one code")
  func wishes() async throws {
    let served = try await RigInNetwork(demo: 2)
    let client = try served.client()
    _ = try await served.rig.enableCamera("test-2", false)
    let admin = try served.pair(.admin)
    func answer(_ text: String, _ token: String) async throws -> JSONValue {
      try JSONValue(
        json: try await client.send(
          .post, "/rpc", headers: ["authorization": "Bearer \(token)"], body: Array(text.utf8)
        )
        .body)
    }
    func check(_ answer: JSONValue, _ id: JSONValue, _ code: RigErrorCode, _ what: String) {
      #expect(answer["id"] == id, "\(what): \(answer.text)")
      #expect(answer["error"]?["code"] == .integer(Int64(code.number)), "\(what): \(answer.text)")
      #expect(answer["error"]?["data"]?["reason"] == .string(code.rawValue), "\(what): \(answer.text)")
      #expect(answer["error"]?["message"]?.asString?.isEmpty == false, "\(what)")
    }
    for (index, (method, params, code)) in Self.vain.enumerated() {
      for id in ["\(index)", "\"wish \(index)\""] {
        let text = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
        check(try await answer(text, admin), try JSONValue(json: id.utf8), code, "\(method) \(params)")
      }
    }
    check(try await answer("{", admin), .null, .requestUnreadable, "no JSON")
    check(try await answer(#"{"jsonrpc":"1.0","id":7,"method":"x"}"#, admin), 7, .requestInvalid, "another version")
    let viewer = try served.pair(.viewer)
    let text = #"{"jsonrpc":"2.0","id":"v","method":"camera.forget","params":{"camera":"test-1"}}"#
    check(try await answer(text, viewer), "v", .roleForbidden, "a viewer")
    client.close()
    await served.end()
  }

  /// Asks, and compares with what is documented for that status.
  private func check(
    _ answer: HTTPClient.Answer, _ status: Int, _ code: RigErrorCode, _ what: String
  ) throws {
    #expect(answer.status == status, "\(what)")
    let problem = try JSONValue(json: answer.body)
    #expect(problem["code"] == .string(code.rawValue), "\(what): \(problem.text)")
    #expect(problem["error"]?.asString?.isEmpty == false, "\(what)")
    #expect(Self.documented[status]?.contains(code) == true, "\(what): \(status) with \(code.rawValue) is documented")
  }

  /// By status, from the table in docs/ref/monitor-protocol.md.
  private static let documented: [Int: Set<RigErrorCode>] = {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let text = String(decoding: FileBytes.read(root + "/docs/ref/monitor-protocol.md"), as: UTF8.self)
    let lines = text.split(separator: "\n").drop { $0 != "## Problems over HTTP" }.dropFirst()
    var found: [Int: Set<RigErrorCode>] = [:]
    for line in lines.prefix(while: { !$0.hasPrefix("#") }) where line.hasPrefix("| ") {
      let cells = line.split(separator: "|")
      let words = cells[1].split(separator: "`", omittingEmptySubsequences: false)
      let codes = words.indices.filter { $0 % 2 == 1 }.compactMap { RigErrorCode(rawValue: String(words[$0])) }
      for status in cells[0].split(separator: ",").compactMap({ Int($0.filter(\.isNumber)) }) {
        found[status, default: []].formUnion(codes)
      }
    }
    return found
  }()

  @Test("a request that HTTP refuses has a code beside its sentence")
  func requests() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let viewer = try served.pair(.viewer)
    let paired: HTTPHeaders = ["authorization": "Bearer \(viewer)"]
    try check(try await client.send(.get, "/nothing"), 404, .addressUnknown, "no such address")
    try check(try await client.send(.delete, "/session"), 405, .addressMethod, "another method")
    try check(try await client.send(.post, "/rpc", body: [0x7b, 0x7d]), 401, .monitorUnpaired, "a stranger")
    try check(
      try await client.send(.get, "/openrpc.json", headers: ["authorization": "Bearer made-up"]), 401, .tokenUnknown,
      "a token of nobody")
    let id = String(served.link.fingerprint.description.dropFirst(7).prefix(8))
    let foreign: HTTPHeaders = ["cookie": "camrig-\(id)=\(viewer)", "origin": "https://evil.example"]
    try check(
      try await client.send(.post, "/rpc", headers: foreign, body: [0x7b, 0x7d]), 403, .originForeign, "another's page")
    try check(
      try await client.send(.post, "/rpc", headers: ["cookie": "camrig-\(id)=\(viewer)"], body: [0x7b, 0x7d]), 403,
      .originForeign, "a cookie without an origin")
    try check(try await client.send(.get, "/monitor", headers: paired), 426, .addressWebSocket, "no WebSocket")
    for (target, code) in [
      ("/snapshot?camera=nobody", RigErrorCode.cameraUnknown), ("/stream?camera=nobody", .cameraUnknown),
      ("/sound?microphone=nobody", .microphoneUnknown), ("/takes/20261130T090507Z/a.mov", .takeUnknown),
      ("/takes/20261130T090507Z/a.mov/frames", .takeUnknown), ("/shots/20261130T090507.000Z/a.jpg", .shotUnknown),
      ("/timelapses/20261130T090507Z/a-000001.jpg", .timelapseUnknown),
    ] {
      try check(try await client.send(.get, target, headers: paired), 404, code, target)
    }
    client.close()
    await served.end()
  }

  @Test("a camera that shows nothing says in a code why")
  func dark() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    _ = try await served.rig.enableCamera("test-1", false)
    let answer = try await client.send(
      .get, "/snapshot?camera=test-1", headers: ["authorization": "Bearer \(try served.pair(.viewer))"])
    try check(answer, 503, .cameraDisabled, "a disabled camera")
    client.close()
    await served.end()
  }

  @Test("pairing that fails has a code beside its sentence")
  func pairing() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    func pair(_ body: String) async throws -> HTTPClient.Answer {
      try await client.send(.post, "/pair", body: Array(body.utf8))
    }
    try check(try await pair("{}"), 400, .paramsInvalid, "no code")
    for _ in 0..<5 { try check(try await pair(#"{"code":"00000000"}"#), 403, .pairingCodeWrong, "a wrong code") }
    try check(try await pair(#"{"code":"00000000"}"#), 429, .pairingMustWait, "too many wrong codes")
    try check(
      try await client.send(.post, "/pair", body: [UInt8](repeating: 0x20, count: 5000)), 413, .requestTooLarge,
      "a long body")
    client.close()
    await served.end()
  }

  @Test("what the server itself refuses has a code, too: names, versions, plain HTTP on the port of TLS")
  func server() async throws {
    let served = try await RigInNetwork(demo: 0)
    let port = try served.port("https")
    let token = try served.pair(.viewer)
    func code(_ arguments: String...) async throws -> JSONValue? {
      let run = await Program.ended("curl", ["-sk", "--http1.1"] + arguments, seconds: 20)
      return try JSONValue(json: run.text.utf8)["code"]
    }
    let place = "https://127.0.0.1:\(port)"
    #expect(try await code("-H", "Host: evil.example", place + "/") == "host.unknown")
    #expect(try await code("-X", "POST", "-d", "x", "http://127.0.0.1:\(port)/rpc") == "tls.needed")
    #expect(
      try await code("-X", "POST", "-H", "Transfer-Encoding: chunked", "-d", "x", place + "/rpc") == "request.invalid")
    let upgrade = [
      "-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      "-H", "Authorization: Bearer \(token)",
    ]
    for more in [
      ["-H", "Sec-WebSocket-Version: 13", "-H", "Sec-WebSocket-Protocol: camrig.monitor.v9"],
      ["-H", "Sec-WebSocket-Version: 12", "-H", "Sec-WebSocket-Protocol: camrig.monitor.v1"],
    ] {
      let run = await Program.ended("curl", ["-sk", "--http1.1"] + upgrade + more + [place + "/monitor"], seconds: 20)
      #expect(try JSONValue(json: run.text.utf8)["code"] == "protocol.unsupported", "\(more)")
    }
    await served.end()
  }
}
