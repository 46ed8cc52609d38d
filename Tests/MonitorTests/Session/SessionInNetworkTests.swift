import CamrigModel
import HTTP
import Monitor
import TestSupport
import Testing

@Suite("Sessions over the wires", .timeLimit(.minutes(5)), .serialized)
struct SessionInNetworkTests {
  private func open(_ client: HTTPClient, _ token: String) async throws -> (WebSocket, Inbox) {
    let inbox = Inbox()
    let socket = try await client.open(
      "/monitor", subprotocols: ["camrig.monitor.v1"], headers: ["authorization": "Bearer \(token)"], session: inbox)
    return (socket, inbox)
  }

  private func ask(_ socket: WebSocket, _ id: Int64, _ method: RigMethod, _ params: JSONValue = [:]) {
    socket.send(RPCRequest(id: .number(id), method: method.rawValue, params: params).json.text)
  }

  private func state(_ served: RigInNetwork, _ camera: String) async -> CameraState? {
    await served.rig.cameras().first { $0.id.rawValue == camera }?.state
  }

  @Test("a selected camera is open as long as the monitor is there, two monitors know nothing of each other's choice")
  func selecting() async throws {
    let served = try await RigInNetwork(demo: 2)
    let client = try served.client()
    let (phone, inbox) = try await open(client, try served.pair(.viewer))
    let (desk, other) = try await open(client, try served.pair(.operator, name: "Desk"))
    ask(phone, 1, .sessionGet)
    ask(phone, 2, .cameraSelect, ["camera": "test-1"])
    await eventually { inbox.answer(2) != nil }
    let words: JSONValue = ["cameras", "preview", "recording", "photo", "timelapse", "microphones", "sound"]
    #expect(inbox.answer(1)?["result"]?["features"] == words)
    // The first picture is there; its camera may not have been asked what it calls that.
    #expect(["starting", "streaming"].contains(inbox.answer(2)?["result"]?["camera"]?["state"]))
    ask(desk, 3, .sessionGet)
    await eventually { other.answer(3) != nil }
    #expect(other.answer(3)?["result"]?["selected"] == nil)
    let told = inbox.texts.filter { $0["method"] == "session.changed" }.compactMap { $0["params"] }
    #expect(told == [["switching": "test-1"], ["selected": "test-1"]])

    ask(desk, 4, .cameraSelect, ["camera": "test-2"])
    await eventually { other.answer(4) != nil }
    ask(desk, 5, .cameraSelect)
    await eventually { other.answer(5)?["result"] == [:] }
    await eventually { await state(served, "test-2") == .idle }
    #expect(await state(served, "test-1") == .streaming)
    phone.close()
    await eventually { await state(served, "test-1") == .idle }
    client.close()
    await served.end()
  }

  @Test("a slider's values need not wait for their answers: all are answered, other wishes meanwhile")
  func sliders() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let (socket, inbox) = try await open(client, try served.pair(.operator))
    // The rig has none: each says so, but at the pace of a torch.
    for level in Int64(1)...200 {
      ask(socket, level, .torchSet, ["torch": "lamp", "level": .integer(level)])
      if level == 100 { ask(socket, 1000, .rigVersion) }
    }
    await eventually { inbox.texts.count == 201 || inbox.closing != nil }
    try #require(inbox.closing == nil)
    #expect(inbox.texts.filter { $0["error"]?["data"]?["reason"] == "torch.none" }.count == 200)
    let order = inbox.texts.compactMap { $0["id"]?.asInteger }
    #expect(try #require(order.firstIndex(of: 1000)) < #require(order.firstIndex(of: 200)))
    client.close()
    await served.end()
  }

  @Test("a monitor may select while a take runs; when it is lost the recording goes on")
  func lost() async throws {
    let served = try await RigInNetwork(demo: 2)
    let client = try served.client()
    let (socket, inbox) = try await open(client, try served.pair(.operator))
    ask(socket, 1, .recordingStart, ["cameras": ["test-1"]])
    await eventually { inbox.answer(1) != nil }
    ask(socket, 2, .cameraSelect, ["camera": "test-2"])
    ask(socket, 3, .cameraSelect, ["camera": "test-1"])
    await eventually { inbox.answer(3) != nil }
    #expect(inbox.answer(3)?["result"]?["camera"]?["id"] == "test-1")
    // What would break the files is refused, whoever has selected what.
    ask(socket, 4, .cameraDisable, ["camera": "test-1"])
    await eventually { inbox.answer(4)?["error"]?["data"]?["reason"] == "recording.running" }
    socket.close()
    await eventually { await state(served, "test-2") == .idle }
    #expect(await served.rig.status().recording?.cameras.count == 1)
    let take = try await served.rig.stopRecording()
    #expect(try await served.rig.verify(take.id).exact)
    client.close()
    await served.end()
  }

  @Test("what cannot be selected is refused with the reason, on every wire; a POST proves a camera and keeps nothing")
  func refused() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let token = try served.pair(.viewer)
    _ = try await served.rig.enableCamera("test-1", false)
    let answer = try await served.call(client, token, "camera.select", ["camera": "test-1"])
    #expect(answer["error"]?["data"]?["reason"] == "camera.disabled")
    #expect(
      try await served.call(client, token, "camera.select", ["camera": "x"])["error"]?["data"]?["reason"]
        == "camera.unknown")
    _ = try await served.rig.enableCamera("test-1", true)
    #expect(
      try await served.call(client, token, "camera.select", ["camera": "test-1"])["result"]?["camera"]?["id"]
        == "test-1")
    await eventually { await state(served, "test-1") == .idle }
    #expect(try await served.call(client, token, "session.get")["result"]?["monitor"]?["name"] == "Phone")
    client.close()
    await served.end()
  }

  @Test("a rig without a camera says so, and advertises nothing")
  func gate() async throws {
    let served = try await RigInNetwork(demo: 0)
    let client = try served.client()
    let token = try served.pair(.viewer)
    let answer = try await served.call(client, token, "camera.select", ["camera": "test-1"])
    #expect(
      answer.text
        == #"{"error":{"code":2010,"data":{"reason":"camera.none"},"message":"The rig has no camera. Plug one in."},"#
        + #""id":1,"jsonrpc":"2.0"}"#)
    #expect(try await served.call(client, token, "session.get")["result"]?["features"] == [])
    client.close()
    await served.end()
  }
}
