import CamrigModel
import Capture

extension Rig {
  /// Which cameras fit on their USB buses together. Cameras that are on no bus are in no plan.
  package func usbPlan(_ request: USBPlanRequest) async throws(RigError) -> USBPlanAnswer {
    var wishes: [(camera: CameraDescription, wish: USBPlanRequest.Wish?)] = []
    if let asked = request.cameras {
      for wish in asked { wishes.append((try await camera(wish.camera), wish)) }
    } else {
      wishes = await registry.cameras.filter { $0.enabled && $0.state != .offline }.map { ($0, nil) }
    }
    var streams: [USBPlan.Stream] = []
    for (camera, wish) in wishes {
      guard let (facts, model) = await registry.usbFacts(camera.id) else { continue }
      let format = planned(camera, wish)
      let runsSo = camera.granted != nil && camera.granted == format
      streams.append(
        USBPlan.Stream(
          camera: camera.id, name: camera.name, bus: facts.bus, link: facts.link, speed: facts.speed, format: format,
          reserved: runsSo ? facts.reserved : nil, model: model))
    }
    return USBPlan(streams).answer
  }

  /// What the camera would be asked for.
  private func planned(_ camera: CameraDescription, _ asked: USBPlanRequest.Wish?) -> VideoFormat? {
    var wish = camera.wish
    if let size = asked?.size { wish.size = size }
    if let rate = asked?.rate { wish.rate = rate }
    if let format = asked?.format { wish.pixelFormat = format }
    if wish == camera.wish, let granted = camera.granted { return granted }
    guard let device = camera.device else { return nil }
    let policy = FormatPolicy(device, target: CaptureConfiguration(configuration).target)
    return policy.choice(for: wish).map { VideoFormat($0.pixelFormat, $0.size, rate: $0.rate) }
  }
}
