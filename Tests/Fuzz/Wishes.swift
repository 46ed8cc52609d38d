import CamrigModel
import Dispatch
import Monitor

extension FuzzTarget {
  /// A JSON-RPC text: read, decoded as the parameters of every method, and carried out by a rig without cameras.
  static let wishes = FuzzTarget(name: "wishes") { bytes in
    if let json = try? JSONValue(json: bytes) {
      precondition((try? JSONValue(json: json.bytes)) == json, "what we write we must read")
    }
    do throws(RPCResponse) {
      let request = try RPCRequest.read(bytes)
      for method in RigMethod.allCases {
        try? method.contract.read(RPCRequest(id: request.id, method: method.rawValue, params: request.params))
      }
      precondition(RPCRequest.isSame(request), "a request that we write we must read")
      FuzzedRig.shared.carryOut(request)
    } catch {
      precondition(RPCResponse(json: error.json) != nil, "what is no request gets an answer that can be read")
    }
  }
}

extension RPCRequest {
  fileprivate static func isSame(_ request: RPCRequest) -> Bool {
    guard let again = try? RPCRequest.read(request.json.bytes) else { return false }
    return again == request
  }
}
