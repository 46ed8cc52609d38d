import CamrigModel
import Capture
import Lights
import Settings

extension Rig {
  package func torches() async -> [TorchDescription] {
    await watchLights()
    return await torchDesk.torches
  }

  package func setTorch(_ request: TorchSetRequest) async throws(RigError) -> TorchDescription {
    var camera: CameraID?
    if let name = request.camera { camera = try await find(name) }
    await watchLights()
    return try await torchDesk.set(request, camera: camera)
  }

  /// Off, whatever they were left at; from then on a change by others is noticed.
  func startTorches() async {
    // First, so that no chip comes unseen between a look and the watch.
    await watchLights()
    await torchDesk.allOff()
    await lights.setTally(false)
    await lights.settle()
  }

  /// After `torchDesk.close`.
  func stopTorches() async {
    lightWatch?.stop()
    await lights.setTally(false)
  }

  func useTorches(_ configuration: Configuration) async {
    await lights.use(LightChoice(configuration))
    await watchLights()
    await lights.settle()
    if recorder.manifest != nil { await lights.setTally(true) }
    await torchDesk.use(timeLimit: configuration.torch.timeLimit)
    await lookAtTorches()
  }

  /// Some may have come or gone, with a camera or without.
  func lookAtTorches() async {
    await watchLights()
    await torchDesk.look()
  }

  private func watchLights() async {
    for file in await lights.watched { lightWatch?.renew(file, for: .writing) }
    if let folder = await lights.watchedFolder { lightWatch?.renew(folder, for: .naming) }
  }
}

extension LightChoice {
  init(_ configuration: Configuration) {
    self.init(
      lights: configuration.torch.lights, tally: configuration.torch.tally, finds: configuration.torch.find)
  }
}
