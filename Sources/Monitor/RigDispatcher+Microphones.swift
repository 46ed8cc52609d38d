import CamrigModel
import RigControl

extension RigDispatcher {
  func forgetMicrophone(_ request: RPCRequest) async throws -> JSONValue {
    try await rig.forgetMicrophone(request.parameters(MicrophoneReference.self).microphone)
    return [:]
  }

  /// A later call on the same connection ends the one before.
  func meter(_ request: RPCRequest) throws -> RPCReply {
    guard try request.parameters(MicrophoneMeterRequest.self).on else {
      // Takes the place of the one before, and is over.
      return .subscription([:], AsyncStream { nil })
    }
    let meters = rig.meters()
    // The meters live as long as the stream.
    let notes = AsyncStream<RPCNotification> {
      // Numbers and texts alone: they can be encoded.
      guard let levels = await meters.next(), let params = try? JSONValue(encoding: levels) else { return nil }
      return RPCNotification(method: RigEventName.microphoneLevels.rawValue, params: params)
    }
    return .subscription([:], notes)
  }
}
