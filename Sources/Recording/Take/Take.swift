import CamrigModel
import Dispatch
import Glibc
import Synchronization

/// A running take: its folder, its book, and a writer for each camera. Its functions block; they run on worker threads.
final class Take: Sendable {
  let context: TakeContext
  let request: TakeRequest
  let cameras: [TakeCamera]
  let recorders: [ClipRecorder]
  let board: DeliveryBoard
  let media: MediaDirectory
  let disk: DiskWatch
  /// Each once: those of the cameras, and who came later.
  private let wanted: Guarded<[TakeMicrophone]>

  private init(
    context: TakeContext, request: TakeRequest, cameras: [TakeCamera], recorders: [ClipRecorder], board: DeliveryBoard,
    media: MediaDirectory, disk: DiskWatch
  ) {
    self.context = context
    self.request = request
    self.cameras = cameras
    self.recorders = recorders
    self.board = board
    self.media = media
    self.disk = disk
    wanted = Guarded(cameras.microphones)
  }

  var microphones: [TakeMicrophone] { wanted.withLock { $0 } }

  func add(_ microphone: TakeMicrophone, to camera: CameraID) {
    guard let recorder = recorders.first(where: { $0.camera.id == camera }) else { return }
    let isNew = wanted.withLock { wanted in
      guard !wanted.contains(where: { $0.id == microphone.id }) else { return false }
      wanted.append(microphone)
      return true
    }
    if isNew { microphone.demand() }
    recorder.shared.withLock { $0.joining.append(microphone) }
  }

  /// What a take is made of besides its cameras.
  struct Surroundings: Sendable {
    var options: RecordingOptions
    var clock: any RigClock
    var files: any ClipFiles
    var encoders: EncoderMaker
    var tell: @Sendable (TakeEvent) -> Void
    /// With the take's ID: a writer that was left to itself may fail when another take runs.
    var failed: @Sendable (String, TakeStop) -> Void
  }

  /// The folder and `take.json` are on the volume when it returns, and the writers wait for pictures.
  static func begin(
    _ request: TakeRequest, _ cameras: [TakeCamera], start: ClockAnchor, attempt: Int = 1, _ around: Surroundings
  ) throws(RecordingError) -> Take {
    let options = around.options
    let media = MediaDirectory(options.mediaDirectory)
    try media.prepare(make: options.makesDirectory)
    let disk = DiskState.read(media.path)
    let reserve = DiskReserve(reserveBytes: options.reserveBytes)
    try reserve.check(disk, path: media.path)
    let (id, claim) = try media.make(start: start, name: request.name, attempt: attempt)
    let manifest = TakeManifest(
      id: id, name: request.name, state: .recording, start: start,
      cameras: cameras.map { TakeCameraRecord(id: $0.id, name: $0.name, device: $0.facts) },
      versions: ["camrig": options.version])
    do throws(RecordingError) {
      try ManifestFile.write(manifest, folder: media.folder(of: id))
    } catch {
      media.withdraw(id)
      throw error
    }
    let soundTracks = options.sound == .none ? 0 : cameras.reduce(0) { $0 + $1.microphones.count }
    media.holdRoom(
      for: id,
      bytes: cameras.count * RecordingOptions.endingBytes + soundTracks * RecordingOptions.soundEndingBytes)
    var limits = ClipPlan.Limits(length: options.clipLength)
    if case .present(let space) = disk, space.isFAT { limits.bytes = RecordingOptions.fatClipBytes }
    let board = DeliveryBoard(cameras.map(\.id))
    let context = TakeContext(
      id: id, name: request.name, start: start, folder: media.folder(of: id), claim: claim, options: options,
      limits: limits,
      clock: around.clock, files: around.files, encoders: around.encoders,
      book: TakeBook(manifest, folder: media.folder(of: id)),
      tell: around.tell, delivered: { board.delivered($0) },
      failed: { stop in
        // What is kept for the end is needed now, by the clip whose fragment found no room.
        if stop.cause == .diskFull { media.giveRoom(for: id) }
        board.failed(stop)
        around.failed(id, stop)
      })
    let stems = TakeName.stems(cameras.map { ($0.id, $0.name) })
    let recorders = cameras.map {
      ClipRecorder(camera: $0, stem: stems[$0.id] ?? "camera", preroll: request.preroll, context: context)
    }
    let take = Take(
      context: context, request: request, cameras: cameras, recorders: recorders, board: board, media: media,
      disk: DiskWatch(directory: media.path, reserve: reserve))
    context.book.start(beat: { take.lookAtDisk() }) { failure in
      context.tell(
        .trouble(
          TakeTrouble(take: id, kind: .manifest, message: "\(ManifestFile.name) is not written: \(failure)")))
    }
    for recorder in recorders { recorder.start() }
    return take
  }

  private func lookAtDisk() {
    let manifest = context.book.manifest
    let open = manifest.cameras.flatMap(\.clips).filter { $0.state == .recording }.count
    let written = recorders.reduce(into: (bytes: UInt64(0), pictures: UInt64(0), sound: UInt64(0))) { sum, recorder in
      recorder.shared.withLock {
        sum.bytes &+= $0.bytes &+ $0.openBytes
        sum.pictures &+= $0.written
        sum.sound &+= $0.soundPackets
      }
    }
    let step = disk.look(
      DiskState.read(media.path), now: context.clock.now, bytes: written.bytes,
      indexBytes: DiskReserve.indexBytes(
        pictures: written.pictures, soundPackets: written.sound, clips: open))
    switch step {
    case .nothing: break
    case .warn(let text): context.tell(.trouble(TakeTrouble(take: context.id, kind: .diskLow, message: text)))
    case .stop(let stop):
      context.tell(.trouble(TakeTrouble(take: context.id, kind: .diskLow, message: stop.message)))
      context.failed(stop)
    }
  }

  var hasClips: Bool { context.book.manifest.cameras.contains { !$0.clips.isEmpty } }

  /// Ends the take: writes what waits, finishes the clips, writes the manifest. A volume that does not answer within
  /// the limit is left to itself: its clip can be repaired, and its marker sees to it that it will be.
  /// - Parameter late: gets a manifest that the volume refuses.
  func end(_ stop: TakeStop, late: LateManifests) -> TakeManifest {
    let book = context.book
    media.giveRoom(for: context.id)
    book.update {
      $0.state = .stopping
      $0.stop = stop
    }
    for recorder in recorders { recorder.stop() }
    let limit = DispatchTime.now() + .nanoseconds(Int(context.options.stopLimit.inNanoseconds))
    var allEnded = true
    for recorder in recorders where !recorder.waitUntilDone(limit) {
      allEnded = false
      let late = LateWriter(
        camera: recorder.camera.name, directory: media.path, limit: context.options.stopLimit,
        volumeSilent: recorder.wait.length)
      recorder.trouble(.writerHangs, late.message)
    }
    book.update { manifest in
      manifest.end = context.clock.anchor
      for camera in manifest.cameras.indices {
        for clip in manifest.cameras[camera].clips.indices
        where manifest.cameras[camera].clips[clip].state == .recording {
          manifest.cameras[camera].clips[clip].state = .unfinished
        }
      }
      let whole = manifest.cameras.allSatisfy { $0.clips.allSatisfy { $0.state != .unfinished } }
      manifest.state = whole ? .finished : .unfinished
    }
    let written = book.close(within: .seconds(2))
    let manifest = book.manifest
    if written, book.hasFailed {
      late.add(manifest, in: media, claim: allEnded ? context.claim : nil)
      return manifest
    }
    // A writer that is left behind keeps it until its volume answers.
    if allEnded, written { context.claim.release() }
    if written, manifest.state == .finished {
      // If the marker stays, the next start looks at the take once more and finds it in order.
      try? media.close(context.id)
    }
    return manifest
  }

  /// Ends a take in which no camera delivered, and takes its folder back.
  func withdraw() {
    for recorder in recorders { recorder.stop() }
    let limit = DispatchTime.now() + .nanoseconds(Int(context.options.stopLimit.inNanoseconds))
    for recorder in recorders { _ = recorder.waitUntilDone(limit) }
    _ = context.book.close(within: .seconds(2))
    if !hasClips { media.withdraw(context.id) }
  }
}
