import CamrigModel
import TestSupport
import Testing

@Suite("The document of the control protocol")
struct ControlProtocolTests {
  private static let text: String = {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    return String(decoding: FileBytes.read(root + "/docs/ref/control-protocol.md"), as: UTF8.self)
  }()
  /// What goes over the wire in its examples.
  private static let messages = text.split(separator: "\n").filter { $0.hasPrefix("{") }

  private func message(_ text: Substring) throws -> JSONValue { try JSONValue(json: text.utf8) }

  @Test("has every method and every event under a heading of its own, and no other")
  func complete() {
    let headings = Self.text.split(separator: "\n").filter { $0.hasPrefix("### `") }
      .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(headings == RigMethod.allCases.map(\.rawValue) + RigEventName.allCases.map(\.rawValue))
  }

  @Test("has a request for every method and a notification for every event")
  func examples() throws {
    let messages = try Self.messages.map(message)
    let requests = messages.filter { $0["id"] != nil }.compactMap { $0["method"]?.asString }
    let notifications = messages.filter { $0["id"] == nil }.compactMap { $0["method"]?.asString }
    #expect(Set(requests) == Set(RigMethod.allCases.map(\.rawValue)))
    #expect(notifications == RigEventName.allCases.map(\.rawValue))
  }

  @Test(
    "has requests that can be read as what the rig reads",
    arguments: messages.filter { $0.hasPrefix(#"{"jsonrpc":"2.0","id":1,"method""#) })
  func requests(_ text: Substring) throws {
    let request = try RPCRequest.read(text.utf8)
    switch try #require(RigMethod(rawValue: request.method)) {
    case .rigStatus, .rigVersion, .rigWatch, .stateWatch, .cameraList, .recordingStop, .monitorList:
      #expect(request.params == [:])
    case .cameraGet, .cameraEnable, .cameraDisable, .cameraForget, .controlList, .controlExport:
      _ = try request.parameters(CameraReference.self)
    case .clockPing: #expect(request.params == ["t": 1234])
    case .pairingCreate: _ = try request.parameters(PairingRequest.self)
    case .monitorRevoke: _ = try request.parameters(MonitorReference.self)
    case .cameraSet: _ = try request.parameters(CameraSetRequest.self)
    case .cameraRename: _ = try request.parameters(CameraRenameRequest.self)
    case .cameraReplace: _ = try request.parameters(CameraReplaceRequest.self)
    case .controlSet: _ = try request.parameters(ControlSetRequest.self)
    case .controlReset: _ = try request.parameters(ControlResetRequest.self)
    case .controlImport: _ = try request.parameters(ControlImportRequest.self)
    case .recordingStart: _ = try request.parameters(RecordingStartRequest.self)
    case .recordingArm: _ = try request.parameters(RecordingArmRequest.self)
    case .takeList: _ = try request.parameters(TakeListRequest.self)
    case .takeGet, .takeVerify, .takeRepair: _ = try request.parameters(TakeReference.self)
    }
  }

  @Test("has notifications that are just what the rig writes")
  func notifications() throws {
    for text in Self.messages where !text.contains(#""id":1"#) {
      let message = try message(text)
      let params = try #require(message["params"])
      func same<T: Codable>(_ type: T.Type) throws -> JSONValue { try JSONValue(encoding: params.decode(type)) }
      let again =
        switch try #require(RigEventName(rawValue: message["method"]?.asString ?? "")) {
        case .eventsLost: try same(EventsLost.self)
        case .stateChanged: try same(StateChange.self)
        case .cameraChanged: try same(CameraDescription.self)
        case .cameraForgotten: try same(CameraReference.self)
        case .controlChanged: try same(ControlsChanged.self)
        case .recordingArmed: try same(RecordingArmRequest.self)
        case .recordingStarted: try same(TakeStarted.self)
        case .recordingClip: try same(TakeClipEvent.self)
        case .recordingProgress: try same(TakeProgress.self)
        case .recordingGapOpened, .recordingGapClosed: try same(TakeGapEvent.self)
        case .recordingLoss: try same(TakeLossEvent.self)
        case .recordingStopping: try same(TakeStopping.self)
        case .recordingStopped: try same(TakeManifest.self)
        case .recordingTrouble: try same(TakeTrouble.self)
        case .takeRepaired: try same(TakeRepairReport.self)
        }
      #expect(again.text == params.text)
    }
  }

  @Test("has every error with its number")
  func errors() {
    let rows = RigErrorCode.allCases.map { "| \($0.number) | `\($0.rawValue)`: " }
    for row in rows { #expect(Self.text.contains("\n" + row), "\(row)") }
  }
}
