import CamrigModel
import Capture

/// What sliders of monitors send. Each of these returns once the wish has its place behind those before it, so that a
/// connection can go on: its outcome comes later, and only the latest of many is carried out.
extension Rig {
  package typealias TorchWishes = LatestWins<TorchSetRequest, Result<TorchDescription, RigError>>
  package typealias MicrophoneWishes = LatestWins<MicrophoneSetRequest, Result<MicrophoneDescription, RigError>>

  /// The camera's own desk sees to it that the latest wins.
  package func beginSettingControls(_ request: ControlSetRequest) async throws(RigError) -> ControlsBegun {
    let (controls, name) = try await controls(of: request.camera)
    return ControlsBegun(wish: controls.begin(request.values), name: name)
  }

  package func beginSettingTorch(_ request: TorchSetRequest) -> Awaited<Result<TorchDescription, RigError>> {
    torchWishes.wish(request)
  }

  package func beginSettingMicrophone(
    _ request: MicrophoneSetRequest
  ) async -> Awaited<Result<MicrophoneDescription, RigError>> {
    var request = request
    // One microphone may be called by its name or its ID; that there is none is said when its turn comes.
    if let id = try? await microphones.find(request.microphone) { request.microphone = id.rawValue }
    return microphoneWishes.wish(request)
  }

  /// What has been asked of a camera's controls.
  package struct ControlsBegun: Sendable {
    let wish: CameraControls.Wish
    let name: String

    /// For one who waits.
    package func outcome() async throws(RigError) -> ControlOutcome {
      do { return try await wish.outcome() } catch { throw RigError(controls: error, of: name) }
    }
  }

  // MARK: How wishes are related

  func makeTorchWishes() -> TorchWishes {
    TorchWishes { new, old in
      guard new.torch == old.torch, new.camera == old.camera else { return .unrelated }
      return new.isOfSlider && old.isOfSlider ? .replaces : .follows
    } carryOut: { [weak self] request in
      guard let self else { return .failure(.stopping) }
      do throws(RigError) { return .success(try await self.setTorch(request)) } catch { return .failure(error) }
    }
  }

  func makeMicrophoneWishes() -> MicrophoneWishes {
    MicrophoneWishes { new, old in
      guard new.microphone == old.microphone else { return .unrelated }
      return new.isOfSlider && old.isOfSlider ? .replaces : .follows
    } carryOut: { [weak self] request in
      guard let self else { return .failure(.stopping) }
      do throws(RigError) { return .success(try await self.setMicrophone(request)) } catch { return .failure(error) }
    }
  }
}

extension TorchSetRequest {
  fileprivate var isOfSlider: Bool { level != nil && on == nil }
}

extension MicrophoneSetRequest {
  /// Nothing but a gain is asked for.
  fileprivate var isOfSlider: Bool {
    var rest = self
    rest.gain = nil
    return gain != nil && rest.isEmpty
  }
}

extension RigError {
  fileprivate static var stopping: RigError { RigError(.stopping, "The rig is being stopped.") }
}
