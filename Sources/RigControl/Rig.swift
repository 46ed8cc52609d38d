import CamrigModel
import Capture
import DaemonKit
import Lights
import Recording
import Settings

/// The rig as one machine: cameras, the running take, the takes on disk. Everything that a monitor wishes comes here,
/// and every change goes out through `events`.
package actor Rig {
  package typealias Cameras = CameraRegistry<Camera>

  package struct Parts: Sendable {
    package var configuration: Configuration
    /// Holds the settings, the catalog, and the takes unless configured otherwise.
    package var stateDirectory: String
    package var finder: any CameraFinder
    package var probe: any NodeProbe = V4L2NodeProbe()
    /// The device behind a node.
    package var device: @Sendable (String) -> any CameraDevice = { V4L2CameraDevice(node: $0) }
    package var settings: SettingsStore
    /// Nil: only test tones.
    package var microphoneFinder: (any CameraFinder)?
    /// The device behind a node of ALSA.
    package var soundDevice: @Sendable (String) -> any SoundDevice = { ALSADevice(node: $0) }
    package var clock: any RigClock = SystemClock()
    package var timer: any RegistryTimer = TaskTimer()
    package var log: Log
    /// Test-pattern cameras beside what the finder finds.
    package var demoCameras = 0
    /// Told the line for `systemctl status` whenever it changes. From any thread.
    package var tellStatus: @Sendable (String) -> Void = { _ in }
    package var leds = LEDClass()
    /// So long a volume may take over what it is to read for others than the recording.
    package var readingPatience = Volume.readingPatience
    /// The socket of the helper that may switch lights.
    package var lightHelper = "/run/camrig-torch.sock"

    package init(
      configuration: Configuration, stateDirectory: String, finder: any CameraFinder, settings: SettingsStore, log: Log
    ) {
      self.configuration = configuration
      self.stateDirectory = stateDirectory
      self.finder = finder
      self.settings = settings
      self.log = log
    }
  }

  /// What comes in from the threads of cameras and writers, in their order.
  private enum Input: Sendable {
    case camera(CaptureEvent)
    case microphone(MicrophoneEvent)
    case take(TakeEvent)
    case controls(CameraID, ControlNews)
  }

  package nonisolated let events: EventBus
  nonisolated let registry: Cameras
  nonisolated let microphones: MicrophoneRegistry
  nonisolated let recorder: TakeRecorder
  nonisolated let photos: PhotoTaker
  nonisolated let settling: CameraSettling
  nonisolated let timelapses: TimelapseTaker
  nonisolated let shelf: TakeShelf
  nonisolated let lights: LightTorches
  nonisolated let torchDesk: TorchDesk
  /// Nil where the kernel gives none: a change by others is seen at the next look then.
  nonisolated let lightWatch: NodeWatch?
  let parts: Parts
  let started: WallTime
  var configuration: Configuration
  var recording = RecordingState()
  var armed = false
  /// Of the last take, if nobody has asked it to end; until the next one begins.
  var endedByTrouble: (take: String, stop: TakeStop)?
  /// Why the running take is in the second directory.
  var recordedElsewhere: String?
  /// Cameras that are kept open for pre-roll. The objects, since an ID that was forgotten may come back as another.
  private var kept: [CameraID: Camera] = [:]
  var keptMicrophones: [MicrophoneID: Microphone] = [:]
  /// Cameras whose controls are watched for somebody; the objects, as above.
  var watched: [CameraID: Camera] = [:]
  var controlWatchers = 0
  private(set) lazy var torchWishes = makeTorchWishes()
  private(set) lazy var microphoneWishes = makeMicrophoneWishes()
  private let post: AsyncStream<Input>.Continuation
  private let inbox: AsyncStream<Input>
  private var pump: Task<Void, Never>?
  private var upkeep: Task<Void, Never>?
  /// What it tells of cameras and microphones now is that it has let go of them.
  package private(set) var isEnding = false
  /// It was time to look after the takes, but one was running.
  private var mustLookAfterTakes = false
  private var lastStatusLine = ""
  private var statusTold: MediaTime?

  package init(_ parts: Parts) {
    self.parts = parts
    configuration = parts.configuration
    started = parts.clock.anchor.wall
    let events = EventBus()
    self.events = events
    // Far more than a second's events of any rig. What is older than 4096 unread events is of no use to anybody.
    let (inbox, post) = AsyncStream.makeStream(of: Input.self, bufferingPolicy: .bufferingNewest(4096))
    self.inbox = inbox
    self.post = post
    let put: @Sendable (Input) -> Void = { input in
      if case .dropped = post.yield(input) { events.publish(.eventsLost(1)) }
    }
    let capture = CaptureConfiguration(parts.configuration)
    let (clock, timer, log, buses) = (parts.clock, parts.timer, parts.log, SharedBuses())
    var cameras = Cameras.Parts(
      finder: parts.finder, store: parts.settings, log: log,
      camera: { id, changed in
        let camera = Camera(
          id: id, configuration: capture, clock: clock, log: log, buses: buses, timer: timer,
          controlsChanged: { put(.controls(id, $0)) }
        ) { _ in changed() }
        camera.controls.showLights()
        return camera
      },
      observer: { put(.camera($0)) })
    cameras.probe = parts.probe
    cameras.device = parts.device
    registry = Cameras(cameras)
    var sounds = MicrophoneRegistry.Parts(
      finder: parts.microphoneFinder ?? NoFinder(), store: parts.settings, configuration: capture, log: log,
      observer: { put(.microphone($0)) })
    sounds.clock = clock
    sounds.device = parts.soundDevice
    microphones = MicrophoneRegistry(sounds)
    let options = RecordingOptions(parts.configuration, stateDirectory: parts.stateDirectory)
    shelf = TakeShelf(
      stateDirectory: parts.stateDirectory, options: options, readingPatience: parts.readingPatience, now: started,
      log: log)
    recorder = TakeRecorder(options: options, clock: clock, catalog: shelf.catalog) { put(.take($0)) }
    photos = Self.photoTaker(parts, options, shelf.catalog, events)
    settling = CameraSettling(clock: clock)
    timelapses = Self.timelapseTaker(parts, options, registry, photos, events)
    let helper = LightClient(path: parts.lightHelper, leds: parts.leds)
    let lights = LightTorches(
      client: helper, leds: parts.leds,
      choice: LightChoice(parts.configuration)
    ) { [registry] named, device in await registry.camera(named: named, ofDevice: device) }
    let torches = TorchDesk(
      sources: [lights, CameraTorches(registry)], timeLimit: parts.configuration.torch.timeLimit, timer: parts.timer,
      log: log
    ) { events.publish(.torches($0)) }
    helper.onLoss { [lights, torches, recorder] in
      Task {
        await lights.helperHasGone()
        await torches.look()
        // Whoever sees it dark believes that nothing is recorded.
        if recorder.manifest != nil { await lights.setTally(true) }
      }
    }
    self.lights = lights
    torchDesk = torches
    lightWatch = try? NodeWatch { [lights, torches, recorder] node in
      Task {
        if await lights.watchedFolder == node {
          await lights.lookForChips()
          if recorder.manifest != nil { await lights.setTally(true) }
        }
        await torches.look()
      }
    }
  }

  /// Finds the cameras and begins to repair what a crash left. Returns as soon as both are under way.
  package func start() async throws(FinderError) {
    pump = Task { [weak self, inbox] in
      for await input in inbox { await self?.take(input) }
    }
    for number in 1..<(parts.demoCameras + configuration.rig.demoCameras + 1) {
      await registry.addBuiltIn(
        id: CameraID("test-\(number)"), name: "Test pattern \(number)", device: TestPatternDevice(number: number))
      await microphones.addBuiltIn(
        id: MicrophoneID("test-\(number)"), name: "Test tone \(number)", device: TestToneDevice(number: number),
        of: CameraID("test-\(number)"))
    }
    // Before the cameras: where they cannot be found, there are still takes.
    shelf.tidy { [events] in events.publish(.takeRepaired($0)) }
    upkeep = Task { [weak self, timer = parts.timer] in
      while !Task.isCancelled {
        await timer.wait(Self.upkeepInterval)
        await self?.lookAfterTakes()
      }
    }
    await startMicrophones()
    try await registry.start()
    // Its volume may not answer.
    Task { [timelapses] in await timelapses.resume() }
    await keepOpen()
    await startTorches()
    await tellStatus()
  }

  /// Ends the running take and all cameras. The stop answers within its own limit, whatever the volume does.
  package func shutdown() async {
    upkeep?.cancel()
    // A volume that does not answer holds up the take's end, but no light.
    async let dark: Void = torchDesk.close()
    await recorder.stop(TakeStop(.shutdown, "The service was stopped."))
    await photos.shutdown()
    await timelapses.shutdown()
    await dark
    await stopTorches()
    isEnding = true
    await registry.stop()
    await microphones.stop()
    post.finish()
    await pump?.value
    events.finish()
  }

  /// For the watchdog: returns when the rig gets round to it.
  package func ping() async { _ = await registry.onlineIDs }

  /// The administrator's new file; see `Configuration.needsRestart` for what counts at the next start only.
  package func use(_ configuration: Configuration) async {
    // Where the takes are and how cameras are opened is settled at the start.
    var configuration = configuration
    configuration.storage.mediaDirectory = self.configuration.storage.mediaDirectory
    configuration.storage.secondDirectory = self.configuration.storage.secondDirectory
    self.configuration = configuration
    let options = RecordingOptions(configuration, stateDirectory: parts.stateDirectory)
    await recorder.use(options)
    await photos.use(options)
    await timelapses.use(options)
    await keepOpen()
    await useTorches(configuration)
    await tellStatus()
  }

  // MARK: The takes on disk

  private static let upkeepInterval: Duration = .seconds(3600)

  /// People delete and edit takes by hand. Not while a take runs: the disk is the take's then.
  private func lookAfterTakes() async {
    guard upkeep?.isCancelled == false else { return }
    // The volume of one that shall go on may have come late; one that hangs is not waited for.
    Task { [timelapses] in await timelapses.resume() }
    guard await recorder.isIdle else {
      mustLookAfterTakes = true
      return
    }
    mustLookAfterTakes = false
    shelf.lookAfter(now: parts.clock.anchor.wall) { [recorder] in recorder.manifest == nil }
  }

  // MARK: What happens

  private func take(_ input: Input) async {
    switch input {
    case .camera(let event): await take(event)
    case .microphone(let event): await take(event)
    case .take(let event): await take(event)
    case .controls(let id, let news): await take(news, of: id)
    }
  }

  private func take(_ event: CaptureEvent) async {
    await microphones.camerasAre(await registry.places)
    switch event {
    case .appeared(let id), .online(let id), .offline(let id), .changed(let id):
      await tell(id)
      if case .online = event {
        await keepOpen()
        await keepWatching()
      }
    case .conflict(let ids):
      for id in ids { await tell(id) }
    case .forgotten(let id):
      kept[id] = nil
      watched[id] = nil
      events.publish(.cameraForgotten(id))
    case .replaced(let old, let new):
      kept[new] = nil
      watched[new] = nil
      events.publish(.cameraForgotten(new))
      await tell(old)
    }
    await lookAtTorches()
    await tellStatus()
  }

  private func tell(_ id: CameraID) async {
    if let camera = await registry.description(id) { events.publish(.camera(camera)) }
  }

  private func take(_ event: TakeEvent) async {
    recording.apply(event)
    log(event)
    events.publish(.take(event))
    switch event {
    case .stopped(let take):
      if let stop = take.stop, stop.cause.isTrouble { endedByTrouble = (take.id, stop) }
      recordedElsewhere = nil
      await lights.setTally(false)
      await protectRecorded()
      if mustLookAfterTakes { await lookAfterTakes() }
    case .progress:
      // The time left changes all the time; nobody reads it more often.
      if let statusTold, parts.clock.now - statusTold < .seconds(10) { return }
    case .started(let take):
      // The one that it goes on from is still a reason to look at the disk.
      if take.instead == nil { endedByTrouble = nil }
      recordedElsewhere = take.instead
      // It may have begun by itself.
      await protectRecorded()
      await lights.setTally(true)
      // Those that joined the take before are not among the cameras' own of its start.
      if take.instead != nil { for microphone in await microphones.microphones { await joinTake(microphone) } }
    case .clipOpened, .gapOpened, .gapClosed, .lossNoticed, .stopping, .trouble: break
    }
    await tellStatus()
  }

  /// Cameras that shall stay open for pre-roll are asked for, others let go.
  func keepOpen() async {
    let enabled = await registry.cameras.filter(\.enabled).map(\.id)
    var cameras: [CameraID: Camera] = [:]
    for id in enabled { cameras[id] = await registry.camera(id) }
    // From here on without a pause: whether they shall stay open may have changed meanwhile.
    let wanted = armed || configuration.cameras.keepOpen ? cameras : [:]
    for (id, camera) in kept where wanted[id] !== camera {
      camera.release(.armed)
      kept[id] = nil
    }
    for (id, camera) in wanted where kept[id] == nil {
      camera.demand(.armed)
      kept[id] = camera
    }
    await keepMicrophonesOpen()
  }

  /// The cameras that are open for pre-roll.
  var keptCameras: Set<CameraID> { Set(kept.keys) }

  /// For `systemctl status`.
  package func statusLine() async -> String { StatusLine(await status()).text }

  /// For the watchdog: the writers of the running take.
  package nonisolated var writerMarks: [WriterMark] { recorder.progressMarks }

  /// The cameras of the running take, and no others, are kept from changes that would break its files.
  func protectRecorded() async {
    var told: Set<CameraID>?
    // Another call may overtake this one while it waits for the registry.
    while true {
      let manifest = recorder.manifest
      // One that begins sees to itself.
      if manifest == nil, !(await recorder.isIdle) { return }
      let now = Set(manifest?.cameras.map(\.id) ?? [])
      if now == told { return }
      told = now
      await registry.setRecorded(now)
    }
  }

  private func tellStatus() async {
    let line = await statusLine()
    statusTold = parts.clock.now
    guard line != lastStatusLine else { return }
    lastStatusLine = line
    parts.tellStatus(line)
  }
}
