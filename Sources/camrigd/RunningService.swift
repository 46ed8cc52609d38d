import CLinux
import CamrigModel
import Capture
import DaemonKit
import Dispatch
import Glibc
import HTTP
import Lights
import Monitor
import RigControl
import Settings

/// The daemon between its start and its end.
struct RunningService {
  private let options: StartupOptions
  private let configuration: Configuration
  private let log: Log
  private let systemd: Systemd
  private let watchdog = Watchdog()
  private let rig: Rig
  private let socketPath: String
  private let stateDirectory: String
  private let board: StateBoard
  private let dispatcher: RigDispatcher
  private let monitors: MonitorDesk
  private let book: MonitorBook
  private let guests: GuestList

  /// Makes the directories and takes the state for itself.
  init(
    _ options: StartupOptions, _ configuration: Configuration, _ environment: Environment, _ log: Log
  ) throws(StartError) {
    self.options = options
    self.configuration = configuration
    self.log = log
    systemd = Systemd(environment)
    socketPath = configuration.control.socket.isEmpty ? options.controlSocket : configuration.control.socket
    try Self.makeDirectory(options.stateDirectory)
    try Self.makeDirectory(options.runtimeDirectory)
    // Absolute, as it stands in answers and messages: whoever reads them works elsewhere.
    let state = try Self.resolved(options.stateDirectory)
    try Self.claim(state)
    var parts = Rig.Parts(
      configuration: configuration, stateDirectory: state, finder: UdevFinder(),
      settings: SettingsStore(path: state + "/settings.json", log: log), log: log)
    parts.microphoneFinder = UdevFinder(.microphones)
    parts.demoCameras = options.demoCameras
    // For tests: LEDs of their own.
    if let folder = environment["CAMRIG_LEDS"] { parts.leds = LEDClass(root: folder) }
    if let socket = environment["CAMRIG_TORCH_SOCKET"] { parts.lightHelper = socket }
    parts.tellStatus = { [systemd] in systemd.status($0) }
    rig = Rig(parts)
    stateDirectory = state
    book = MonitorBook(path: state + "/monitors.json", log: log)
    let guests = GuestList()
    self.guests = guests
    let monitors = MonitorDesk(book: book, guests: guests)
    self.monitors = monitors
    let board = StateBoard(rig: rig, log: log, forAdmins: { monitors.adminMembers() })
    guests.onChange { Task { await board.changed() } }
    self.board = board
    dispatcher = RigDispatcher(rig: rig, board: board, monitors: monitors, log: log)
  }

  /// Serves until SIGTERM or SIGINT, then ends the running take.
  func run() throws(StartError) {
    for socket in systemd.sockets where socket.kind == .other {
      log.warning("systemd handed over a socket that is of no use here (\(socket.name)); the rig opens its own")
    }
    let server = try control()
    let network = network()
    let (wishes, post) = AsyncStream.makeStream(of: Signals.Wish.self, bufferingPolicy: .bufferingNewest(16))
    let signals: Signals
    do {
      signals = try Signals { post.yield($0) }
      try watchdog.start(systemd, log: log)
    } catch {
      throw StartError(error.description, .osErr)
    }
    let ended = DispatchSemaphore(value: 0)
    Task {
      await serve(wishes)
      ended.signal()
    }
    ended.wait()
    monitors.use(nil)
    network?.stop()
    server.stop()
    watchdog.stop()
    signals.stop()
    log.notice("camrigd ended", .daemonStopped)
  }

  private func serve(_ wishes: AsyncStream<Signals.Wish>) async {
    do throws(FinderError) {
      try await rig.start()
    } catch {
      // Without udev there are still test patterns, takes, and somebody who wants to know why.
      log.error(error.description, .cameraFailed)
    }
    log.notice("camrigd \(Version.text) serves at \(socketPath)", .daemonStarted)
    systemd.ready(await rig.statusLine())
    let pulse = Task { await watch() }
    for await wish in wishes {
      switch wish {
      case .reload: await reload()
      case .terminate, .interrupt:
        pulse.cancel()
        await stop()
        return
      }
    }
  }

  private func stop() async {
    systemd.stopping("stopping: finishing what is being recorded")
    // The unit's own limit is longer; this tells systemd that we know what we are waiting for.
    systemd.extendTimeout(by: .seconds(25))
    await rig.shutdown()
    await board.finish()
  }

  private func reload() async {
    systemd.reloading()
    do {
      let (new, warnings) = try ConfigurationLoader.load(path: options.configuration)
      for warning in warnings { log.warning(warning) }
      // Of the start, however often it was read again since.
      let waiting = new.needsRestart(from: configuration)
      if !waiting.isEmpty {
        log.warning("\(waiting.joined(separator: ", ")) will count from the next start: systemctl restart camrig")
      }
      await rig.use(new)
      monitors.link?.use(networkSettings(new))
      log.notice("\(options.configuration) was read again", .configurationReloaded)
    } catch {
      for problem in error.problems { log.error(problem.description, .configurationRefused) }
      log.error("the configuration in force stays; nothing was changed", .configurationRefused)
    }
    systemd.ready(await rig.statusLine())
  }

  /// Proves to the watchdog that the rig answers and that its writers move.
  private func watch() async {
    guard let interval = systemd.watchdogInterval else { return }
    let rigBeat = watchdog.watch("the rig", limit: interval)
    let writers = WriterWatch(watchdog)
    while !Task.isCancelled {
      rigBeat.beat()
      await rig.ping()
      writers.look(at: rig.writerMarks)
      // Ends early at the end of the service; the loop's condition sees it.
      try? await Task.sleep(for: interval / 4)
    }
    rigBeat.idle()
  }

  /// Nil: it is not wanted, or cannot be; the rig records all the same.
  private func network() -> NetworkLink? {
    let settings = networkSettings(configuration)
    do throws(NetworkFault) {
      let link = try NetworkLink(
        rig: rig, handler: dispatcher, book: book, guests: guests, directory: stateDirectory + "/tls", log: log)
      link.use(settings)
      monitors.use(link)
      for url in link.status.urls { log.notice("monitors find the rig at \(url)", .daemonStarted) }
      return link
    } catch {
      log.error("the rig is not in the network: \(error)", .daemonStarted)
      return nil
    }
  }

  private func networkSettings(_ configuration: Configuration) -> NetworkLink.Settings {
    var settings = NetworkLink.Settings()
    let network = configuration.network
    settings.listen = places(options.listen ?? network.listen)
    settings.plainListen = places(options.plainListen ?? network.plainListen)
    settings.socketPath = options.runtimeDirectory + "/http.sock"
    settings.inherited = systemd.sockets.filter { $0.kind == .network }
    settings.announces = network.announce
    settings.name = configuration.rig.name
    settings.allowedHosts = network.allowedHosts.split(separator: " ").map(String.init)
    settings.certificate = network.certificate
    settings.certificateKey = network.certificateKey
    return settings
  }

  private func places(_ text: String) -> [ListenPlace] {
    guard text != "none" else { return [] }
    return text.split(separator: " ").compactMap { word in
      let place = ListenPlace(String(word))
      if place == nil { log.error("\(word) is no address to listen at", .configurationRefused) }
      return place
    }
  }

  private func control() throws(StartError) -> ControlServer {
    do {
      let socket =
        if let inherited = systemd.sockets.first(where: { $0.kind == .local }) {
          ControlSocket.inherited(inherited.descriptor)
        } else {
          try ControlSocket.listening(at: socketPath, group: configuration.control.group, log: log)
        }
      return try ControlServer(socket, handler: dispatcher, log: log)
    } catch {
      throw StartError(error.description, error.exitStatus)
    }
  }

  private static func makeDirectory(_ path: String) throws(StartError) {
    guard mkdir(path, 0o750) != 0, errno != EEXIST else { return }
    throw StartError(
      "\(path) cannot be made: \(String(cString: strerror(errno))). Make it, or choose others with --state-dir and "
        + "--runtime-dir.", .cantCreate)
  }

  private static func resolved(_ path: String) throws(StartError) -> String {
    guard let found = realpath(path, nil) else {
      throw StartError("\(path) cannot be used: \(String(cString: strerror(errno))).", .cantCreate)
    }
    defer { free(found) }
    return String(cString: found)
  }

  /// Two daemons with one state would take each other's settings and takes apart.
  private static func claim(_ directory: String) throws(StartError) {
    let lock = cl_open(directory, O_RDONLY | O_DIRECTORY, 0)
    guard lock >= 0 else {
      throw StartError("\(directory) cannot be opened: \(String(cString: strerror(-lock))).", .cantCreate)
    }
    // Held until the process ends, however it ends.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      close(lock)
      throw StartError(
        "another camrigd works with \(directory). Stop it (systemctl stop camrig), or choose another --state-dir.",
        .tempFail)
    }
  }
}

extension MonitorError {
  var exitStatus: ExitStatus {
    if case .anotherAnswers = self { .tempFail } else { .cantCreate }
  }
}
