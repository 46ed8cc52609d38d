import CamrigModel
import Capture
import Codec
import Recording
import Settings

extension CaptureConfiguration {
  init(_ configuration: Configuration) {
    self.init()
    prerollLength = configuration.recording.preRoll
    prerollCapacityBytes = Int(configuration.recording.preRollBytes)
    graceTime = configuration.cameras.idleTimeout
    bufferCount = configuration.cameras.buffers
    allowSmallerFormats = configuration.cameras.allowSmallerFormats
    target = FormatTarget(size: configuration.cameras.defaultSize, rate: configuration.cameras.defaultRate)
  }
}

extension RecordingOptions {
  init(_ configuration: Configuration, stateDirectory: String) {
    let chosen = configuration.storage.mediaDirectory
    self.init(
      mediaDirectory: chosen.isEmpty ? stateDirectory + "/takes" : chosen, makesDirectory: chosen.isEmpty,
      secondDirectory: configuration.storage.secondDirectory.isEmpty ? nil : configuration.storage.secondDirectory,
      reserveBytes: UInt64(clamping: configuration.storage.diskReserveBytes),
      fragmentLength: configuration.recording.fragmentLength, clipLength: configuration.storage.clipLength,
      queueLength: configuration.recording.queueLength, queueBytes: Int(configuration.recording.queueBytes),
      encoder: EncoderSettings(
        choice: EncoderSettings.Choice(configuration.recording.encoder),
        rateFactor: configuration.recording.encoderQuality),
      sound: configuration.recording.sound,
      version: Version.text)
  }
}

extension EncoderSettings.Choice {
  init(_ choice: EncoderChoice) {
    self =
      switch choice {
      case .auto: .automatic
      case .libx264: .software
      case .h264v4l2m2m: .v4l2
      case .h264vaapi: .vaapi
      case .mjpeg: .jpeg
      }
  }
}

extension Configuration {
  /// The keys whose new value counts at the next start only: cameras, sockets and the catalog are made with them.
  package func needsRestart(from old: Configuration) -> [String] {
    [
      ("MediaDirectory=", storage.mediaDirectory != old.storage.mediaDirectory),
      ("SecondDirectory=", storage.secondDirectory != old.storage.secondDirectory),
      ("DemoCameras=", rig.demoCameras != old.rig.demoCameras),
      ("PreRollBytes=", recording.preRollBytes != old.recording.preRollBytes),
      ("PreRoll= (to reach further back)", recording.preRoll > old.recording.preRoll),
      ("IdleTimeout=", cameras.idleTimeout != old.cameras.idleTimeout),
      ("Buffers=", cameras.buffers != old.cameras.buffers),
      ("AllowSmallerFormats=", cameras.allowSmallerFormats != old.cameras.allowSmallerFormats),
      ("DefaultSize=", cameras.defaultSize != old.cameras.defaultSize),
      ("DefaultRate=", cameras.defaultRate != old.cameras.defaultRate),
      ("Socket=", control.socket != old.control.socket),
      ("Group=", control.group != old.control.group),
      ("Level=", log.level != old.log.level),
    ].filter(\.1).map(\.0)
  }
}
