import CamrigModel
import Capture
import DaemonKit
import Dispatch
import Settings

/// Shows what the registry finds through udev: one line an event, at last one line a camera.
enum RegistryProbe {
  /// - Parameter events: ends after so many.
  static func run(settings: String, events: Int, seconds: Int, put: @escaping @Sendable (String) -> Void) -> Int32 {
    let enough = DispatchSemaphore(value: 0)
    let log = Log(ErrorLog())
    let registry = CameraRegistry<Camera>(
      CameraRegistry<Camera>.Parts(
        finder: UdevFinder(), store: SettingsStore(path: settings, log: log), log: log,
        camera: { id, changed in
          Camera(id: id, configuration: CaptureConfiguration(), clock: SystemClock(), log: log) { _ in changed() }
        },
        observer: { event in
          // A camera is asked what it offers after it was found: how often that changes its state is not told.
          if case .changed = event { return }
          put("\(event)")
          enough.signal()
        }))
    let ended = DispatchSemaphore(value: 0)
    Task {
      do throws(FinderError) { try await registry.start() } catch { put("\(error)") }
    }
    let deadline = DispatchTime.now() + .seconds(seconds)
    for _ in 0..<events { if enough.wait(timeout: deadline) == .timedOut { break } }
    Task {
      for camera in await registry.cameras {
        put("camera \(camera.id) \(camera.state) \(camera.port) \(camera.device?.node ?? "-") \(camera.name)")
      }
      await registry.stop()
      ended.signal()
    }
    ended.wait()
    return 0
  }
}
