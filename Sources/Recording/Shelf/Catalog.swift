import CamrigModel
import Glibc

/// The lists of takes and shots, quick to ask however many there are. Only an index: the folders are the truth, and whatever is
/// wrong with it is cured by making it anew. Its functions block for a moment; any thread may call them.
package final class Catalog: Sendable {
  /// What a person should know of it.
  package enum Condition: Hashable, Sendable {
    case sound
    /// The file was not one; it lies beside the new one under this name, and `rebuild` fills the new one.
    case setAside(String)
    /// It was not there; `rebuild` fills it.
    case new
    /// The volume takes nothing (full, or read-only); what comes is kept in memory.
    case inMemory(String)
  }

  struct State {
    var database: Database?
    var condition: Condition
    /// Not in the file yet, since its volume did not take it.
    var unsaved: [String: TakeSummary] = [:]
    var unsavedShots: [String: ShotRecord] = [:]
    var rebuilt = false
  }

  let state: Guarded<State>
  /// A copy for whoever must not wait until the file's volume has answered.
  private let shown: Guarded<Condition>
  private let path: String
  let places: MediaPlaces

  /// Never fails and takes the same time for one take as for a hundred thousand.
  package convenience init(path: String, media: MediaDirectory) {
    self.init(path: path, places: MediaPlaces(media))
  }

  package init(path: String, places: MediaPlaces) {
    self.path = path
    self.places = places
    let (database, condition) = Self.open(path)
    state = Guarded(State(database: database, condition: condition))
    shown = Guarded(condition)
  }

  /// Does not block.
  package var condition: Condition { shown.withLock { $0 } }

  /// The folders must be gone through once, since the file was lost.
  package var needsRebuild: Bool {
    state.withLock { state in
      guard !state.rebuilt else { return false }
      return switch state.condition {
      case .sound: false
      case .setAside, .new, .inMemory: true
      }
    }
  }

  // MARK: Asking

  /// Newest first.
  package func takes(limit: Int = 100) -> [TakeSummary] {
    state.withLock { state in
      var takes: [TakeSummary] =
        ask(&state) { database throws(DatabaseError) in
          try database.summaries(.takes, limit: limit)
        }.map { Database.read($0) } ?? []
      if !state.unsaved.isEmpty {
        takes.removeAll { state.unsaved[$0.id] != nil }
        takes.append(contentsOf: state.unsaved.values)
        takes.sort { ($0.start, $0.id) > ($1.start, $1.id) }
      }
      return Array(takes.prefix(max(limit, 0)))
    }
  }

  // MARK: Keeping

  package func put(_ manifest: TakeManifest) { put(TakeSummary(manifest)) }

  package func put(_ summary: TakeSummary) {
    state.withLock { state in
      state.unsaved[summary.id] = summary
      let waiting = Array(state.unsaved.values)
      let rows = waiting.map(\.row)
      let saved: Void? = ask(&state) { database throws(DatabaseError) in try database.put(rows, in: .takes) }
      if saved != nil { state.unsaved = [:] }
    }
  }

  /// All folders were gone through.
  package func isRebuilt() { state.withLock { $0.rebuilt = true } }

  /// At once; the rest is put right the next time.
  package static let mostPutRight = 200

  /// Takes in what somebody has put into one of the directories. For the background: it lists the directory, and blocks as
  /// long as that does, so each is asked on a thread of its own. Returns how many it took in.
  @discardableResult
  package func takeIn(
    _ media: MediaDirectory, limit: Int = mostPutRight, wait: VolumeWait = VolumeWait()
  ) -> Int {
    let orphans = media.takes(wait).filter { [listed = listedTakes] in !listed.contains($0) }.prefix(limit)
    var found: [TakeSummary] = []
    for orphan in orphans {
      // Even one whose take.json the disk does not give is to be seen.
      let read = wait.during { summary(orphan, in: media) ?? summaryOfClips(orphan, in: media) }
      if let read { found.append(read) }
      if found.count == 500 {
        keep(found)
        found = []
      }
    }
    keep(found)
    return orphans.count
  }

  /// Drops the takes that are gone. For the background: it lists the directories, and blocks as long as one of them
  /// does: nobody knows what a volume has that does not answer. Returns how many it dropped.
  /// - Parameter doubt: told why some that were not found stay.
  @discardableResult
  package func dropGone(limit: Int = mostPutRight, doubt: (RecordingError) -> Void = { _ in }) -> Int {
    let gone = GoneFolders(listedTakes, in: places.all.map(\.path), limit: limit)
    if let why = gone.doubt { doubt(why) }
    guard !gone.names.isEmpty else { return 0 }
    state.withLock { state in
      for ghost in gone.names { state.unsaved[ghost] = nil }
      _ = ask(&state) { database throws(DatabaseError) in try database.remove(gone.names, from: .takes) }
    }
    return gone.names.count
  }

  private var listedTakes: Set<String> {
    state.withLock { state in
      let saved = ask(&state) { database throws(DatabaseError) in try database.ids(.takes) } ?? []
      return Set(saved).union(state.unsaved.keys)
    }
  }

  /// Of so many newest takes it is seen whether their folders have changed.
  private static let mostWatched = 10_000

  /// Takes over what somebody has changed in the folders of finished takes of one directory. For the background.
  /// - Parameters:
  ///   - since: changes before that are known.
  ///   - wait: times each look at the volume.
  ///   - mayGoOn: asked before each take.
  /// - Returns: how many were put right; nil where it might not go on to the end.
  package func refresh(
    _ media: MediaDirectory, since: WallTime, wait: VolumeWait = VolumeWait(), mayGoOn: () -> Bool
  ) -> Int? {
    let open = Set(wait.during { media.openTakes })
    var changed: [TakeSummary] = []
    for known in takes(limit: Self.mostWatched) where !open.contains(known.id) {
      guard mayGoOn() else { return nil }
      let folder = media.folder(of: known.id)
      let times = wait.during { [folder, folder + "/" + ManifestFile.name].compactMap(Folder.changed) }
      guard let newest = times.max(), newest >= since else { continue }
      if let found = wait.during({ summary(known.id, in: media) }), found != known { changed.append(found) }
    }
    for summary in changed { put(summary) }
    return changed.count
  }

  /// Takes over how takes ended whose end is in their folders and not in the list: whoever ended them was killed in between.
  /// For the background, and for after the repair of those that are open. Returns how many were put right.
  @discardableResult
  package func takeOverEnds(in media: MediaDirectory, wait: VolumeWait = VolumeWait()) -> Int {
    let open = Set(wait.during { media.openTakes })
    let ended = takes(limit: Self.mostWatched).filter(\.state.isUnderWay)
      .filter { !open.contains($0.id) }.compactMap { known in wait.during { summary(known.id, in: media) } }
      // One that began since the open ones were asked for.
      .filter { !$0.state.isUnderWay }
    for summary in ended { put(summary) }
    return ended.count
  }

  /// What was put since they were read is newer.
  private func keep(_ summaries: [TakeSummary]) {
    guard !summaries.isEmpty else { return }
    state.withLock { state in
      let rows = summaries.map(\.row)
      let saved: Void? = ask(&state) { database throws(DatabaseError) in try database.add(rows, to: .takes) }
      guard saved == nil else { return }
      for summary in summaries where state.unsaved[summary.id] == nil { state.unsaved[summary.id] = summary }
    }
  }

  /// Nil for a folder that is no take's, and for one that cannot be read just now.
  private func summary(_ id: String, in media: MediaDirectory) -> TakeSummary? {
    let folder = media.folder(of: id)
    do throws(RecordingError) {
      var manifest = try ManifestFile.read(folder: folder)
      // A folder that was copied or renamed is listed under the name by which it can be found.
      manifest.id = id
      return TakeSummary(manifest)
    } catch {
      return error.meansNoManifest ? summaryOfClips(id, in: media) : nil
    }
  }

  private func summaryOfClips(_ id: String, in media: MediaDirectory) -> TakeSummary? {
    let folder = media.folder(of: id)
    let clips = Folder.names(folder).filter(ClipEvidence.isCandidate)
    guard !clips.isEmpty else { return nil }
    let bytes = clips.reduce(UInt64(0)) { $0 &+ (Folder.byteCount(folder + "/" + $1) ?? 0) }
    return TakeSummary(
      id: id, name: nil, state: .unfinished, start: TakeName.start(id) ?? WallTime(nanoseconds: 0),
      durationSeconds: 0, cameras: 0, clips: clips.count, bytes: bytes, lost: 0)
  }

  // MARK: The file

  /// Nil if the database does not answer; one that is broken is set aside and replaced.
  func ask<R>(_ state: inout State, _ work: (Database) throws(DatabaseError) -> R) -> R? {
    guard let database = state.database else { return nil }
    defer {
      let condition = state.condition
      shown.withLock { $0 = condition }
    }
    do throws(DatabaseError) {
      return try work(database)
    } catch {
      guard error.isCorrupt else {
        state.condition = .inMemory(error.text)
        return nil
      }
      state.database = nil
      (state.database, state.condition) = Self.replace(path)
      state.rebuilt = false
      guard let fresh = state.database else { return nil }
      return try? work(fresh)
    }
  }

  private static func open(_ path: String) -> (Database?, Condition) {
    let isNew = !Folder.exists(path)
    do throws(DatabaseError) {
      return (try Database(path), isNew ? .new : .sound)
    } catch {
      if error.isCorrupt { return replace(path) }
      // It cannot be written at present, but perhaps be read.
      if let old = try? Database(path, readOnly: true) { return (old, .inMemory(error.text)) }
      return (nil, .inMemory(error.text))
    }
  }

  private static func replace(_ path: String) -> (Database?, Condition) {
    var aside = path + ".broken"
    var number = 1
    while Folder.exists(aside) {
      number += 1
      aside = path + ".broken-\(number)"
    }
    guard rename(path, aside) == 0 else {
      return (nil, .inMemory(RecordingError.of(errno, path).description))
    }
    // They belong to the file that is gone; with a new one SQLite would take them for its own.
    unlink(path + "-wal")
    unlink(path + "-shm")
    let fresh = open(path)
    return fresh.0 == nil ? fresh : (fresh.0, .setAside(aside))
  }
}

extension TakeName {
  /// From a folder's name.
  static func start(_ id: String) -> WallTime? {
    let text = Array(id.utf8.prefix(16))
    guard text.count == 16 else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    return WallTime(
      rfc3339: "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
  }
}
