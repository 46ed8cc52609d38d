import CamrigModel
import DaemonKit
import Glibc

/// The shutter of the rig: self-timer, exposure, burst, and the way of each photo to the volume. Shots of one picture
/// from the running stream may overlap; any other has the shutter for itself.
package actor PhotoTaker {
  /// How the shutter waits. Returns earlier if its task is cancelled.
  package typealias Sleep = @Sendable (Duration) async -> Void

  /// Shots whose cameras are no more theirs, though their pictures may still be on the way to the volume.
  private var released: Set<String> = []
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

  private struct Running {
    let session: PhotoSession
    let wish: PhotoWish
    let task: Task<Void, Never>
  }

  /// What a shot is made of.
  private struct Shot {
    let folder: ShotFolder
    let wish: PhotoWish
    let session: PhotoSession
    let stems: [CameraID: String]
    var plan: ShutterPlan
    var record: ShotRecord
    let isUntimely: Bool
    let flash: PhotoFlash?
  }

  private static let mostAtOnce = 8
  /// Exposures of a burst whose photos are not on the volume yet; further ones wait for it.
  private static let mostUnwritten = 4
  private static let folderLimit: Duration = .seconds(4)

  private var options: RecordingOptions
  private let clock: any RigClock
  private let sleep: Sleep
  private let catalog: Catalog?
  private let rigName: @Sendable () -> String
  private let observer: @Sendable (PhotoEvent) -> Void
  private var running: [String: Running] = [:]
  /// Shots whose folder is being made.
  private var beginning = 0
  private var isBeginningExclusive = false
  private var takesThatBegin = 0
  /// Takes that have begun so far.
  private var takes = 0
  private var isClosed = false
  private let shown = Guarded(PhotoStatus())

  /// - Parameters:
  ///   - rigName: for the photos' EXIF.
  ///   - observer: must not block.
  package init(
    options: RecordingOptions, clock: any RigClock = SystemClock(),
    sleep: @escaping Sleep = { try? await Task.sleep(for: $0) }, catalog: Catalog? = nil,
    rigName: @escaping @Sendable () -> String = { "camrig" }, observer: @escaping @Sendable (PhotoEvent) -> Void
  ) {
    self.options = options
    self.clock = clock
    self.sleep = sleep
    self.catalog = catalog
    self.rigName = rigName
    self.observer = observer
  }

  package func use(_ options: RecordingOptions) { self.options = options }

  package nonisolated var status: PhotoStatus { shown.withLock { $0 } }

  /// Shots that are under way.
  package var shots: [String] { running.keys.sorted() }

  // MARK: Press and cancel

  /// Answered as soon as the shot has its folder; its pictures come by `observer`.
  /// - Parameters:
  ///   - isRecording: whether a take runs or begins.
  ///   - flash: the lights for a wish that flashes.
  package func take(
    _ wish: PhotoWish, cameras: [PhotoCamera], isRecording: Bool = false, flash: PhotoFlash? = nil
  ) async throws(PhotoError) -> ShotStarted {
    let pressed = clock.anchor
    try admit(wish, cameras, isRecording: isRecording)
    beginning += 1
    if wish.isExclusive { isBeginningExclusive = true }
    defer {
      beginning -= 1
      if wish.isExclusive { isBeginningExclusive = false }
    }
    let plan = ShutterPlan(pressed: pressed.media, timer: wish.timer, count: wish.count, interval: wish.interval)
    let at = pressed.wallTime(of: plan.first)
    let takesBefore = takes
    let folder = try await folder(at: at, sync: pressed.sync)
    if isClosed || wish.source == .still && takes != takesBefore {
      folder.withdraw()
      throw isClosed ? .stopping : .stillWhileRecording
    }
    let session = PhotoSession(cameras, clock: clock)
    let shot = Shot(
      folder: folder, wish: wish, session: session, stems: TakeName.stems(cameras.map { ($0.id, $0.name) }), plan: plan,
      record: ShotRecord(shot: folder.shot, at: at, source: wish.source),
      isUntimely: pressed.isUntimely, flash: wish.flashes ? flash : nil)
    if wish.timer > .zero {
      let seconds = Int(wish.timer.inSeconds.rounded(.up))
      shown.withLock { $0.countdown = PhotoStatus.Countdown(shot: folder.shot, at: at, seconds: seconds) }
    }
    running[folder.shot] = Running(session: session, wish: wish, task: Task { await self.run(shot) })
    return ShotStarted(shot: folder.shot, folder: folder.path, cameras: cameras.map(\.id), at: at)
  }

  /// The shot that was cancelled: that one, or the one that has the shutter for itself, or the newest.
  package func cancel(_ shot: String?) throws(PhotoError) -> String {
    let id = shot ?? running.first { $0.value.wish.isExclusive }?.key ?? running.keys.max()
    guard let id, let found = running[id] else { throw .notRunning(shot) }
    found.session.cancel()
    found.task.cancel()
    return id
  }

  /// A take is about to begin: nobody may hold a camera in another format.
  package func recordingBegins() async {
    takesThatBegin += 1
    takes += 1
    for shot in running.values where shot.wish.source == .still {
      shot.session.cancel()
      shot.task.cancel()
    }
    await stillsEnd()
  }

  /// It has begun, or not; whether it runs is asked with each press.
  package func recordingBegan() { takesThatBegin -= 1 }

  /// Returns when no camera is in another format for a still.
  package func stillsEnd() async {
    for (id, shot) in running where shot.wish.source == .still && !released.contains(id) {
      await withCheckedContinuation { waiting[id, default: []].append($0) }
    }
  }

  private func hasLetGo(_ id: String) {
    released.insert(id)
    for continuation in waiting.removeValue(forKey: id) ?? [] { continuation.resume() }
  }

  /// Ends all shots, and waits for what is being written.
  package func shutdown() async {
    isClosed = true
    for shot in running.values {
      shot.session.cancel()
      shot.task.cancel()
    }
    for shot in running.values { await shot.task.value }
  }

  private func admit(_ wish: PhotoWish, _ cameras: [PhotoCamera], isRecording: Bool) throws(PhotoError) {
    if isClosed { throw .stopping }
    if cameras.isEmpty { throw .noCameras }
    if wish.source == .still, isRecording || takesThatBegin > 0 { throw .stillWhileRecording }
    if let other = running.first(where: { $0.value.wish.isExclusive }) { throw .busy(other.key) }
    if isBeginningExclusive { throw .tooMany }
    guard wish.isExclusive else {
      if running.count + beginning >= Self.mostAtOnce { throw .tooMany }
      return
    }
    if let other = running.first { throw .busy(other.key) }
    if beginning > 0 { throw .tooMany }
  }

  private func folder(at wall: WallTime, sync: ClockSync) async throws(PhotoError) -> ShotFolder {
    var refusal: RecordingError?
    for options in options.inOrder {
      switch await folder(at: wall, sync: sync, options) {
      case .success(let folder): return folder
      case .failure(let error): refusal = refusal ?? error
      }
    }
    throw .volume(refusal ?? .directoryMissing(options.mediaDirectory))
  }

  private func folder(
    at wall: WallTime, sync: ClockSync, _ options: RecordingOptions
  ) async -> Result<ShotFolder, RecordingError> {
    let media = MediaDirectory(options.mediaDirectory)
    let (makes, reserve) = (options.makesDirectory, DiskReserve(reserveBytes: options.reserveBytes))
    let made: Result<ShotFolder, RecordingError>? = await WorkerThread.run("photo-begin", within: Self.folderLimit) {
      late in
      if case .success(let folder) = late { folder.withdraw() }
    } _: {
      Result { () throws(RecordingError) in
        try media.prepare(make: makes)
        try reserve.check(DiskState.read(media.path), path: media.path)
        return try ShotFolder.make(at: wall, sync: sync, in: media)
      }
    }
    return made ?? .failure(.io(path: media.path, errno: ETIMEDOUT))
  }

  // MARK: A shot

  private func run(_ shot: Shot) async {
    var shot = shot
    let id = shot.folder.shot
    let session = shot.session
    session.open(shot.wish.source)
    let warming = Task { await WorkerThread.run("photo") { session.warmUp() } }
    var unwritten: [Task<[PhotoOutcome], Never>] = []
    var hasFailed = false
    var lights = ShotLights(shot.flash, session, clock: clock)
    shutter: while !Task.isCancelled, !hasFailed {
      lights.prepare(due: shot.plan.due, after: warming)
      switch shot.plan.next(now: clock.now) {
      case .tell(let seconds): observer(.countdown(PhotoCountdown(shot: id, secondsLeft: seconds)))
      case .wait(let time): await sleep(lights.wakes(before: time, due: shot.plan.due) - clock.now)
      case .done: break shutter
      case .expose(let number, let due):
        let hasWaited = await warming.value
        let light = await lights.outcome
        if number == 1 { begun(shot) }
        note(light?.lit.failures ?? [], &shot)
        guard !Task.isCancelled else { break shutter }
        // Where somebody had to wait for a camera the moment is now, for all of them.
        var after = hasWaited && number == 1 ? max(due, clock.now) : due
        if let light { after = max(after, light.since) }
        let exposure = await expose(session, after: after, orLastSince: max(due, light?.since ?? due))
        shot.plan.exposed(newest: exposure.newest, now: clock.now)
        await lights.picturesTaken(next: number < shot.wish.count ? shot.plan.due : nil)
        unwritten.append(write(exposure, number, shot, light?.lit))
        if unwritten.count >= Self.mostUnwritten { hasFailed = await keep(unwritten.removeFirst(), &shot) }
      }
    }
    await lights.picturesTaken(next: nil)
    _ = await warming.value
    // The camera has its format back before the volume has its pictures.
    session.close()
    hasLetGo(id)
    for task in unwritten { _ = await keep(task, &shot) }
    await finish(shot)
  }

  private func expose(
    _ session: PhotoSession, after: MediaTime, orLastSince last: MediaTime
  ) async -> PhotoSession.Exposure {
    await WorkerThread.run("photo") { session.expose(after: after, orLastSince: last) }
  }

  /// The photo is taken all the same.
  private func note(_ failures: [PhotoFlash.Lit.Failure], _ shot: inout Shot) {
    for failure in failures {
      guard let camera = shot.session.cameras.first(where: { $0.id == failure.camera }) ?? shot.session.cameras.first
      else { continue }
      let told = PhotoFailure(camera: camera.id, cameraName: camera.name, message: failure.message)
      guard !shot.record.failures.contains(told) else { continue }
      shot.record.failures.append(told)
      observer(.failed(PhotoFailed(shot: shot.folder.shot, camera: camera.id, message: failure.message)))
    }
  }

  private func begun(_ shot: Shot) {
    shown.withLock { status in
      status.countdown = nil
      guard shot.wish.count > 1 else { return }
      status.burst = PhotoStatus.Burst(shot: shot.folder.shot, taken: 0, count: shot.wish.count)
    }
  }

  private func write(
    _ exposure: PhotoSession.Exposure, _ number: Int, _ shot: Shot, _ light: PhotoFlash.Lit?
  ) -> Task<[PhotoOutcome], Never> {
    var desk = PhotoDesk(
      reserve: DiskReserve(reserveBytes: options.reserveBytes), rig: rigName(), software: "camrig \(options.version)",
      isUntimely: shot.isUntimely, light: light)
    // Now, and not when the volume gets to it.
    for picture in exposure.pictures { desk.takes[picture.camera.id] = picture.camera.take() }
    let (folder, stems, count) = (shot.folder, shot.stems, shot.wish.count)
    return Task { [desk] in
      await WorkerThread.run("photo-write") {
        desk.write(exposure) { camera in
          let name = ShotName.photo(
            shot: folder.shot, stem: stems[camera] ?? "camera", number: number, of: count)
          return (folder.path, name, number)
        }
      }
    }
  }

  /// True: the volume takes no more.
  private func keep(_ task: Task<[PhotoOutcome], Never>, _ shot: inout Shot) async -> Bool {
    let id = shot.folder.shot
    var volumeFailed = false
    for outcome in await task.value {
      switch outcome {
      case .photo(let photo, let spread):
        shot.record.photos.append(photo)
        if let spread { shot.record.spreadMilliseconds = max(shot.record.spreadMilliseconds ?? 0, spread) }
        let taken = PhotoTaken(shot: id, camera: photo.camera, file: photo.file)
        shown.withLock { status in
          status.last = taken
          if status.burst?.shot == id { status.burst?.taken = photo.number }
        }
        observer(.taken(taken))
      case .failure(let failure, let isVolume):
        volumeFailed = volumeFailed || isVolume
        // A burst of a camera that is away says it once.
        if !shot.record.failures.contains(failure) { shot.record.failures.append(failure) }
        observer(.failed(PhotoFailed(shot: id, camera: failure.camera, message: failure.message)))
      }
    }
    return volumeFailed
  }

  private func finish(_ shot: Shot) async {
    let (folder, catalog) = (shot.folder, catalog)
    var record = shot.record
    record.photos.sort { ($0.number, $0.cameraName) < ($1.number, $1.cameraName) }
    let finished = record
    await WorkerThread.run("photo-write") {
      guard !finished.photos.isEmpty else {
        folder.withdraw()
        return
      }
      // The photos are safe without it; it is made up from them where it is missing.
      try? folder.write(finished)
      catalog?.put(finished)
    }
    running[folder.shot] = nil
    released.remove(folder.shot)
    shown.withLock { status in
      if status.countdown?.shot == folder.shot { status.countdown = nil }
      if status.burst?.shot == folder.shot { status.burst = nil }
    }
    observer(.finished(finished))
  }
}
