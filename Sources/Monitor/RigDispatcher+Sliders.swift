import CamrigModel
import RigControl

/// The methods of sliders. A monitor need not wait for an answer before it sends the next value: the wish has its place
/// when it is begun, and the connection goes on to the next, so that the latest value wins and none is late.
extension RigDispatcher {
  /// Nil: another method.
  func beginTurning(_ method: RigMethod, _ request: RPCRequest, _ peer: Peer) async throws -> RPCReply? {
    switch method {
    case .controlSet:
      let begun = try await rig.beginSettingControls(request.parameters(ControlSetRequest.self))
      return later(method, request, peer) { try JSONValue(encoding: await begun.outcome()) }
    case .torchSet:
      let begun = await rig.beginSettingTorch(try request.parameters(TorchSetRequest.self))
      return later(method, request, peer) { try JSONValue(encoding: await begun.value.get()) }
    case .microphoneSet:
      let begun = await rig.beginSettingMicrophone(try request.parameters(MicrophoneSetRequest.self))
      return later(method, request, peer) { try JSONValue(encoding: await begun.value.get()) }
    default: return nil
    }
  }

  private func later(
    _ method: RigMethod, _ request: RPCRequest, _ peer: Peer, _ body: @escaping @Sendable () async throws -> JSONValue
  ) -> RPCReply {
    .later { [self] in
      do {
        let result = try await body()
        trace(method, peer)
        return .result(result)
      } catch {
        return .failure(refusal(error, request, peer))
      }
    }
  }
}
