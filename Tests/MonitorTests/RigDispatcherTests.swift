import CamrigModel
import CaptureSupport
import Monitor
import RigControl
import class Settings.SettingsStore
import struct Settings.Configuration
import TestSupport
import Testing

@Suite("The rig's methods on the wire", .timeLimit(.minutes(5)), .serialized)
struct RigDispatcherTests {
  /// A rig with two test patterns behind its socket.
  private final class Served: Sendable {
    let directory = TemporaryDirectory()
    let sink = RecordingLogSink()
    let rig: Rig
    let server: ControlServer
    var path: String { directory.path + "/control.sock" }

    init() async throws {
      var configuration = Configuration()
      configuration.storage.diskReserveBytes = 16 << 20
      configuration.rig.name = "Stage"
      var parts = Rig.Parts(
        configuration: configuration, stateDirectory: directory.path, finder: FakeFinder(),
        settings: SettingsStore(path: directory.path + "/settings.json", log: sink.log), log: sink.log)
      parts.demoCameras = 2
      rig = Rig(parts)
      server = try ControlServer(
        try ControlSocket.listening(at: directory.path + "/control.sock", group: nil, log: sink.log),
        handler: RigDispatcher(rig: rig, log: sink.log), log: sink.log)
      try await rig.start()
      await eventually { await self.rig.cameras().allSatisfy { $0.device != nil } }
    }

    func end() async {
      await rig.shutdown()
      server.stop()
    }

    /// The lines that answer these.
    func answers(_ lines: [String]) async throws -> [String] {
      let path = path
      return try await onThread {
        let monitor = try RawMonitor(path)
        return lines.map { line in
          monitor.send(line)
          return monitor.line() ?? ""
        }
      }
    }

    func call(_ method: RigMethod, _ params: JSONValue = [:]) async throws -> JSONValue {
      let path = path
      return try await onThread { try ControlClient(path: path).call(method.rawValue, params, timeout: .seconds(30)) }
    }
  }

  @Test("every method does what its name says")
  func everyMethod() async throws {
    let served = try await Served()
    var called: Set<RigMethod> = []
    func call<T: Decodable>(_ method: RigMethod, _ params: JSONValue = [:], as type: T.Type) async throws -> T {
      called.insert(method)
      return try await served.call(method, params).decode(type)
    }
    let camera: JSONValue = ["camera": "test-2"]
    #expect(try await call(.rpcDiscover, as: JSONValue.self)["openrpc"] == "1.2.6")
    let words = ["cameras", "preview", "recording", "photo", "timelapse", "microphones", "sound"]
    #expect(try await call(.sessionGet, as: SessionDescription.self).features == words)
    #expect(try await call(.cameraSelect, camera, as: CameraSelected.self).camera?.name == "Test pattern 2")
    #expect(try await call(.rigStatus, as: RigStatus.self).name == "Stage")
    #expect(try await call(.rigWatch, as: RigStatus.self).cameras.count == 2)
    #expect(try await call(.rigVersion, as: VersionInfo.self).protocolVersion == 1)
    #expect(try await call(.cameraList, as: [CameraDescription].self).map(\.id.rawValue) == ["test-1", "test-2"])
    #expect(try await call(.cameraGet, camera, as: CameraDescription.self).name == "Test pattern 2")
    #expect(
      try await call(.cameraSet, ["camera": "test-2", "size": "320x240"], as: CameraDescription.self).wish.size
        == PixelSize(width: 320, height: 240))
    #expect(
      try await call(.cameraRename, ["camera": "test-2", "name": "Side"], as: CameraDescription.self).name == "Side")
    #expect(try await call(.cameraDisable, camera, as: CameraDescription.self).state == .disabled)
    #expect(try await call(.cameraEnable, ["camera": "Side"], as: CameraDescription.self).enabled)
    #expect(try await call(.controlList, camera, as: [ControlDescription].self) == [], "a test pattern has none")
    let refused = try await call(.controlSet, ["camera": "test-2", "values": ["zoom": 2]], as: ControlOutcome.self)
    #expect(refused.refused.keys.sorted() == ["zoom"] && refused.reasons == ["zoom": ControlReason(.unknown)])
    #expect(try await call(.controlReset, camera, as: ControlOutcome.self) == ControlOutcome())
    #expect(try await call(.controlExport, camera, as: ControlExport.self).camera.name == "Side")
    #expect(
      try await call(.controlImport, ["camera": "test-2", "controls": [:]], as: ControlOutcome.self) == ControlOutcome()
    )
    #expect(try await call(.usbPlan, as: USBPlanAnswer.self) == USBPlanAnswer(buses: []), "test patterns are on none")
    #expect(try await call(.recordingArm, ["armed": true], as: RigStatus.self).armed)
    let take = try await call(.recordingStart, ["cameras": ["Side"], "name": "Finale"], as: TakeStarted.self)
    #expect(take.cameras.map(\.name) == ["Side"])
    #expect(try await call(.recordingStop, as: TakeManifest.self).id == take.take)
    #expect(try await call(.takeList, as: [TakeSummary].self).map(\.id) == [take.take])
    #expect(try await call(.takeGet, ["take": "last"], as: TakeManifest.self).name == "Finale")
    #expect(try await call(.takeVerify, ["take": .string(take.take)], as: TakeVerification.self).exact)
    #expect(try await call(.takeRepair, ["take": "last"], as: TakeRepairReport.self).whole)
    #expect(try await call(.stateWatch, as: JSONValue.self)["state"]?["cameras"]?["test-2"]?["name"] == "Side")
    #expect(try await call(.clockPing, ["t": 5], as: JSONValue.self)["t"] == 5)
    #expect(
      try await call(.microphoneList, as: [MicrophoneDescription].self).map(\.camera?.rawValue) == ["test-1", "test-2"])
    #expect(
      try await call(
        .microphoneSet, ["microphone": "test-1", "muted": true, "camera": "Side"], as: MicrophoneDescription.self
      )
      .camera == CameraID("test-2"))
    #expect(try await call(.microphoneMeter, ["on": true], as: JSONValue.self) == [:])
    let shot = try await call(.photoTake, ["cameras": ["Side"], "timerSeconds": 20], as: ShotStarted.self)
    #expect(try await call(.photoCancel, as: ShotReference.self).shot == shot.shot)
    #expect(try await call(.photoList, as: [ShotRecord].self).isEmpty)
    let lapse = try await call(.timelapseStart, ["intervalSeconds": 3600], as: TimelapseStarted.self)
    await eventually { await served.rig.status().timelapse?.pictures == 2 }
    #expect(try await call(.timelapseStop, as: TimelapseRecord.self).timelapse == lapse.timelapse)
    #expect(try await call(.timelapseList, as: [TimelapseRecord].self).map(\.state) == [.stopped])
    #expect(try await call(.timelapseMovie, ["timelapse": "last"], as: TimelapseMovies.self).movies.count == 2)
    #expect(try await call(.torchList, as: [TorchDescription].self).isEmpty)
    // Some need a device that is gone, or a torch, the others a rig that is in the network.
    let vain: [(RigMethod, JSONValue)] = [
      (.cameraReplace, ["camera": "test-1", "with": "test-2"]), (.cameraForget, ["camera": "test-1"]),
      (.torchSet, ["torch": "key", "on": true]),
      (.microphoneForget, ["microphone": "test-1"]),
      (.pairingCreate, [:]), (.pairingList, [:]), (.pairingApprove, ["request": "1"]), (.pairingDeny, ["request": "1"]),
      (.monitorList, [:]), (.monitorRevoke, ["monitor": "1"]),
    ]
    for (method, params) in vain {
      called.insert(method)
      await #expect(throws: ControlClientError.self) { _ = try await served.call(method, params) }
    }
    #expect(called == Set(RigMethod.allCases))
    await served.end()
  }

  @Test("an unknown method is -32601, and wrong parameters are -32602 with the name of the field, word for word")
  func refusals() async throws {
    let served = try await Served()
    let pinned = [
      (
        #"{"jsonrpc":"2.0","id":1,"method":"rig.fly"}"#,
        #"{"error":{"code":-32601,"data":{"reason":"method.unknown"},"message":"there is no method rig.fly. "#
          + #"Is the rig older than this monitor?"},"id":1,"jsonrpc":"2.0"}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":"a","method":"camera.get"}"#,
        #"{"error":{"code":-32602,"data":{"reason":"params.invalid"},"message":"camera.get: camera is missing"},"#
          + #""id":"a","jsonrpc":"2.0"}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":2,"method":"camera.get","params":{"camera":"attic"}}"#,
        #"{"error":{"code":2001,"data":{"reason":"camera.unknown"},"message":"There is no camera \"attic\". "#
          + #"The cameras are: Test pattern 1 (test-1), Test pattern 2 (test-2)."},"id":2,"jsonrpc":"2.0"}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":3,"method":"recording.arm","params":{"armed":"yes"}}"#,
        #"{"error":{"code":-32602,"data":{"reason":"params.invalid"},"message":"recording.arm: armed must be "#
          + #"true or false"},"id":3,"jsonrpc":"2.0"}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":4,"method":"rig.version"}"#,
        #"{"id":4,"jsonrpc":"2.0","result":{"protocolVersion":1,"version":"\#(Version.text)"}}"#
      ),
    ]
    #expect(try await served.answers(pinned.map(\.0)) == pinned.map(\.1))
    await served.end()
  }

  @Test(
    "wrong parameters name their field",
    arguments: [
      ("camera.set", #"{"camera":"test-1","size":"huge"}"#, "size"),
      ("camera.set", #"{"camera":"test-1","rate":30}"#, "rate"),
      ("camera.set", #"{"camera":"test-1","format":"GIF"}"#, "format"),
      ("camera.set", #"{"camera":"test-1","reset":"size"}"#, "reset"),
      ("camera.rename", #"{"camera":"test-1"}"#, "name"), ("camera.replace", #"{"camera":"test-1"}"#, "with"),
      ("recording.start", #"{"cameras":"test-1"}"#, "cameras"), ("recording.start", #"{"cameras":[1]}"#, "cameras"),
      ("recording.start", #"{"name":1}"#, "name"), ("recording.arm", "{}", "armed"), ("take.get", "{}", "take"),
      ("take.list", #"{"limit":"all"}"#, "limit"), ("camera.get", #"{"camera":null}"#, "camera"),
    ])
  func fields(_ method: String, _ params: String, _ field: String) async throws {
    let served = try await Served()
    let answer = try await served.answers([#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#])
    let error = try JSONValue(json: answer[0].utf8)["error"]
    #expect(error?["code"] == -32602)
    #expect(error?["message"]?.asString?.hasPrefix("\(method): \(field)") == true, "\(answer[0])")
    await served.end()
  }

  @Test("who watches gets the state and then each change, in its exact words")
  func watches() async throws {
    let served = try await Served()
    let path = served.path
    let lines = try await onThread {
      let monitor = try RawMonitor(path)
      monitor.send(#"{"jsonrpc":"2.0","id":1,"method":"rig.watch"}"#)
      let state = monitor.line() ?? ""
      monitor.send(#"{"jsonrpc":"2.0","id":2,"method":"recording.arm","params":{"armed":true}}"#)
      var rest: [String] = []
      while let line = monitor.line() {
        rest.append(line)
        if line.contains("recording.armed") { break }
      }
      return [state] + rest
    }
    #expect(lines[0].hasPrefix(#"{"id":1,"jsonrpc":"2.0","result":{"armed":false,"#))
    #expect(lines.last == #"{"jsonrpc":"2.0","method":"recording.armed","params":{"armed":true}}"#)
    await served.end()
  }

  @Test("who watches and does not keep up is told how much was lost, in its place, and goes on from there")
  func fallsBehind() async throws {
    let served = try await Served()
    let request = RPCRequest(id: .number(1), method: RigMethod.rigWatch.rawValue, params: [:])
    let peer = Peer(connection: 1, .process(pid: 1, uid: 0, gid: 0), role: .admin)
    guard
      case .subscription(_, let stream) = await RigDispatcher(rig: served.rig, log: served.sink.log)
        .handle(request, from: peer)
    else {
      Issue.record("there is a subscription")
      return
    }
    // Nothing is read meanwhile. The rig's own events may be among them.
    for number in 0..<600 { served.rig.events.publish(.cameraForgotten(CameraID("\(number)"))) }
    var notes = stream.makeAsyncIterator()
    let first = await notes.next()
    #expect(first?.method == "rig.events-lost")
    let lost = Int(try #require(first?.params["lost"]?.asInteger))
    // As many as the queue had no room for, and one more for each event of the rig's own.
    #expect((88..<600).contains(lost))
    var numbers: [Int] = []
    while numbers.last != 599, let note = await notes.next() {
      if note.method == "camera.forgotten" { numbers += [note.params["camera"]?.asString.flatMap { Int($0) } ?? -1] }
    }
    #expect(numbers == Array((numbers.first ?? 0)..<600))
    #expect((88...lost).contains(numbers.first ?? 0))
    await served.end()
  }

  @Test("a wish that changes the rig, and one that is refused, leave a line with who it was")
  func logged() async throws {
    let served = try await Served()
    _ = try await served.call(.recordingArm, ["armed": true])
    _ = try await served.call(.rigStatus)
    _ = try? await served.call(.takeGet, ["take": "last"])
    let lines = served.sink.lines.map(\.message).filter { $0.contains(" by ") }
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.hasPrefix("recording.arm by process ") == true)
    #expect(lines.last?.hasSuffix("refused: There is no take yet. Begin one with: camrigctl record start") == true)
    await served.end()
  }
}
