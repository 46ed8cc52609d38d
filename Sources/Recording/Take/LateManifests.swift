import CamrigModel
import Dispatch

/// Manifests of ended takes that their volume did not take: it was full or gone. Each stays here, to be shown in place
/// of the outdated `take.json`, and is tried again until the volume takes it. A restart forgets it; then repair makes
/// one from the clips.
final class LateManifests: Sendable {
  private let waiting = Guarded<[String: TakeManifest]>([:])
  private let interval: Duration

  init(interval: Duration) { self.interval = interval }

  subscript(id: String) -> TakeManifest? { waiting.withLock { $0[id] } }

  /// - Parameter claim: released once the manifest is written, so that nobody repairs the take by the outdated one.
  func add(_ manifest: TakeManifest, in media: MediaDirectory, claim: TakeClaim?) {
    waiting.withLock { $0[manifest.id] = manifest }
    WorkerThread.start("take-late") { [self] in
      let pause = DispatchSemaphore(value: 0)
      while !isDone(manifest, media) { _ = pause.wait(timeout: .now() + .nanoseconds(Int(interval.inNanoseconds))) }
      claim?.release()
      waiting.withLock { $0[manifest.id] = nil }
    }
  }

  private func isDone(_ manifest: TakeManifest, _ media: MediaDirectory) -> Bool {
    let folder = media.folder(of: manifest.id)
    // The volume is there, and somebody has deleted the take.
    if Folder.isFolder(media.path), !Folder.exists(folder) { return true }
    do throws(RecordingError) { try ManifestFile.write(manifest, folder: folder) } catch { return false }
    // If the marker stays, the next start looks at the take once more and finds it in order.
    if manifest.state == .finished { try? media.close(manifest.id) }
    return true
  }
}
