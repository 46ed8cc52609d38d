import CamrigModel
import HTTP
import RigControl

/// Sound for tools that know no protocol but HTTP.
extension MonitorSite {
  func sound(_ head: HTTPRequestHead, _ peer: Peer?) async -> HTTPResponse {
    do throws(RigError) {
      let (id, preview) = try await sounds.sound(of: try await microphone(head))
      if let why = await rig.whySilent(id) { return .problem(503, .microphoneSilent, why) }
      return .stream(type: WaveSound.type, GuestStream(WaveSound(preview), guests: guests, peer: peer))
    } catch {
      return .problem(404, error.code, error.message)
    }
  }

  private func microphone(_ head: HTTPRequestHead) async throws(RigError) -> String {
    if let microphone = head.query("microphone"), !microphone.isEmpty { return microphone }
    guard let microphone = await rig.anyMicrophone() else {
      throw RigError(.microphoneUnknown, "No microphone is there. Plug one in.")
    }
    return microphone
  }
}
