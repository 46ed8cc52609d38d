import CamrigModel
import Movie

/// Proves a take's ledger anew from its files: every fragment against its checksum, every fragment's note against
/// its pictures, the spans of each run against each other, and `take.json` against all of that. It changes nothing and
/// copes with a folder that somebody has edited. Reads every byte of the take.
package struct TakeVerifier {
  private let folder: String
  private let wait: VolumeWait
  private var take: String
  private var manifest: TakeManifest?
  private var findings: [TakeFinding] = []
  private var clips: [CameraID: [ClipEvidence]] = [:]

  private init(folder: String, wait: VolumeWait) {
    self.folder = folder
    self.wait = wait
    take = String(folder.split(separator: "/").last ?? "")
  }

  /// - Parameter wait: times each call to the volume.
  package static func verify(
    folder: String, wait: VolumeWait = VolumeWait()
  ) throws(RecordingError) -> TakeVerification {
    let isThere = try wait.during { () throws(RecordingError) in try Folder.holdsFolder(folder) }
    guard isThere else { throw .unknownTake(String(folder.split(separator: "/").last ?? "")) }
    var verifier = TakeVerifier(folder: folder, wait: wait)
    try verifier.readManifest()
    try verifier.readClips()
    verifier.compareFiles()
    let cameras = verifier.accounts()
    return TakeVerification(
      take: verifier.take, exact: verifier.findings.allSatisfy(\.harmless) && cameras.allSatisfy(\.exact),
      cameras: cameras, findings: verifier.findings)
  }

  private var isRunning: Bool { manifest?.state.isUnderWay == true }

  private mutating func readManifest() throws(RecordingError) {
    do throws(RecordingError) {
      let found = try wait.during { () throws(RecordingError) in try ManifestFile.read(folder: folder) }
      manifest = found
      take = found.id
    } catch {
      switch error {
      case .unknownTake:
        findings.append(
          TakeFinding(
            .manifestMissing, file: ManifestFile.name,
            "\(ManifestFile.name) is missing. Make it anew from the clips: camrigctl take repair \(take)"))
      case .brokenManifest(_, let why):
        findings.append(
          TakeFinding(
            .manifestBroken, file: ManifestFile.name,
            "\(ManifestFile.name) cannot be read: \(why). Make it anew from the clips: camrigctl take repair \(take)"))
      default: throw error
      }
    }
  }

  // MARK: Files

  private mutating func readClips() throws(RecordingError) {
    let listed = Set(manifest?.cameras.flatMap(\.clips).map(\.file) ?? [])
    var foundTake: String?
    let files = try wait.during { () throws(RecordingError) in try ClipEvidence.candidates(folder) }
    for file in files {
      switch ClipEvidence.read(file, folder: folder, wait: wait) {
      case .foreign: foreign(file, "\(file) is no clip of camrig's; it is left out.")
      case .unreadable(let why):
        if listed.contains(file) {
          findings.append(TakeFinding(.clipUnreadable, file: file, why))
        } else {
          foreign(file, "\(file) is not of this take and cannot be read: \(why)")
        }
      case .clip(let clip):
        // Without a manifest the clips say which take this is.
        let id = manifest?.id ?? foundTake ?? clip.note.take
        foundTake = id
        if clip.note.take != id {
          foreign(file, "\(file) belongs to take \(clip.note.take); it is left out.")
        } else if clips[clip.note.camera, default: []].contains(where: { $0.note.clip == clip.note.clip }) {
          foreign(file, "\(file) is clip \(clip.note.clip) of \(clip.note.cameraName) once more; it is left out.")
        } else {
          clips[clip.note.camera, default: []].append(clip)
        }
      }
    }
    take = manifest?.id ?? foundTake ?? take
    for camera in clips.keys { clips[camera]?.sort { $0.note.clip < $1.note.clip } }
    for clip in clips.values.joined() { check(clip) }
  }

  private mutating func foreign(_ file: String, _ message: String) {
    findings.append(TakeFinding(.clipForeign, harmless: true, file: file, message))
  }

  private mutating func check(_ clip: ClipEvidence) {
    func finding(_ kind: TakeFinding.Kind, harmless: Bool = false, _ message: String) {
      findings.append(
        TakeFinding(kind, harmless: harmless, file: clip.file, camera: clip.note.camera, message))
    }
    switch clip.movie.state {
    case .finished: break
    case .recording, .indexed:
      finding(.clipUnfinished, harmless: isRunning, "\(clip.file) is not finished: camrigctl take repair \(take)")
    case .noFragments:
      finding(.clipUnfinished, harmless: true, "\(clip.file) holds no whole fragment; there is nothing to play in it.")
    case .indexLost:
      finding(.clipUnfinished, "\(clip.file) has lost its index: camrigctl take repair \(take)")
    case .damaged(let why): finding(.clipUnreadable, why)
    }
    if clip.movie.agreesWithFragments == false {
      finding(.fragmentBroken, "\(clip.file): its index does not say what its fragments say. The file was changed.")
    }
    for fragment in clip.movie.fragments where !fragment.checksumHolds {
      finding(
        .fragmentBroken,
        "\(clip.file): fragment \(fragment.index) at byte \(fragment.offset) is not what was written. "
          + "The volume or somebody has changed it.")
    }
    for hole in clip.movie.holes {
      // Behind the last fragment stands what a crash cut short: nothing that was promised.
      finding(
        .fragmentBroken, harmless: hole.time.isEmpty,
        "\(clip.file): bytes \(hole.bytes.lowerBound) to \(hole.bytes.upperBound) are no whole fragment.")
    }
    let whole = clip.movie.fragments.filter(\.checksumHolds)
    for (fragment, note) in zip(whole, clip.fragments) {
      guard let note else {
        finding(.noteMissing, "\(clip.file): fragment \(fragment.index) tells no account.")
        continue
      }
      let pictures = UInt64(fragment.sampleCounts.first ?? 0)
      if note.writtenCount != pictures {
        finding(
          .noteDiffers,
          "\(clip.file): fragment \(fragment.index) holds \(pictures) pictures, and accounts for \(note.writtenCount).")
      }
      for track in fragment.lengths.indices.dropFirst() {
        let told = note.sounds.first { $0.track == track }?.ticks ?? 0
        guard told != UInt64(fragment.lengths[track]) else { continue }
        finding(
          .noteDiffers,
          "\(clip.file): fragment \(fragment.index) holds \(fragment.lengths[track]) samples of sound in track "
            + "\(track), and accounts for \(told).")
      }
    }
  }

  private mutating func compareFiles() {
    guard let manifest else { return }
    for camera in manifest.cameras {
      let found = clips[camera.id] ?? []
      for record in camera.clips {
        guard let clip = found.first(where: { $0.note.clip == record.number }) else {
          if wait.during({ Folder.presence(folder + "/" + record.file) }) == .gone {
            findings.append(
              TakeFinding(.clipMissing, file: record.file, camera: camera.id, "\(record.file) is missing."))
          }
          continue
        }
        if clip.file != record.file {
          findings.append(
            TakeFinding(
              .clipRenamed, harmless: true, file: clip.file, camera: camera.id,
              "\(clip.file) is \(record.file), renamed."))
        }
        let pictures = UInt64(clip.movie.tracks.first?.samples.count ?? 0)
        if !isRunning, record.state != .recording, pictures != record.frames {
          findings.append(
            TakeFinding(
              .manifestDiffers, file: clip.file, camera: camera.id,
              "\(clip.file) holds \(pictures) pictures, \(ManifestFile.name) says \(record.frames)."))
        }
        if !isRunning, record.state != .recording { compareSound(clip, record) }
      }
      for clip in found where !camera.clips.contains(where: { $0.number == clip.note.clip }) && !isRunning {
        findings.append(
          TakeFinding(
            .manifestDiffers, file: clip.file, camera: camera.id,
            "\(clip.file) is a clip of this take that \(ManifestFile.name) does not know: camrigctl take repair \(take)"
          ))
      }
    }
    for camera in clips.keys.sorted() where !manifest.cameras.contains(where: { $0.id == camera }) {
      findings.append(
        TakeFinding(
          .manifestDiffers, camera: camera,
          "There are clips of \(camera), which \(ManifestFile.name) does not know: camrigctl take repair \(take)"))
    }
  }

  private mutating func compareSound(_ clip: ClipEvidence, _ record: ClipRecord) {
    for found in clip.microphones ?? [] {
      let told = record.microphones?.first { $0.track == found.track }
      guard told?.samples != found.samples || told?.silence != found.silence else { continue }
      // Where a clip ended by a failure of the volume, the last of it was still in the encoder.
      let held = (told?.samples ?? 0) &- found.samples
      if found.codec == .aac, told != nil, held > 0, held < 4096 { continue }
      findings.append(
        TakeFinding(
          .manifestDiffers, file: clip.file, camera: clip.note.camera,
          "\(clip.file) holds \(words(found)) of \(found.name), \(ManifestFile.name) says "
            + "\(told.map { words($0) } ?? "nothing of it")."))
    }
  }

  private func words(_ sound: ClipMicrophone) -> String {
    "\(sound.samples) samples, \(sound.silence.values.reduce(0, &+)) of them declared silence,"
  }

  // MARK: The ledger

  private mutating func accounts() -> [CameraVerification] {
    var cameras = clips.keys.sorted()
    for record in manifest?.cameras ?? [] where !cameras.contains(record.id) { cameras.append(record.id) }
    return cameras.map { account(of: $0) }
  }

  private mutating func account(of camera: CameraID) -> CameraVerification {
    let clips = clips[camera] ?? []
    let record = manifest?.cameras.first { $0.id == camera }
    let tail = record?.tail ?? []
    var ledger = Ledger()
    for clip in clips { ledger.add(clip.runs) }
    for loss in tail { ledger.lost(loss) }
    for (run, proof) in SequenceProof.of(clips, tail: tail) {
      for hole in proof.holes {
        findings.append(
          TakeFinding(
            .pictureUnaccounted, camera: camera,
            "\(hole.count) pictures of \(camera), from number \(hole.first) of run \(run) on, are neither in a file nor "
              + "accounted for as lost."))
      }
      for overlap in proof.overlaps {
        findings.append(
          TakeFinding(
            .pictureTwice, camera: camera,
            "\(overlap.count) pictures of \(camera), from number \(overlap.first) of run \(run) on, stand twice."))
      }
    }
    if let record, !isRunning, record.runs != ledger.runs {
      findings.append(
        TakeFinding(
          .manifestDiffers, camera: camera,
          "The files of \(camera) account for \(words(ledger.runs)), \(ManifestFile.name) for \(words(record.runs))."))
    }
    return CameraVerification(
      id: camera, clips: clips.count, fragments: clips.reduce(0) { $0 &+ UInt64($1.fragments.count) },
      runs: ledger.runs, written: ledger.written, lost: ledger.lostCount, microphones: sound(of: clips),
      exact: ledger.isExact)
  }

  /// Of all clips together; nil if there is none.
  private func sound(of clips: [ClipEvidence]) -> [SoundVerification]? {
    var sounds: [SoundVerification] = []
    for found in clips.flatMap({ $0.microphones ?? [] }) {
      let place = sounds.firstIndex { $0.id == found.id } ?? sounds.count
      if place == sounds.count { sounds.append(SoundVerification(id: found.id, samples: 0, silence: [:])) }
      sounds[place].samples &+= found.samples
      sounds[place].silence.merge(found.silence) { $0 &+ $1 }
    }
    return sounds.isEmpty ? nil : sounds
  }

  private func words(_ runs: [RunAccount]) -> String {
    if runs.isEmpty { return "nothing" }
    return runs.map { "\($0.written) written and \($0.lostCount) lost in run \($0.run)" }.joined(separator: ", ")
  }
}
