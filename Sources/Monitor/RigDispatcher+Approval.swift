import CamrigModel

/// Strangers that ask to be let in. Each wish a function of its own, as in `RigDispatcher`.
extension RigDispatcher {
  func listPairings() throws -> JSONValue { try JSONValue(encoding: try desk().requests) }

  func approvePairing(_ request: RPCRequest) throws -> JSONValue {
    let approval = try request.parameters(PairingApproval.self)
    try desk().decide(approval.request, approval.role ?? .operator)
    return [:]
  }

  func denyPairing(_ request: RPCRequest) throws -> JSONValue {
    try desk().decide(request.parameters(PairingDenial.self).request, nil)
    return [:]
  }
}
