import CamrigModel
import Movie

/// Puts a take in order that a crash or a power cut ended: finishes its clips and makes `take.json` say what they
/// hold. It deletes nothing, and doing it twice changes nothing. Takes time in proportion to the clips that were open.
package struct TakeRepair {
  private let media: MediaDirectory
  private let id: String
  private let version: String
  private let wait: VolumeWait
  private var known: TakeManifest?
  private var report: [TakeRepairReport.Clip] = []
  private var records: [CameraID: [ClipRecord]] = [:]
  /// Of the clips that had to be read.
  private var evidence: [CameraID: [ClipEvidence]] = [:]
  private var names: [CameraID: String] = [:]
  private var takeStart: ClockAnchor?
  private var takeName: String?
  private var foundTake: String?

  private init(_ media: MediaDirectory, _ id: String, version: String, wait: VolumeWait) {
    self.media = media
    self.id = id
    self.version = version
    self.wait = wait
  }

  /// All takes that are marked open: for the start, before anything is recorded. The others are not looked at.
  package static func repairOpen(
    _ media: MediaDirectory, version: String, catalog: Catalog? = nil, wait: VolumeWait = VolumeWait(),
    each: (Result<TakeRepairReport, RecordingError>) -> Void
  ) {
    for id in wait.during({ media.openTakes }) {
      do throws(RecordingError) {
        each(.success(try repair(id, in: media, version: version, catalog: catalog, wait: wait)))
      } catch {
        // Not what a crash left: somebody pressed Record meanwhile, or another rig uses the volume.
        if case .stopping = error { continue }
        each(.failure(error))
      }
    }
  }

  /// One take. It must not be running.
  /// - Parameter wait: times each call to the volume.
  package static func repair(
    _ id: String, in media: MediaDirectory, version: String, catalog: Catalog? = nil, wait: VolumeWait = VolumeWait()
  ) throws(RecordingError) -> TakeRepairReport {
    guard MediaDirectory.isTakeName(id) else { throw .unknownTake(id) }
    let folder = media.folder(of: id)
    let isMarked = wait.during { media.openTakes.contains(id) }
    let claim = isMarked ? try wait.during { () throws(RecordingError) in try media.claim(id) } : nil
    guard !isMarked || claim != nil else { throw .stopping(id) }
    // What the take had kept for its end is for the repair now: indexes, and take.json.
    if isMarked { wait.during { media.giveRoom(for: id) } }
    defer { withExtendedLifetime(claim) {} }
    guard try wait.during({ () throws(RecordingError) in try media.holds(take: id) }) else {
      // Its marker was made just before the lights went out.
      guard isMarked else { throw .unknownTake(id) }
      try wait.during { () throws(RecordingError) in try media.close(id) }
      return TakeRepairReport(take: id, clips: [], whole: true, message: "take \(id) had not begun yet")
    }
    var repair = TakeRepair(media, id, version: version, wait: wait)
    repair.known = try wait.during { () throws(RecordingError) in try known(folder) }
    let files = try wait.during { () throws(RecordingError) in try ClipEvidence.candidates(folder) }
    for file in files { repair.mend(file, folder: folder) }
    let manifest = repair.manifest()
    if manifest != repair.known {
      try wait.during { () throws(RecordingError) in try ManifestFile.write(manifest, folder: folder) }
    }
    let whole = !repair.report.contains { $0.state == .unfinished }
    // A clip that could not be finished is tried again at the next start.
    if whole { try wait.during { () throws(RecordingError) in try media.close(id) } }
    var listed = TakeSummary(manifest)
    // Under the name by which it can be found.
    listed.id = id
    catalog?.put(listed)
    return TakeRepairReport(take: id, clips: repair.report, whole: whole, message: repair.message(manifest))
  }

  /// Nil: it is broken or missing, and made anew from the clips. What the disk only does not give is not written over.
  private static func known(_ folder: String) throws(RecordingError) -> TakeManifest? {
    do throws(RecordingError) {
      return try ManifestFile.read(folder: folder)
    } catch {
      guard error.meansNoManifest else { throw error }
      return nil
    }
  }

  // MARK: Clips

  private mutating func mend(_ file: String, folder: String) {
    let path = folder + "/" + file
    let record = known?.cameras.lazy.flatMap(\.clips).first { $0.file == file }
    let camera = known?.cameras.first { $0.clips.contains { $0.file == file } }?.id
    let before = wait.during { Folder.byteCount(path) } ?? 0
    let outcome: RepairOutcome
    do throws(MovieError) {
      outcome = try MovieRepair.repair(path, wait: wait)
    } catch {
      return failed(file, camera, record, error.description)
    }
    if case .alreadyFinished = outcome, let record, let camera,
      record.state == .finished || record.state == .repaired
    {
      // Proven when it was finished; reading hours of pictures again would hold up the start.
      records[camera, default: []].append(record)
      report.append(
        TakeRepairReport.Clip(file: file, camera: camera, state: record.state, frames: record.frames))
      return
    }
    switch ClipEvidence.read(file, folder: folder, wait: wait) {
    case .foreign: return
    case .unreadable(let why):
      if record != nil { failed(file, camera, record, why) }
    case .clip(let clip): mended(clip, outcome, before: before)
    }
  }

  private mutating func failed(_ file: String, _ camera: CameraID?, _ record: ClipRecord?, _ why: String) {
    report.append(
      TakeRepairReport.Clip(
        file: file, camera: camera, state: .unfinished, frames: record?.frames ?? 0, problem: why))
    guard let camera, var record else { return }
    record.state = .unfinished
    record.note = why
    records[camera, default: []].append(record)
  }

  private mutating func mended(_ clip: ClipEvidence, _ outcome: RepairOutcome, before: UInt64) {
    let camera = clip.note.camera
    // Without take.json the clips say which take this is: somebody may have renamed the folder.
    let take = known?.id ?? foundTake ?? clip.note.take
    guard clip.note.take == take else { return }
    foundTake = take
    guard !records[camera, default: []].contains(where: { $0.number == clip.note.clip }) else { return }
    var cut: UInt64 = 0
    var problem: String?
    let state: ClipRecord.State
    switch outcome {
    case .alreadyFinished: state = .finished
    case .repaired(let done):
      state = .repaired
      cut = UInt64(done.keptTail?.count ?? 0) &+ UInt64(max(done.zerosCut, 0))
      let holes = done.holes.filter { !$0.time.isEmpty }.count
      if holes > 0 { problem = "\(holes) fragments in its midst were not whole and are left out" }
    case .empty(let why):
      state = .empty
      cut = before
      problem = why
    case .notRepairable(let why):
      state = .unfinished
      problem = why
    }
    evidence[camera, default: []].append(clip)
    records[camera, default: []].append(clip.record(state, note: problem))
    names[camera] = clip.note.cameraName
    takeStart = takeStart ?? clip.note.takeStart
    takeName = takeName ?? clip.note.takeName
    report.append(
      TakeRepairReport.Clip(
        file: clip.file, camera: camera, state: state,
        frames: UInt64(clip.movie.tracks.first?.samples.count ?? 0), cutBytes: cut, problem: problem))
  }

  // MARK: take.json

  private func manifest() -> TakeManifest {
    var manifest =
      known
      ?? TakeManifest(
        id: foundTake ?? id, name: takeName, state: .repaired,
        start: takeStart
          ?? ClockAnchor(media: MediaTime(nanoseconds: 0), wall: WallTime(nanoseconds: 0), sync: .unknown))
    for camera in records.keys.sorted() where !manifest.cameras.contains(where: { $0.id == camera }) {
      manifest.cameras.append(TakeCameraRecord(id: camera, name: names[camera] ?? camera.rawValue))
    }
    for index in manifest.cameras.indices { rebuild(&manifest.cameras[index], start: manifest.start) }
    let whole = !report.contains { $0.state == .unfinished }
    if known?.state != .finished || manifest != known { manifest.state = whole ? .repaired : .unfinished }
    if manifest.state != .finished {
      manifest.stop =
        manifest.stop
        ?? TakeStop(.crash, "The rig went down while it recorded. What had reached the volume was put in order.")
      // Who repaired it last, and changed something.
      if manifest != known { manifest.versions["repair"] = version }
    }
    return manifest
  }

  private func rebuild(_ camera: inout TakeCameraRecord, start: ClockAnchor) {
    let found = (records[camera.id] ?? []).sorted { $0.number < $1.number }
    // A clip that was deleted by hand stays in the record: verify tells that it is missing.
    let gone = camera.clips.filter { clip in !found.contains { $0.number == clip.number } }
    camera.clips = (found + gone).sorted { $0.number < $1.number }
    camera.format = camera.clips.last?.format ?? camera.format
    if camera.offsetSeconds == nil, let first = camera.clips.first(where: { $0.frames > 0 }) {
      camera.offsetSeconds = (first.firstTime - start.media).inSeconds
    }
    account(&camera)
    closeGaps(&camera)
    if known == nil { noteAbsence(&camera, start: start) }
  }

  private func account(_ camera: inout TakeCameraRecord) {
    var ledger = Ledger()
    for clip in camera.clips { ledger.add(clip.runs) }
    for loss in camera.tail { ledger.lost(loss) }
    // What a power cut took from the midst: a clip's end that was not confirmed, while the next one was.
    if !ledger.isExact,
      camera.clips.allSatisfy({ clip in (evidence[camera.id] ?? []).contains { $0.file == clip.file } })
    {
      for (run, proof) in SequenceProof.of(evidence[camera.id] ?? [], tail: camera.tail) {
        for hole in proof.holes {
          let loss = Loss(
            cause: .disk, run: run, firstSequence: hole.first, count: hole.count,
            time: camera.clips.last?.lastTime ?? MediaTime(nanoseconds: 0))
          camera.tail.append(loss)
          ledger.lost(loss)
        }
      }
    }
    camera.runs = ledger.runs
    camera.lost = ledger.lost
    for loss in (evidence[camera.id] ?? []).flatMap(\.lost) + camera.tail
    where camera.losses.count < TakeCameraRecord.listedLossesLimit && !camera.losses.contains(loss) {
      camera.losses.append(loss)
    }
  }

  private func closeGaps(_ camera: inout TakeCameraRecord) {
    let clips = camera.clips.filter { $0.frames > 0 }
    for (before, after) in zip(clips, clips.dropFirst()) {
      let end = before.firstTime + .nanoseconds(Int64(before.durationSeconds * 1_000_000_000))
      let length = after.firstTime - end
      guard length > .seconds(1) else { continue }
      if let index = camera.gaps.firstIndex(where: { $0.from < after.firstTime && ($0.to ?? after.firstTime) > end }) {
        if camera.gaps[index].to == nil {
          camera.gaps[index].to = after.firstTime
          camera.gaps[index].toWall = after.anchor.wallTime(of: after.firstTime)
        }
      } else {
        camera.gaps.append(
          TakeGap(
            reason: .unknown, from: end, to: after.firstTime, fromWall: after.anchor.wallTime(of: end),
            toWall: after.anchor.wallTime(of: after.firstTime)))
      }
    }
    camera.gaps.sort { $0.from < $1.from }
  }

  /// As the recorder does it: a camera that began long after Record was absent until then.
  private func noteAbsence(_ camera: inout TakeCameraRecord, start: ClockAnchor) {
    guard let first = camera.clips.first(where: { $0.frames > 0 }) else { return }
    let frameTime = first.format.rate?.frameTime ?? .zero
    guard first.firstTime - start.media > max(.seconds(1), frameTime * 3) else { return }
    camera.gaps.insert(
      TakeGap(
        reason: .absent, from: start.media, to: first.firstTime, fromWall: start.wall,
        toWall: first.anchor.wallTime(of: first.firstTime)), at: 0)
  }

  private func message(_ manifest: TakeManifest) -> String {
    let repaired = report.filter { $0.state == .repaired }.count
    let empty = report.filter { $0.state == .empty }.count
    let bad = report.filter { $0.state == .unfinished }
    var parts = ["take \(id): \(report.count) clips, \(repaired) finished now"]
    if empty > 0 { parts.append("\(empty) without a whole fragment") }
    if !bad.isEmpty {
      parts.append("\(bad.count) could not be finished (\(bad.compactMap(\.problem).joined(separator: "; ")))")
    }
    return parts.joined(separator: ", ")
  }
}
