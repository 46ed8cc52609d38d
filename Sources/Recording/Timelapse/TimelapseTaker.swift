import CamrigModel
import Glibc

/// The timelapse of the rig: at most one at a time. It goes on until it is stopped, also over a restart of the service and
/// the going and coming of its cameras.
package actor TimelapseTaker {
  /// What the pictures are taken with, as it is now; nil: the camera was forgotten.
  package typealias CameraMaker = @Sendable (CameraID) async -> PhotoCamera?

  private struct Running {
    let folder: TimelapseFolder
    let task: Task<Void, Never>
  }

  private static let folderLimit: Duration = .seconds(4)

  private var options: RecordingOptions
  private let clock: any RigClock
  private let sleep: PhotoTaker.Sleep
  private let rigName: @Sendable () -> String
  private let camera: CameraMaker
  /// Returns when no camera is switched to another format for a still.
  private let isUndisturbed: @Sendable () async -> Void
  private let observer: @Sendable (TimelapseEvent) -> Void
  private let trouble: @Sendable (CameraID, String) -> Void
  private var running: Running?
  /// While the cameras are open.
  private var session: PhotoSession?
  private var isBeginning = false
  private var isClosed = false
  /// Why it ends; nil: it goes on at the next start.
  private var endMessage: String?
  private var last: TimelapseRecord?
  private let shown = Guarded<TimelapseStatus?>(nil)

  /// - Parameters:
  ///   - observer: must not block.
  ///   - trouble: a camera gives no pictures: told once until it gives one again. Must not block.
  package init(
    options: RecordingOptions, clock: any RigClock = SystemClock(),
    sleep: @escaping PhotoTaker.Sleep = { try? await Task.sleep(for: $0) },
    rigName: @escaping @Sendable () -> String = { "camrig" }, camera: @escaping CameraMaker,
    isUndisturbed: @escaping @Sendable () async -> Void = {}, observer: @escaping @Sendable (TimelapseEvent) -> Void,
    trouble: @escaping @Sendable (CameraID, String) -> Void = { _, _ in }
  ) {
    self.options = options
    self.clock = clock
    self.sleep = sleep
    self.rigName = rigName
    self.camera = camera
    self.isUndisturbed = isUndisturbed
    self.observer = observer
    self.trouble = trouble
  }

  package func use(_ options: RecordingOptions) { self.options = options }

  package nonisolated var status: TimelapseStatus? { shown.withLock { $0 } }

  // MARK: Start and stop

  package func start(
    _ cameras: [(id: CameraID, name: String)], interval seconds: Double
  ) async throws(TimelapseError) -> TimelapseStarted {
    guard (1...86_400).contains(seconds) else { throw .interval }
    if cameras.isEmpty { throw .noCameras }
    if isClosed { throw .stopping }
    if let running { throw .running(running.folder.id) }
    guard !isBeginning else { throw .running("that is being started") }
    isBeginning = true
    defer { isBeginning = false }
    let anchor = clock.anchor
    let stems = TakeName.stems(cameras)
    let (folder, record) = try await make(anchor) { id in
      TimelapseRecord(
        timelapse: id, at: anchor.wall, intervalSeconds: seconds,
        cameras: cameras.map {
          TimelapseRecord.Camera(camera: $0.id, cameraName: $0.name, stem: stems[$0.id] ?? "camera")
        })
    }
    if isClosed {
      await WorkerThread.run("timelapse") { folder.close() }
      throw .stopping
    }
    begin(folder, record, TimelapsePlan(interval: .milliseconds(Int64(seconds * 1000)), now: anchor.media))
    return TimelapseStarted(timelapse: folder.id, folder: folder.path)
  }

  /// The one that shall go on, if there is one and none runs. To be called when the cameras are known.
  package func resume() async {
    guard running == nil, !isBeginning, !isClosed else { return }
    isBeginning = true
    defer { isBeginning = false }
    let media = MediaDirectory(options.mediaDirectory)
    let found = await WorkerThread.run("timelapse") { () -> (TimelapseFolder, TimelapseRecord, Int)? in
      for folder in TimelapseFolder.running(in: media) {
        // Perhaps another time: what cannot be read just now is not ended for that.
        guard let record = folder.read() else { continue }
        guard record.state == .running else {
          folder.close()
          continue
        }
        let numbers = record.cameras.compactMap { camera in
          camera.last.flatMap { TimelapsePicture.number($0, of: camera.stem) }
        }
        return (folder, record, numbers.max() ?? 0)
      }
      return nil
    }
    guard let (folder, record, last) = found, !isClosed else { return }
    let plan = TimelapsePlan(
      interval: .milliseconds(Int64(record.intervalSeconds * 1000)), began: record.at, last: last, now: clock.anchor)
    begin(folder, record, plan)
  }

  package func stop() async throws(TimelapseError) -> TimelapseRecord {
    guard let running else { throw .notRunning }
    endMessage = endMessage ?? "Stopped by an operator."
    running.task.cancel()
    session?.cancel()
    await running.task.value
    guard let last, last.timelapse == running.folder.id else { throw .notRunning }
    return last
  }

  /// Lets go of the cameras; what runs goes on at the next start.
  package func shutdown() async {
    isClosed = true
    running?.task.cancel()
    session?.cancel()
    await running?.task.value
  }

  // MARK: What is there

  /// Newest first.
  package func list(limit: Int) async -> [TimelapseRecord] {
    let media = MediaDirectory(options.mediaDirectory)
    let records = await WorkerThread.run("timelapse") {
      TimelapseFolder.all(in: media).prefix(limit).compactMap { $0.readWithMovies() }
    }
    return records.map(withMissed)
  }

  /// - Parameter id: or `last`.
  package func record(_ id: String) async throws(TimelapseError) -> TimelapseRecord {
    let media = MediaDirectory(options.mediaDirectory)
    let found = await WorkerThread.run("timelapse") {
      Result { () throws(TimelapseError) in
        guard let record = try TimelapseFolder.find(id, in: media).readWithMovies() else { throw .unknown(id) }
        return record
      }
    }
    return withMissed(try found.get())
  }

  /// Of the one that runs the file does not know.
  private func withMissed(_ record: TimelapseRecord) -> TimelapseRecord {
    guard let status, record.timelapse == status.id else { return record }
    var record = record
    for index in record.cameras.indices {
      record.cameras[index].missed = status.cameras[record.cameras[index].camera]?.missed ?? 0
    }
    return record
  }

  /// - Parameter id: or `last`.
  package func movie(_ id: String, rate: FrameRate) async throws(TimelapseError) -> TimelapseMovies {
    let media = MediaDirectory(options.mediaDirectory)
    let reserve = DiskReserve(reserveBytes: options.reserveBytes)
    let result = await WorkerThread.run("timelapse") {
      Result { () throws(TimelapseError) in
        let folder = try TimelapseFolder.find(id, in: media)
        guard let record = folder.read() else { throw .unknown(id) }
        let maker = TimelapseMovieMaker(folder: folder, rate: rate, reserve: reserve)
        var movies: [TimelapseMovies.Movie] = []
        for camera in record.cameras {
          if let movie = try maker.make(camera) { movies.append(movie) }
        }
        guard !movies.isEmpty else { throw .noPictures(folder.id) }
        return TimelapseMovies(timelapse: folder.id, folder: folder.path, movies: movies)
      }
    }
    return try result.get()
  }

  // MARK: Its course

  private func make(
    _ anchor: ClockAnchor, _ record: @escaping @Sendable (String) -> TimelapseRecord
  ) async throws(TimelapseError) -> (TimelapseFolder, TimelapseRecord) {
    let media = MediaDirectory(options.mediaDirectory)
    let (makes, reserve) = (options.makesDirectory, DiskReserve(reserveBytes: options.reserveBytes))
    let made: Result<(TimelapseFolder, TimelapseRecord), RecordingError>? = await WorkerThread.run(
      "timelapse", within: Self.folderLimit
    ) { late in
      if case .success((let folder, _)) = late { folder.close() }
    } _: {
      Result { () throws(RecordingError) in
        try media.prepare(make: makes)
        try reserve.check(DiskState.read(media.path), path: media.path)
        return try TimelapseFolder.make(at: anchor, in: media, record)
      }
    }
    switch made {
    case .success(let made): return made
    case .failure(let error): throw refused(error)
    case nil: throw refused(.io(path: media.path, errno: ETIMEDOUT))
    }
  }

  private func refused(_ error: RecordingError) -> TimelapseError {
    options.secondDirectory == nil ? .volume(error) : .firstVolume(error)
  }

  private func begin(_ folder: TimelapseFolder, _ record: TimelapseRecord, _ plan: TimelapsePlan) {
    endMessage = nil
    show(record, plan, [:])
    observer(.started(record))
    running = Running(folder: folder, task: Task { await self.run(folder, record, plan) })
  }

  private func run(_ folder: TimelapseFolder, _ begun: TimelapseRecord, _ begunPlan: TimelapsePlan) async {
    var (record, plan) = (begun, begunPlan)
    var warming: Task<Void, Never>?
    var messages: [CameraID: String] = [:]
    course: while !Task.isCancelled, endMessage == nil {
      switch plan.next(now: clock.now) {
      case .wait(let time):
        show(record, plan, messages)
        await sleep(time - clock.now)
      case .open:
        let opened = await open(record)
        session = opened
        // It may have been stopped meanwhile.
        if Task.isCancelled { opened.cancel() }
        warming = Task { _ = await WorkerThread.run("timelapse") { opened.warmUp() } }
      case .expose(let number):
        await warming?.value
        await isUndisturbed()
        guard let open = session, !Task.isCancelled else { break course }
        let outcomes = await picture(number, open, folder, record)
        keep(outcomes, number, &record, &messages)
        if plan.exposed() {
          open.close()
          session = nil
        }
        show(record, plan, messages)
        if let status { observer(.advanced(status)) }
      case .done: endMessage = "Six digits cannot count further pictures; begin another one."
      }
    }
    session?.cancel()
    await warming?.value
    session?.close()
    session = nil
    await end(folder, record)
  }

  private func open(_ record: TimelapseRecord) async -> PhotoSession {
    var cameras: [PhotoCamera] = []
    for camera in record.cameras {
      if let found = await self.camera(camera.camera) { cameras.append(found) }
    }
    let session = PhotoSession(cameras, clock: clock)
    session.open(.stream)
    return session
  }

  private func picture(
    _ number: Int, _ session: PhotoSession, _ folder: TimelapseFolder, _ record: TimelapseRecord
  ) async -> [PhotoOutcome] {
    let desk = PhotoDesk(
      reserve: DiskReserve(reserveBytes: options.reserveBytes), rig: rigName(), software: "camrig \(options.version)",
      isUntimely: clock.anchor.isUntimely)
    let stems = Dictionary(record.cameras.map { ($0.camera, $0.stem) }) { first, _ in first }
    let clock = clock
    return await WorkerThread.run("timelapse") {
      _ = session.warmUp()
      let exposure = session.expose(after: clock.now)
      return desk.write(exposure) { camera in
        (folder.path, TimelapsePicture.name(stems[camera] ?? "camera", number), number)
      }
    }
  }

  private func keep(
    _ outcomes: [PhotoOutcome], _ number: Int, _ record: inout TimelapseRecord, _ messages: inout [CameraID: String]
  ) {
    for outcome in outcomes {
      switch outcome {
      case .photo(let photo, _):
        guard let index = record.cameras.firstIndex(where: { $0.camera == photo.camera }) else { continue }
        record.cameras[index].pictures += 1
        record.cameras[index].last = photo.file
        messages[photo.camera] = nil
      case .failure(let failure, let isVolume):
        if isVolume {
          endMessage = failure.message + (options.secondDirectory == nil ? "" : TimelapseError.firstVolumeOnly)
        } else if messages.updateValue(failure.message, forKey: failure.camera) == nil {
          trouble(failure.camera, failure.message)
        }
      }
    }
    // Every number is a moment at which each camera should have given a picture.
    for index in record.cameras.indices {
      record.cameras[index].missed = max(0, number - record.cameras[index].pictures)
    }
  }

  private func end(_ folder: TimelapseFolder, _ record: TimelapseRecord) async {
    var record = record
    if let endMessage {
      record.state = .stopped
      record.message = endMessage
    }
    let ended = record
    await WorkerThread.run("timelapse") {
      // The pictures are safe without it.
      try? folder.write(ended)
      if ended.state == .stopped { folder.close() }
    }
    last = ended
    running = nil
    shown.withLock { $0 = nil }
    if ended.state == .stopped { observer(.stopped(ended)) }
  }

  private func show(_ record: TimelapseRecord, _ plan: TimelapsePlan, _ messages: [CameraID: String]) {
    let cameras = record.cameras.map { camera in
      (
        camera.camera,
        TimelapseStatus.Camera(
          name: camera.cameraName, pictures: camera.pictures, missed: camera.missed, message: messages[camera.camera])
      )
    }
    let status = TimelapseStatus(
      id: record.timelapse, intervalSeconds: record.intervalSeconds,
      pictures: record.cameras.reduce(0) { $0 + $1.pictures }, next: clock.anchor.wallTime(of: plan.due),
      cameras: Dictionary(cameras) { first, _ in first })
    shown.withLock { $0 = status }
  }
}
