import CamrigModel
import DaemonKit
import Dispatch
import Recording

/// The takes on disk: their list, their repair, their proof. What reads files runs on threads of its own.
package final class TakeShelf: Sendable {
  package let catalog: Catalog
  let places: MediaPlaces
  private let volumes: [String: VolumeSpace]
  private let log: Log
  /// Changes in the takes' folders before that are in the catalog.
  private let known: Guarded<WallTime>
  /// Proofs and repairs read whole takes; more than one at a time would only make each slower.
  private let reading = DispatchQueue(label: "camrig.shelf.reading", qos: .utility)
  private let asking = DispatchQueue(label: "camrig.shelf.asking", attributes: .concurrent)

  init(stateDirectory: String, options: RecordingOptions, now: WallTime, log: Log) {
    known = Guarded(now)
    let places = options.places
    self.places = places
    let first = places.first.path
    // Where the volume is asked while the media directory has not been made yet.
    let parent = options.makesDirectory ? stateDirectory : nil
    let volumes = places.all.map { media in
      (
        media.path,
        VolumeSpace {
          let state = DiskState.read(media.path)
          if case .missing = state, let parent, media.path == first { return DiskState.read(parent) }
          return state
        }
      )
    }
    self.volumes = Dictionary(volumes) { one, _ in one }
    catalog = Catalog(path: stateDirectory + "/catalog.sqlite", places: places)
    self.log = log
  }

  /// What a person should know of the list of takes.
  var trouble: String? {
    switch catalog.condition {
    case .sound, .new: nil
    case .setAside(let name): "The list of takes was unreadable; it is kept as \(name) and was made anew."
    case .inMemory(let why): "The list of takes cannot be written (\(why)); it will be made anew from the folders."
    }
  }

  /// Answers also where the volume does not.
  func space(of media: MediaDirectory) async -> DiskState {
    await volumes[media.path]?.ask() ?? .missing
  }

  /// Puts in order what a crash left, in the background, and brings the list up to date.
  func tidy(_ each: @escaping @Sendable (TakeRepairReport) -> Void) {
    reading.async { [self] in
      for media in places.all {
        TakeRepair.repairOpen(media, version: Version.text, catalog: catalog) { result in
          switch result {
          case .success(let report):
            log.notice(report.message, .takeRepaired, take: report.take)
            each(report)
          case .failure(let error): log.error("a take could not be repaired: \(error)", .takeRepaired)
          }
        }
      }
      if catalog.needsRebuild {
        catalog.rebuild()
      } else {
        catalog.reconcile()
        catalog.reconcileShots()
      }
    }
  }

  /// Notices what somebody has done to the folders by hand, in the background.
  /// - Parameter isIdle: nothing is recorded; the disk is left alone otherwise.
  func lookAfter(now: WallTime, isIdle: @escaping @Sendable () -> Bool) {
    reading.async { [self] in
      guard isIdle() else { return }
      catalog.reconcile()
      catalog.reconcileShots()
      guard catalog.refresh(since: known.withLock({ $0 }), mayGoOn: isIdle) != nil else { return }
      known.withLock { $0 = now }
    }
  }

  func takes(limit: Int) async -> [TakeSummary] {
    await on(asking) { [catalog] in catalog.takes(limit: limit) }
  }

  func shots(limit: Int) async -> [ShotRecord] {
    await on(asking) { [catalog] in catalog.shots(limit: limit) }
  }

  /// The take that a person means by its ID or `last`.
  func id(_ text: String) async throws(RecordingError) -> String {
    guard text == "last" else {
      guard MediaDirectory.isTakeName(text) else { throw .unknownTake(text) }
      return text
    }
    guard let newest = await takes(limit: 1).first else { throw .noTakeYet }
    return newest.id
  }

  func take(_ id: String) async throws(RecordingError) -> TakeManifest {
    try await on(asking) { [catalog] in Result { () throws(RecordingError) in try catalog.take(id) } }.get()
  }

  /// Where its files are. Asks the volumes, so not on an actor that others need.
  func folder(of take: String) async -> String { await on(asking) { [places] in places.folder(of: take) } }

  func folder(ofShot shot: String) async -> ShotFolder {
    await on(asking) { [places] in places.folder(ofShot: shot) }
  }

  func verify(_ id: String) async throws(RecordingError) -> TakeVerification {
    try await on(reading) { [places] in
      Result { () throws(RecordingError) in try TakeVerifier.verify(folder: places.folder(of: id)) }
    }.get()
  }

  func repair(_ id: String) async throws(RecordingError) -> TakeRepairReport {
    try await on(reading) { [places, catalog] in
      Result { () throws(RecordingError) in
        try TakeRepair.repair(id, in: places.directory(of: id), version: Version.text, catalog: catalog)
      }
    }.get()
  }

  private func on<T: Sendable>(_ queue: DispatchQueue, _ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
