/// A microphone as monitors see it.
package struct MicrophoneDescription: Hashable, Codable, Sendable {
  package var id: MicrophoneID
  package var name: String
  package var state: MicrophoneState
  /// The state in words, with the cure where something is wrong; empty when all is well.
  package var message: String
  /// Whose clips get its sound, in the order of their IDs.
  package var cameras: [CameraID]
  /// The first of them, for monitors that know of one only.
  package var camera: CameraID?
  /// Else it is never opened.
  package var enabled: Bool
  package var pairing: MicrophonePairing
  /// What the device delivers; present while it is open.
  package var format: MicrophoneFormat?
  /// Absent where the device has no volume of its own.
  package var gain: SoundGain?
  package var muted: Bool
  /// Positive: its sound is put later beside the pictures.
  package var offsetMilliseconds: Int
  /// Times that sound was lost because nobody fetched it, since the daemon started.
  package var xruns: UInt64
  /// The socket it was last seen in, for people.
  package var port: String
  /// When it was last online.
  package var lastSeen: WallTime?

  package init(
    id: MicrophoneID, name: String, state: MicrophoneState, message: String = "", cameras: [CameraID] = [],
    enabled: Bool = true, pairing: MicrophonePairing = .automatic, format: MicrophoneFormat? = nil,
    gain: SoundGain? = nil,
    muted: Bool = false, offsetMilliseconds: Int = 0, xruns: UInt64 = 0, port: String = "", lastSeen: WallTime? = nil
  ) {
    self.id = id
    self.name = name
    self.state = state
    self.message = message
    self.cameras = cameras.sorted()
    camera = self.cameras.first
    self.enabled = enabled
    self.pairing = pairing
    self.format = format
    self.gain = gain
    self.muted = muted
    self.offsetMilliseconds = offsetMilliseconds
    self.xruns = xruns
    self.port = port
    self.lastSeen = lastSeen
  }
}

package enum MicrophoneState: String, Codable, CaseIterable, Sendable {
  /// Not plugged in.
  case offline
  /// Plugged in, closed, free.
  case idle
  /// Being opened, no sound yet.
  case starting
  case streaming
  /// Another program holds it.
  case busy
  /// Plugged in, but it gives no sound; the message says why.
  case failed
  /// Its user does not want it.
  case disabled
}

/// Who said which camera a microphone belongs to.
package enum MicrophonePairing: String, Codable, CaseIterable, Sendable {
  /// It is in the same USB device.
  case automatic
  case chosen
  /// No camera's, by choice: it is not recorded.
  case off
}

package struct MicrophoneFormat: Hashable, Codable, Sendable {
  /// Sample frames a second.
  package var rate: Int
  package var channels: Int

  package init(rate: Int, channels: Int) {
    self.rate = rate
    self.channels = channels
  }
}

/// A volume, in dB.
package struct SoundGain: Hashable, Codable, Sendable {
  package var minimum: Double
  package var maximum: Double
  package var step: Double
  package var value: Double
  package private(set) var unit = "dB"

  package init(minimum: Double, maximum: Double, step: Double, value: Double) {
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.value = value
  }
}
