import CamrigModel
import DaemonKit
import Dispatch
import Glibc
import Recording

/// The takes on disk: their list, their repair, their proof. Each directory has threads of its own, so that what lies on
/// one volume is there while the other one hangs.
package final class TakeShelf: Sendable {
  package let catalog: Catalog
  let places: MediaPlaces
  package let first: MediaShelf
  package let second: MediaShelf?
  private let spaces: [String: VolumeSpace]
  private let log: Log
  /// Changes in the takes' folders of a directory before that are in the catalog.
  private let known: Guarded<[String: WallTime]>
  /// For the catalog, whose own volume may be slow.
  private let listing = DispatchQueue(label: "camrig.shelf.listing")
  /// For what must hear all the volumes.
  private let comparing = DispatchQueue(label: "camrig.shelf.comparing", qos: .utility)
  private let comparisonWaits = Guarded(false)
  /// Why the last comparison left in the list what it did not find.
  private let told = Guarded<Set<String>>([])

  init(stateDirectory: String, options: RecordingOptions, readingPatience: Duration, now: WallTime, log: Log) {
    let places = options.places
    self.places = places
    first = MediaShelf(places.first, readingPatience: readingPatience)
    second = places.second.map { MediaShelf($0, readingPatience: readingPatience) }
    known = Guarded(Dictionary(places.all.map { ($0.path, now) }) { one, _ in one })
    let first = places.first.path
    // Where the volume is asked while the media directory has not been made yet.
    let parent = options.makesDirectory ? stateDirectory : nil
    let spaces = places.all.map { media in
      (
        media.path,
        VolumeSpace {
          let state = DiskState.read(media.path)
          if case .missing = state, let parent, media.path == first { return DiskState.read(parent) }
          return state
        }
      )
    }
    self.spaces = Dictionary(spaces) { one, _ in one }
    catalog = Catalog(path: stateDirectory + "/catalog.sqlite", places: places)
    self.log = log
  }

  /// What a person should know of the list of takes.
  var problem: RigProblem? {
    switch catalog.condition {
    case .sound, .new: nil
    case .setAside(let name):
      RigProblem(.takeListRemade, "The list of takes was unreadable; it is kept as \(name) and was made anew.")
    case .inMemory(let why):
      RigProblem(
        .takeListNotSaved, "The list of takes cannot be written (\(why)); it will be made anew from the folders.")
    }
  }

  /// Answers also where the volume does not.
  func space(of media: MediaDirectory) async -> DiskState {
    let isSilent = shelves.contains { $0.media == media && $0.volume.isSilent }
    return isSilent ? .failed(ETIMEDOUT) : await spaces[media.path]?.ask() ?? .missing
  }

  private var shelves: [MediaShelf] { second.map { [first, $0] } ?? [first] }

  /// What a person should know of the volumes but that of the directory named: until they answer, what is on them is out
  /// of reach.
  func silences(but directory: String) async -> [RigProblem] {
    var silences: [RigProblem] = []
    for shelf in shelves where shelf.media.path != directory {
      guard case .failed(let number) = await space(of: shelf.media) else { continue }
      if number == ETIMEDOUT, !shelf.volume.isSilent {
        // A busy machine answers late, and a disk may have to spin up: it is called silent only after its patience.
        Task { try? await shelf.answers() }
        continue
      }
      let path = shelf.media.path
      silences.append(RigProblem(.diskFailed, about: path, RecordingError.failed(path, number).description))
    }
    return silences
  }

  /// Puts in order what a crash left, in the background, and brings the list up to date.
  func tidy(_ each: @escaping @Sendable (TakeRepairReport) -> Void) {
    let isNew = catalog.needsRebuild
    let all = DispatchGroup()
    for shelf in shelves {
      all.enter()
      shelf.volume.work.perform { [self] wait in
        let limit = isNew ? .max : Catalog.mostPutRight
        repairOpen(shelf.media, wait, each)
        catalog.takeOverEnds(in: shelf.media, wait: wait)
        catalog.takeIn(shelf.media, limit: limit, wait: wait)
        catalog.takeInShots(shelf.media, limit: limit, wait: wait)
        all.leave()
      }
    }
    if isNew { all.notify(queue: comparing) { [catalog] in catalog.isRebuilt() } }
    dropGone()
  }

  private func repairOpen(
    _ media: MediaDirectory, _ wait: VolumeWait, _ each: @escaping @Sendable (TakeRepairReport) -> Void
  ) {
    TakeRepair.repairOpen(media, version: Version.text, catalog: catalog, wait: wait) { [log] result in
      switch result {
      case .success(let report):
        log.notice(report.message, .takeRepaired, take: report.take)
        each(report)
      case .failure(let error): log.error("a take could not be repaired: \(error)", .takeRepaired)
      }
    }
  }

  /// One that waits is enough: a volume may hang for days.
  private func dropGone() {
    guard comparisonWaits.withLock({ $0.raise() }) else { return }
    comparing.async { [self] in
      comparisonWaits.withLock { $0 = false }
      var doubts: Set<String> = []
      catalog.dropGone { doubts.insert($0.description) }
      catalog.dropGoneShots { doubts.insert($0.description) }
      tell(doubts)
    }
  }

  /// Once, until a comparison goes without it.
  private func tell(_ doubts: Set<String>) {
    let new = told.withLock { told in
      defer { told = doubts }
      return doubts.subtracting(told)
    }
    for doubt in new.sorted() {
      log.warning(
        "Takes and photos that are not found stay in the list, for a disk that answers errors may have them: \(doubt)",
        .diskFailed)
    }
  }

  /// Notices what somebody has done to the folders by hand, in the background.
  /// - Parameter isIdle: nothing is recorded; the disk is left alone otherwise.
  func lookAfter(now: WallTime, isIdle: @escaping @Sendable () -> Bool) {
    for shelf in shelves {
      shelf.upkeep { [self] wait in
        let media = shelf.media
        guard isIdle() else { return }
        catalog.takeIn(media, wait: wait)
        catalog.takeInShots(media, wait: wait)
        guard let since = known.withLock({ $0[media.path] }),
          catalog.refresh(media, since: since, wait: wait, mayGoOn: isIdle) != nil
        else { return }
        known.withLock { $0[media.path] = now }
      }
    }
    if isIdle() { dropGone() }
  }

  func takes(limit: Int) async -> [TakeSummary] {
    await listed { [catalog] in catalog.takes(limit: limit) }
  }

  func shots(limit: Int) async -> [ShotRecord] {
    await listed { [catalog] in catalog.shots(limit: limit) }
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
    let shelf = try await shelf(of: id)
    return try await shelf.ask {
      Result { () throws(RecordingError) in try ManifestFile.read(folder: shelf.media.folder(of: id)) }
    }.get()
  }

  /// What it is on; the first where it is on none.
  func shelf(of take: String) async throws(RecordingError) -> MediaShelf {
    try await shelf { media throws(RecordingError) in try media.holds(take: take) }
  }

  func shelf(ofShot shot: String) async throws(RecordingError) -> MediaShelf {
    try await shelf { media throws(RecordingError) in try media.holds(shot: shot) }
  }

  /// A first volume that only sleeps is woken and not waited for, if the second one has it.
  private static let patienceForTheFirst = Duration.seconds(1)

  private typealias Holds = @Sendable (MediaDirectory) throws(RecordingError) -> Bool

  private func shelf(_ holds: @escaping Holds) async throws(RecordingError) -> MediaShelf {
    guard let second else { return first }
    let isOnFirst = await answer(first, within: Self.patienceForTheFirst, holds)
    if case .success(true) = isOnFirst { return first }
    let isOnSecond = await answer(second, within: nil, holds)
    if case .success(true) = isOnSecond { return second }
    if case .failure = isOnFirst, try await answer(first, within: nil, holds).get() { return first }
    _ = try isOnSecond.get()
    return first
  }

  private func answer(
    _ shelf: MediaShelf, within limit: Duration?, _ holds: @escaping Holds
  ) async -> Result<Bool, RecordingError> {
    do throws(RecordingError) {
      return try await shelf.ask(within: limit) {
        Result { () throws(RecordingError) in try holds(shelf.media) }
      }
    } catch {
      return .failure(error)
    }
  }

  func verify(_ id: String) async throws(RecordingError) -> TakeVerification {
    let shelf = try await shelf(of: id)
    return try await shelf.working { wait throws(RecordingError) in
      try TakeVerifier.verify(folder: shelf.media.folder(of: id), wait: wait)
    }
  }

  func repair(_ id: String) async throws(RecordingError) -> TakeRepairReport {
    let shelf = try await shelf(of: id)
    return try await shelf.working { [catalog] wait throws(RecordingError) in
      try TakeRepair.repair(id, in: shelf.media, version: Version.text, catalog: catalog, wait: wait)
    }
  }

  private func listed<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      listing.async { continuation.resume(returning: body()) }
    }
  }
}
