import CamrigModel
import Capture
import Dispatch

/// A camera's controls for the time of a shot: open beside its pictures, so that a photo can say how it was exposed
/// though nobody watches them.
final class PhotoControls: Sendable {
  /// From the press on. A camera that takes longer to tell has an exposure in its later pictures only.
  private static let patience = DispatchTimeInterval.milliseconds(200)

  private let controls: CameraControls
  private let deadline = Guarded(DispatchTime(uptimeNanoseconds: 0))

  init(_ controls: CameraControls) { self.controls = controls }

  func open() {
    deadline.withLock { $0 = .now() + Self.patience }
    controls.watch()
  }

  func close() { controls.unwatch() }

  /// Blocks until the deadline at most, and not at all once they are known.
  func exposure() -> PhotoExposure {
    PhotoExposure(controls.known ?? awaited() ?? [])
  }

  private func awaited() -> [ControlDescription]? {
    let deadline = deadline.withLock { $0 }
    guard DispatchTime.now() < deadline else { return nil }
    let answered = DispatchSemaphore(value: 0)
    let reading = Task { [controls] in
      // A photo without its exposure is a photo all the same.
      _ = try? await controls.list()
      answered.signal()
    }
    _ = answered.wait(timeout: deadline)
    reading.cancel()
    return controls.known
  }
}
