import CamrigModel

/// Lets cameras that have just been started warm up, for those who want one picture as it should be. A camera that has
/// been running costs nothing, and all who want the same one at once share one look at it.
package actor CameraSettling {
  private let clock: any RigClock
  private var looks: [CameraID: Task<String?, Never>] = [:]

  /// It takes no longer in any case: a camera that needs its time to open, and then settles.
  package static let longest = PhotoSession.openingLimit + WarmUp.longest

  package init(clock: any RigClock) { self.clock = clock }

  /// Returns when the camera shows what it sees, or as much of it as it will. It is open until then; who wants its
  /// picture afterwards has wanted it open before.
  /// - Returns: why no picture comes; nil as long as one may.
  package func settle(_ camera: PhotoCamera) async -> String? {
    if let run = camera.hub.run, WarmUp(began: run.time).isOver(at: clock.now) { return nil }
    if let look = looks[camera.id] { return await look.value }
    let session = PhotoSession([camera], clock: clock)
    let look = Task {
      await WorkerThread.run("settle") {
        session.open(.stream)
        _ = session.warmUp()
        session.close()
        return session.problem
      }
    }
    looks[camera.id] = look
    let problem = await look.value
    looks[camera.id] = nil
    return problem
  }
}
