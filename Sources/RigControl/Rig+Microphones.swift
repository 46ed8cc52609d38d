import CamrigModel
import Capture
import Settings

extension Rig {
  package func microphoneList() async -> [MicrophoneDescription] {
    await microphones.refreshGains()
    return await microphones.microphones
  }

  package func setMicrophone(_ request: MicrophoneSetRequest) async throws(RigError) -> MicrophoneDescription {
    var wish = MicrophoneRegistry.Wish()
    wish.name = request.name
    wish.gain = request.gain
    wish.muted = request.muted
    wish.offsetMilliseconds = request.offsetMilliseconds
    switch request.camera {
    case nil: break
    case "auto"?: wish.camera = .automatic
    case "off"?: wish.camera = .off
    case let camera?: wish.camera = .camera(try await find(camera))
    }
    do throws(MicrophoneRegistryError) {
      let id = try await microphones.find(request.microphone)
      try await microphones.set(id, wish)
      await keepMicrophonesOpen()
      guard let microphone = await microphones.description(id) else {
        throw .unknown(request.microphone, microphones: [])
      }
      return microphone
    } catch {
      throw RigError(error)
    }
  }

  package func forgetMicrophone(_ text: String) async throws(RigError) {
    do throws(MicrophoneRegistryError) {
      try await microphones.forget(try await microphones.find(text))
    } catch {
      throw RigError(error)
    }
  }

  /// How loud all microphones are, for one who looks.
  package nonisolated func meters() -> MicrophoneMeters { MicrophoneMeters(microphones) }

  // MARK: What the rig does with them

  /// A rig without them records pictures all the same.
  func startMicrophones() async {
    do throws(FinderError) {
      try await microphones.start()
    } catch {
      parts.log.error("Microphones: \(error)")
    }
  }

  func take(_ event: MicrophoneEvent) async {
    switch event {
    case .changed(let id):
      guard let microphone = await microphones.description(id) else { return }
      events.publish(.microphone(microphone))
      await joinTake(microphone)
    case .forgotten(let id):
      keptMicrophones[id] = nil
      events.publish(.microphoneForgotten(id))
    }
    await keepMicrophonesOpen()
  }

  /// The microphones of cameras that are kept open for pre-roll are, too.
  func keepMicrophonesOpen() async {
    let cameras = configuration.recording.sound == .none ? [] : keptCameras
    var wanted: [MicrophoneID: Microphone] = [:]
    for description in await microphones.microphones where description.camera.map(cameras.contains) == true {
      wanted[description.id] = await microphones.microphone(description.id)
    }
    // From here on without a pause. Cameras may have been let go meanwhile; that comes here again.
    for (id, microphone) in keptMicrophones where wanted[id] !== microphone {
      microphone.release(.armed)
      keptMicrophones[id] = nil
    }
    for (id, microphone) in wanted where keptMicrophones[id] == nil {
      microphone.demand(.armed)
      keptMicrophones[id] = microphone
    }
  }
}

extension RigError {
  init(_ error: MicrophoneRegistryError) {
    let code: RigErrorCode =
      switch error {
      case .unknown, .ambiguous: .microphoneUnknown
      case .badName, .nameTaken, .badOffset: .paramsInvalid
      case .noGain, .stillOnline, .builtIn, .device: .microphoneRefused
      case .settings: .settingsNotSaved
      }
    self.init(code, error.description)
  }
}
