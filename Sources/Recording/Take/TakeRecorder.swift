import CamrigModel
import Codec
import Dispatch
import Glibc

/// Record and Stop of the rig: at most one take at a time.
package actor TakeRecorder {
  private enum State {
    case idle
    case starting(Task<Result<TakeStarted, RecordingError>, Never>)
    case running(Take, TakeStarted)
    case stopping(Take, Task<TakeManifest, Never>)
  }

  private static let catalogLimit: Duration = .seconds(2)

  private var state: State = .idle
  private var options: RecordingOptions
  private let clock: any RigClock
  private let files: any ClipFiles
  private let encoders: EncoderMaker
  private let catalog: Catalog?
  private let observer: @Sendable (TakeEvent) -> Void
  private let current = Guarded<Take?>(nil)
  private let lateManifests: LateManifests
  /// The take whose volume gave up, and that goes on elsewhere unless somebody stops it first.
  private var goingOn: String?
  /// Takes whose volumes gave up, and that go on as the running one: whoever ends one of them means that.
  private var goesOnFrom: Set<String> = []

  /// - Parameters:
  ///   - retryInterval: how often a volume that refused a take's last `take.json` is tried again.
  ///   - observer: called from the threads that record; must not block.
  package init(
    options: RecordingOptions, clock: any RigClock = SystemClock(), files: any ClipFiles = SystemClipFiles(),
    encoders: @escaping EncoderMaker = { format, settings throws(CodecError) in
      try LibAVEncoder(format: format, settings: settings)
    },
    catalog: Catalog? = nil, retryInterval: Duration = .seconds(3), observer: @escaping @Sendable (TakeEvent) -> Void
  ) {
    self.options = options
    self.clock = clock
    self.files = files
    self.encoders = encoders
    self.catalog = catalog
    self.observer = observer
    lateManifests = LateManifests(interval: retryInterval)
  }

  /// For takes to come.
  package func use(_ options: RecordingOptions) { self.options = options }

  /// Answers when every camera has delivered or failed; the take is on the volume then. If one runs already, that is
  /// the answer. Where the first directory cannot be recorded to, the second one is taken.
  package func start(_ request: TakeRequest, cameras: [TakeCamera]) async throws(RecordingError) -> TakeStarted {
    if case .idle = state { goesOnFrom = [] }
    return try await start(request, cameras, in: options.inOrder, instead: nil)
  }

  private func start(
    _ request: TakeRequest, _ cameras: [TakeCamera], in places: [RecordingOptions], instead error: RecordingError?
  ) async throws(RecordingError) -> TakeStarted {
    switch state {
    case .idle: break
    case .running(_, var started):
      started.alreadyRunning = true
      return started
    case .starting(let task):
      var started = try await task.value.get()
      started.alreadyRunning = true
      return started
    case .stopping(let take, _): throw .stopping(take.context.id)
    }
    guard !cameras.isEmpty else { throw .noCameras }
    // The take's time 0 is when Record was pressed, not when the folder was made.
    let start = clock.anchor
    let task = Task { await self.begin(request, cameras, start, in: places, instead: error) }
    state = .starting(task)
    return try await task.value.get()
  }

  /// Answers with the finished manifest; nil if nothing runs. A second Stop gets the same answer. `.stopping` is told at
  /// once.
  /// - Parameter only: the take that is meant; nil for whichever runs.
  @discardableResult
  package func stop(_ reason: TakeStop, only id: String? = nil) async -> TakeManifest? {
    if let id {
      if case .starting(let task) = state { _ = await task.value }
      guard isRunning(id) else {
        // It has just ended, and was to go on.
        if goingOn == id { goingOn = nil }
        return nil
      }
    }
    goingOn = nil
    return await finish(reason)
  }

  private func isRunning(_ id: String) -> Bool {
    switch state {
    case .idle, .starting: false
    case .running(let take, _), .stopping(let take, _): take.context.id == id || goesOnFrom.contains(id)
    }
  }

  private func finish(_ reason: TakeStop) async -> TakeManifest? {
    if case .starting(let task) = state { _ = await task.value }
    switch state {
    case .idle, .starting: return nil
    case .stopping(_, let task): return await task.value
    case .running(let take, _):
      observer(.stopping(take: take.context.id, reason))
      let task = Task { await self.end(take, reason) }
      state = .stopping(take, task)
      return await task.value
    }
  }

  /// A microphone that the running take does not know, for one of its cameras: it has a track from the next clip on,
  /// which begins at the next keyframe. Nothing happens if no take runs, or not with that camera, or if it is known.
  package func add(_ microphone: TakeMicrophone, to camera: CameraID) {
    switch state {
    case .running(let take, _): take.add(microphone, to: camera)
    case .starting: current.withLock { $0 }?.add(microphone, to: camera)
    case .idle, .stopping: break
    }
  }

  /// No take runs, begins or ends.
  package var isIdle: Bool {
    switch state {
    case .idle: true
    case .starting, .running, .stopping: false
    }
  }

  package var running: TakeStarted? {
    switch state {
    case .running(_, let started): started
    case .idle, .starting, .stopping: nil
    }
  }

  /// The running take as it stands.
  package nonisolated var manifest: TakeManifest? { current.withLock { $0?.context.book.manifest } }
  /// Of an ended take, while its `take.json` is outdated because the volume does not take the last one.
  package nonisolated func lateManifest(of id: String) -> TakeManifest? { lateManifests[id] }
  /// Where the running take is recorded to.
  package nonisolated var media: MediaDirectory? { current.withLock { $0?.media } }
  package nonisolated var disk: DiskStatus? { current.withLock { $0?.disk.status } }
  /// For a watchdog: each writer of the running take.
  package nonisolated var progressMarks: [WriterMark] {
    current.withLock { $0?.recorders.map(\.mark) ?? [] }
  }

  // MARK: Start

  private func begin(
    _ request: TakeRequest, _ cameras: [TakeCamera], _ start: ClockAnchor, in places: [RecordingOptions],
    instead error: RecordingError?
  ) async -> Result<TakeStarted, RecordingError> {
    let starting = state
    var refusal = error
    for options in places {
      // A vain try has left it idle, and nobody has had a turn since.
      state = starting
      switch await begin(request, cameras, start, options, instead: refusal) {
      case .success(let started): return .success(started)
      case .failure(let error):
        guard error.isOfVolume else { return .failure(error) }
        refusal = refusal ?? error
      }
    }
    return .failure(refusal ?? .noCameras)
  }

  private func begin(
    _ request: TakeRequest, _ cameras: [TakeCamera], _ start: ClockAnchor, _ options: RecordingOptions,
    instead error: RecordingError?
  ) async -> Result<TakeStarted, RecordingError> {
    for microphone in cameras.microphones { microphone.demand() }
    await withTaskGroup(of: Void.self) { group in
      for camera in cameras { group.addTask { await camera.demand() } }
    }
    let around = Take.Surroundings(options: options, clock: clock, files: files, encoders: encoders, tell: observer) {
      [weak self] id, stop in
      Task { await self?.failed(id, stop) }
    }
    // What a vain try has left elsewhere must not have the same name: a take is found by it wherever it is.
    let attempt = error == nil ? 1 : 2
    // A volume that does not answer must not keep Record from answering.
    let begun = await WorkerThread.run("take-start", within: options.deliveryLimit) { late in
      if case .success(let take) = late { take.withdraw() }
    } _: {
      Result { () throws(RecordingError) in
        try Take.begin(request, cameras, start: start, attempt: attempt, around)
      }
    }
    let take: Take
    switch begun {
    case nil: return await giveUp(nil, cameras, .io(path: options.mediaDirectory, errno: ETIMEDOUT))
    case .success(let made): take = made
    case .failure(let error): return await giveUp(nil, cameras, error)
    }
    current.withLock { $0 = take }
    let (late, failure) = await deliveries(take, start)
    let answers = await answers(take, late)
    if let failure {
      let error = RecordingError.volume(failure)
      if take.hasClips {
        await list(await WorkerThread.run("take-end") { [lateManifests] in take.end(failure, late: lateManifests) })
      }
      return await giveUp(take, cameras, error)
    }
    if late.count == cameras.count, !take.hasClips {
      return await giveUp(take, cameras, .nothingDelivered(answers))
    }
    var started = TakeStarted(
      take: take.context.id, name: request.name, folder: take.context.folder, start: start, cameras: answers)
    started.instead = error.map { "It is recorded to \(options.mediaDirectory), for: \($0)" }
    await list(take.context.book.manifest)
    observer(.started(started))
    // Only now may it be stopped: nobody shall hear of the end before the beginning.
    state = .running(take, started)
    // The volume may have given up since; while starting nobody else listens.
    if let failure = take.board.failure { Task { await self.failed(take.context.id, failure) } }
    return .success(started)
  }

  /// Waits until each camera has delivered or knows why it cannot, at most as long as the options allow.
  private func deliveries(_ take: Take, _ start: ClockAnchor) async -> (late: Set<CameraID>, failure: TakeStop?) {
    var left = max(options.deliveryLimit - (clock.now - start.media), .milliseconds(100))
    while true {
      let slice = min(left, .milliseconds(250))
      let (late, failure) = await WorkerThread.run("take-start") { take.board.wait(slice) }
      left -= slice
      if late.isEmpty || failure != nil || left <= .zero { return (late, failure) }
      var allKnown = true
      for camera in take.cameras where late.contains(camera.id) {
        if await problem(of: camera, take) == nil { allKnown = false }
      }
      if allKnown { return (late, failure) }
    }
  }

  private func problem(of camera: TakeCamera, _ take: Take) async -> String? {
    let ours = take.recorders.first { $0.camera.id == camera.id }?.shared.withLock { $0.problem }
    if let ours { return ours }
    return await camera.problem()
  }

  private func answers(_ take: Take, _ late: Set<CameraID>) async -> [TakeCameraStart] {
    let records = take.context.book.manifest.cameras
    var answers: [TakeCameraStart] = []
    for camera in take.cameras {
      let offset = records.first { $0.id == camera.id }?.offsetSeconds
      var answer = TakeCameraStart(id: camera.id, name: camera.name, offsetSeconds: offset)
      if late.contains(camera.id) {
        let known = await problem(of: camera, take)
        answer.problem =
          known ?? "\(camera.name) has delivered no picture yet. See camrigctl camera show \(camera.id)"
      }
      answers.append(answer)
    }
    return answers
  }

  private func giveUp(
    _ take: Take?, _ cameras: [TakeCamera], _ error: RecordingError
  ) async -> Result<TakeStarted, RecordingError> {
    if let take {
      await WorkerThread.run("take-end") { take.withdraw() }
    }
    for camera in cameras { await camera.release() }
    for microphone in take?.microphones ?? cameras.microphones { microphone.release() }
    current.withLock { $0 = nil }
    state = .idle
    return .failure(error)
  }

  private func list(_ manifest: TakeManifest) async {
    guard let catalog else { return }
    // It is only an index: its volume may hang as long as it likes.
    _ = await WorkerThread.run("catalog", within: Self.catalogLimit, late: { (_: Bool) in }) {
      catalog.put(manifest)
      return true
    }
  }

  // MARK: End

  /// The volume gave up. While the take starts, the start itself sees to it.
  private func failed(_ id: String, _ stop: TakeStop) async {
    guard case .running(let take, _) = state, take.context.id == id else { return }
    goingOn = id
    _ = await finish(stop)
    // Somebody may have stopped it meanwhile.
    guard goingOn == id else { return }
    goingOn = nil
    await goOn(with: take, stop)
  }

  /// The first directory's volume failed in the midst: what comes now goes to the second one.
  private func goOn(with take: Take, _ stop: TakeStop) async {
    guard take.media.path == options.mediaDirectory, let elsewhere = options.elsewhere else { return }
    // Else somebody has begun another one.
    guard case .idle = state else { return }
    goesOnFrom.insert(take.context.id)
    do throws(RecordingError) {
      _ = try await start(take.request, take.cameras, in: [elsewhere], instead: .volume(stop))
    } catch {
      let message = "Recording does not go on in \(elsewhere.mediaDirectory) either: \(error)"
      observer(.trouble(TakeTrouble(take: take.context.id, kind: .diskFailed, message: message)))
    }
  }

  private func end(_ take: Take, _ reason: TakeStop) async -> TakeManifest {
    let manifest = await WorkerThread.run("take-end") { [lateManifests] in take.end(reason, late: lateManifests) }
    for camera in take.cameras { await camera.release() }
    for microphone in take.microphones { microphone.release() }
    await list(manifest)
    current.withLock { $0 = nil }
    state = .idle
    observer(.stopped(manifest))
    return manifest
  }
}
