import CamrigModel
import Capture
import DaemonKit
import Dispatch
import Settings

/// Shows what microphones are found through udev, and whose they are: one line each.
enum MicrophoneProbe {
  /// - Parameters:
  ///   - cameras: `ID=PATH` each: a camera, and where it is in sysfs.
  ///   - count: waits for so many microphones.
  static func run(
    settings: String, count: Int, seconds: Int, cameras: [String], put: @escaping @Sendable (String) -> Void
  ) -> Int32 {
    let changed = DispatchSemaphore(value: 0)
    let log = Log(ErrorLog())
    let registry = MicrophoneRegistry(
      MicrophoneRegistry.Parts(
        finder: UdevFinder(.microphones), store: SettingsStore(path: settings, log: log),
        configuration: CaptureConfiguration(), log: log, observer: { _ in changed.signal() }))
    var places: [CameraID: String] = [:]
    for camera in cameras {
      let parts = camera.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { places[CameraID(parts[0])] = parts[1] }
    }
    let present = places
    Task {
      await registry.camerasAre(present)
      do throws(FinderError) { try await registry.start() } catch { put("\(error)") }
    }
    let deadline = DispatchTime.now() + .seconds(seconds)
    for _ in 0..<count { if changed.wait(timeout: deadline) == .timedOut { break } }
    let ended = DispatchSemaphore(value: 0)
    Task {
      for microphone in await registry.microphones {
        put("\(microphone.id) \(microphone.name) \(microphone.state) \(microphone.camera?.rawValue ?? "-")")
      }
      await registry.stop()
      ended.signal()
    }
    ended.wait()
    return 0
  }
}
