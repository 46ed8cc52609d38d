import CamrigModel
import DaemonKit
import Dispatch

/// Holds a running take's manifest and keeps `take.json` up with it, on a thread of its own: whoever changes it waits
/// for no disk, and changes that come while it writes are written together.
final class TakeBook: Sendable {
  private struct State {
    var manifest: TakeManifest
    var isDirty = false
    var isClosing = false
    var writeFailure: RecordingError?
  }

  private let state: Guarded<State>
  private let folder: String
  private let wake = DispatchSemaphore(value: 0)
  private let closed = DispatchSemaphore(value: 0)

  init(_ manifest: TakeManifest, folder: String) {
    state = Guarded(State(manifest: manifest))
    self.folder = folder
  }

  /// - Parameters:
  ///   - beat: called on the thread about once a second, for what watches the volume.
  ///   - trouble: `take.json` could not be written; once until it can again.
  func start(
    beat: @escaping @Sendable () -> Void, trouble: @escaping @Sendable (RecordingError) -> Void
  ) {
    WorkerThread.start("take-book") {
      while true {
        _ = self.wake.wait(timeout: .now() + .seconds(1))
        let (manifest, closing) = self.state.withLock { state -> (TakeManifest?, Bool) in
          defer { state.isDirty = false }
          return (state.isDirty ? state.manifest : nil, state.isClosing)
        }
        if let manifest, let failure = self.write(manifest) { trouble(failure) }
        if closing { break }
        beat()
      }
      self.closed.signal()
    }
  }

  var manifest: TakeManifest { state.withLock { $0.manifest } }

  /// What stands in `take.json` is older than the manifest.
  var hasFailed: Bool { state.withLock { $0.writeFailure != nil } }

  func update(_ change: (inout TakeManifest) -> Void) {
    state.withLock {
      change(&$0.manifest)
      $0.isDirty = true
    }
    wake.signal()
  }

  /// `write: false` where the next change of another kind is soon enough.
  func update(_ camera: CameraID, write: Bool = true, _ change: (inout TakeCameraRecord) -> Void) {
    state.withLock { state in
      guard let index = state.manifest.cameras.firstIndex(where: { $0.id == camera }) else { return }
      change(&state.manifest.cameras[index])
      if write { state.isDirty = true }
    }
    if write { wake.signal() }
  }

  /// Writes what is not written yet and ends the thread. False: the volume did not answer in time.
  func close(within limit: Duration) -> Bool {
    state.withLock { $0.isClosing = true }
    wake.signal()
    guard closed.wait(timeout: .now() + .nanoseconds(Int(limit.inNanoseconds))) == .success else { return false }
    closed.signal()
    return true
  }

  /// Nil, or the failure if the write before this one did not fail.
  private func write(_ manifest: TakeManifest) -> RecordingError? {
    do throws(RecordingError) {
      try ManifestFile.write(manifest, folder: folder)
      state.withLock { $0.writeFailure = nil }
      return nil
    } catch {
      return state.withLock { state in
        defer { state.writeFailure = error }
        // Tried again at the next beat.
        state.isDirty = true
        return state.writeFailure == nil ? error : nil
      }
    }
  }
}
