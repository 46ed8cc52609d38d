/// Which microphone: its ID, or its name if only one has it.
package struct MicrophoneReference: Codable, Sendable {
  package var microphone: String
  package init(microphone: String) { self.microphone = microphone }
}

/// What is absent stays as it was.
package struct MicrophoneSetRequest: Codable, Sendable {
  package var microphone: String
  package var name: String?
  /// dB; what the device grants is what comes nearest.
  package var gain: Double?
  package var muted: Bool?
  package var offsetMilliseconds: Int?
  /// A camera's ID or name, `auto`, or `off`.
  package var camera: String?
  /// IDs or names: its sound goes into the clips of each of them. Instead of `camera`; none is `off`.
  package var cameras: [String]?
  package var enabled: Bool?

  package init(
    microphone: String, name: String? = nil, gain: Double? = nil, muted: Bool? = nil, offsetMilliseconds: Int? = nil,
    camera: String? = nil, cameras: [String]? = nil, enabled: Bool? = nil
  ) {
    self.microphone = microphone
    self.name = name
    self.gain = gain
    self.muted = muted
    self.offsetMilliseconds = offsetMilliseconds
    self.camera = camera
    self.cameras = cameras
    self.enabled = enabled
  }

  package var isEmpty: Bool {
    name == nil && gain == nil && muted == nil && offsetMilliseconds == nil && camera == nil && cameras == nil
      && enabled == nil
  }
}

package struct MicrophoneMeterRequest: Codable, Sendable {
  package var on: Bool
  package init(on: Bool) { self.on = on }
}

/// How loud the microphones are: of those alone from which something has come.
package struct MicrophoneLevels: Hashable, Codable, Sendable {
  package struct Levels: Hashable, Codable, Sendable {
    /// dBFS of each channel: 0 is full scale, -120 and less is silence.
    package var peak: [Double]
    package var rms: [Double]

    package init(peak: [Double], rms: [Double]) {
      self.peak = peak
      self.rms = rms
    }
  }

  package var microphones: [MicrophoneID: Levels]
  package init(microphones: [MicrophoneID: Levels]) { self.microphones = microphones }
}
