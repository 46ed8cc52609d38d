import CamrigModel

/// Finds nodes through udev. It listens before it enumerates, so that nothing that comes in between is missed; what
/// is told twice is the observer's to merge. Only nodes that udev's rules are done with are told of, since before
/// that they may not be opened.
package final class UdevFinder: CameraFinder {
  private struct Running {
    let wake: WakeEvent
    let thread: CaptureThread
  }

  /// What it looks for.
  package enum Kind: Sendable {
    /// Nodes of video4linux.
    case cameras
    /// Capture devices of ALSA.
    case microphones
  }

  private let kind: Kind
  private let running = Guarded<Running?>(nil)

  package init(_ kind: Kind = .cameras) { self.kind = kind }

  package func start(_ observer: @escaping @Sendable (FinderEvent) -> Void) throws(FinderError) {
    let monitor = try UdevMonitor(kind)
    do throws(CaptureError) {
      let wake = try WakeEvent()
      let thread = try CaptureThread(name: "udev") { monitor.run(wake: wake, observer) }
      running.withLock { $0 = Running(wake: wake, thread: thread) }
    } catch {
      throw .noResources(error)
    }
  }

  package func stop() {
    let stopped = running.withLock { running -> Running? in
      defer { running = nil }
      return running
    }
    guard let stopped else { return }
    stopped.wake.signal()
    stopped.thread.join()
  }
}
