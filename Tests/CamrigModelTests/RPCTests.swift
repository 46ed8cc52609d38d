import CamrigModel
import Testing

@Suite("Messages between rig and monitor")
struct RPCTests {
  private struct Wish: Codable, Hashable {
    var camera: String
    var rate: Int?
    var on: Bool?
    var cameras: [String]?
    var map: [String: Int]?
  }

  @Test("a request, an answer, an error and a notification are these texts")
  func texts() throws {
    let request = RPCRequest(id: .number(1), method: "camera.list")
    #expect(request.json.text == #"{"id":1,"jsonrpc":"2.0","method":"camera.list","params":{}}"#)
    #expect(try RPCRequest.read(request.json.bytes) == request)

    let answer = RPCResponse(id: .text("a"), .result([1]))
    #expect(answer.json.text == #"{"id":"a","jsonrpc":"2.0","result":[1]}"#)
    #expect(RPCResponse(json: answer.json) == answer)

    let error = RPCResponse(
      id: .number(2), .failure(RPCError(.cameraBusy, "cam is in use", details: ["camera": "cam"])))
    #expect(
      error.json.text == #"{"error":{"code":2003,"data":{"camera":"cam","reason":"camera.busy"},"#
        + #""message":"cam is in use"},"id":2,"jsonrpc":"2.0"}"#)
    #expect(RPCResponse(json: error.json) == error)

    let notification = RPCNotification(method: "rig.changed", params: ["revision": 3])
    #expect(notification.json.text == #"{"jsonrpc":"2.0","method":"rig.changed","params":{"revision":3}}"#)
    #expect(RPCNotification(json: notification.json) == notification)
    #expect(RPCNotification(json: request.json) == nil)
    #expect(RPCResponse(json: request.json) == nil)
  }

  @Test("members that we do not know are ignored")
  func unknownMembers() throws {
    let text = #"{"jsonrpc":"2.0","id":1,"method":"camera.show","new":[1],"params":{"camera":"a","new":1}}"#
    let request = try RPCRequest.read(text.utf8)
    #expect(try request.parameters(Wish.self) == Wish(camera: "a"))
  }

  @Test(
    "parameters of a wrong type are refused by name",
    arguments: [
      (#"{}"#, "camera is missing"), (#"{"camera":1}"#, "camera must be a text"),
      (#"{"camera":null}"#, "camera may not be null"), (#"{"camera":"a","rate":"30"}"#, "rate must be a whole number"),
      (#"{"camera":"a","on":1}"#, "on must be true or false"),
      (#"{"camera":"a","on":"true"}"#, "on must be true or false"),
      (#"{"camera":"a","cameras":"b"}"#, "cameras must be an array"),
      (#"{"camera":"a","cameras":["b",2]}"#, "cameras.1 must be a text"),
      (#"{"camera":"a","map":[]}"#, "map must be an object"),
    ])
  func wrongTypes(_ params: String, _ fault: String) throws {
    let request = RPCRequest(id: .number(1), method: "camera.set", params: try JSONValue(json: params))
    #expect(throws: RPCError(.paramsInvalid, "camera.set: \(fault)")) { try request.parameters(Wish.self) }
  }

  @Test("a fraction where a whole number is meant is refused")
  func fraction() throws {
    let request = RPCRequest(id: .number(1), method: "camera.set", params: ["camera": "a", "rate": 1.5])
    do throws(RPCError) {
      _ = try request.parameters(Wish.self)
      Issue.record("1.5 was taken")
    } catch {
      #expect(
        error
          == RPCError(
            .paramsInvalid, "camera.set: a number has a fraction, or is too large, where a whole number is meant"))
    }
  }

  @Test("every error has its own number and its own reason")
  func codes() {
    let codes = RigErrorCode.allCases
    #expect(Set(codes.map(\.number)).count == codes.count)
    for code in codes {
      // Ours stay out of what JSON-RPC keeps for itself.
      #expect(code.number > 0 || (-32700...(-32600)).contains(code.number))
      #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "." || $0 == "-" })
      #expect(RPCError(json: RPCError(code, "x").json)?.code == code)
    }
  }

  @Test("released numbers do not change")
  func released() {
    #expect(RigErrorCode.requestUnreadable.number == -32700)
    #expect(RigErrorCode.requestInvalid.number == -32600)
    #expect(RigErrorCode.methodUnknown.number == -32601)
    #expect(RigErrorCode.paramsInvalid.number == -32602)
    #expect(RigErrorCode.internalError.number == -32603)
    #expect(RigErrorCode.cameraUnknown.number == 2001)
    #expect(RigErrorCode.recordingRefused.number == 3001)
    #expect(RigErrorCode.diskLow.number == 3201)
  }
}
