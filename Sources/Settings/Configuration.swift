import CamrigModel
import DaemonKit

/// The administrator's file, read at start and on reload. Its defaults are these here; keys, ranges and words stand
/// in `ConfigurationSchema`.
package struct Configuration: Hashable, Sendable {
  package var rig = RigSection()
  package var storage = StorageSection()
  package var recording = RecordingSection()
  package var cameras = CamerasSection()
  package var control = ControlSection()
  package var network = NetworkSection()
  package var torch = TorchSection()
  package var log = LogSection()

  package init() {}

  package struct RigSection: Hashable, Sendable {
    /// Empty: the host's name.
    package var name = ""
    package var demoCameras = 0
  }

  package struct StorageSection: Hashable, Sendable {
    /// Empty: `takes` below the state directory.
    package var mediaDirectory = ""
    /// Empty: there is none.
    package var secondDirectory = ""
    package var diskReserveBytes: Int64 = 2 << 30
    package var clipLength: Duration = .seconds(3600)
  }

  package struct RecordingSection: Hashable, Sendable {
    package var preRoll: Duration = .seconds(2)
    /// Of one camera.
    package var preRollBytes: Int64 = 32 << 20
    package var queueLength: Duration = .seconds(4)
    /// Of one camera.
    package var queueBytes: Int64 = 64 << 20
    /// A little less than a second, so that a fragment and half a second of sync are not more than 1.5 s.
    package var fragmentLength: Duration = .milliseconds(950)
    package var encoder: EncoderChoice = .auto
    /// x264's constant rate factor: 0 is without loss, 51 the worst.
    package var encoderQuality = 23
    package var sound: SoundChoice = .auto
  }

  package struct CamerasSection: Hashable, Sendable {
    /// A camera that nobody wants closes after this.
    package var idleTimeout: Duration = .seconds(10)
    package var keepOpen = false
    package var allowSmallerFormats = true
    package var defaultSize = PixelSize(width: 1920, height: 1080)
    package var defaultRate = FrameRate(30)
    /// Buffers that the driver is asked for.
    package var buffers = 8
  }

  package struct ControlSection: Hashable, Sendable {
    /// Empty: `control.sock` in the runtime directory.
    package var socket = ""
    package var group = "camrig"
  }

  package struct NetworkSection: Hashable, Sendable {
    /// Addresses separated by spaces, or `none`.
    package var listen = "*:8470"
    /// Likewise, without TLS.
    package var plainListen = "none"
    /// By mDNS, where it listens to more than this machine.
    package var announce = true
    /// Names beside the rig's own under which it is reached, separated by spaces.
    package var allowedHosts = ""
    /// Empty: one of the rig's own authority.
    package var certificate = ""
    package var certificateKey = ""
  }

  package struct TorchSection: Hashable, Sendable {
    /// `NAME=PLACE@CAMERA`, separated by spaces.
    package var lights = ""
    package var find = true
    /// A place, or empty.
    package var tally = ""
    /// Zero: none.
    package var timeLimit: Duration = .zero
  }

  package struct LogSection: Hashable, Sendable {
    package var level: LogLevel = .info
  }
}

/// What encodes the pictures of raw cameras. The raw value is libavcodec's name for it.
package enum EncoderChoice: String, CaseIterable, Hashable, Sendable {
  case auto
  case libx264
  case h264v4l2m2m = "h264_v4l2m2m"
  case h264vaapi = "h264_vaapi"
  case mjpeg
}

/// How microphones are recorded.
package enum SoundChoice: String, CaseIterable, Hashable, Sendable {
  /// PCM in `.mov`, AAC in `.mp4`.
  case auto
  case pcm, aac, none
}

package enum LogLevel: String, CaseIterable, Hashable, Sendable {
  case error, warning, notice, info, debug

  package var lowest: LogLine.Level {
    switch self {
    case .error: .error
    case .warning: .warning
    case .notice: .notice
    case .info: .info
    case .debug: .debug
    }
  }
}
