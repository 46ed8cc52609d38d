import CLinux
import CamrigModel
import DaemonKit
import Glibc
import Lights
import Settings

func exitProcess(with status: ExitStatus) -> Never { exit(status.rawValue) }

/// The one thing that camrigd has no right to do itself. systemd starts it when the rig connects to its socket; it
/// switches lights that camrig.conf names, and no others.
struct HelperProgram {
  private static let known = [
    OptionSyntax("--config", value: "FILE", help: "configuration, with FILE.d/*.conf beside it"),
    OptionSyntax("--leds", value: "DIR", help: "in the place of /sys/class/leds"),
    OptionSyntax("--off", help: "switches all lights of the configuration off, and ends"),
    OptionSyntax("--help", help: "say this"),
  ]

  static func run(_ arguments: [String]) -> ExitStatus {
    Signals.prepare()
    let environment = Environment.process
    let log = Log.standard(environment)
    defer { log.flush() }
    do {
      let options = try CommandLineOptions(arguments, known: known)
      if let word = options.words.first { throw UsageError("camrig-torch takes no \"\(word)\"") }
      if options.has("--help") {
        let text =
          "Usage: camrig-torch [OPTION]...\nStarted by camrig-torch.socket.\n\n" + CommandLineOptions.help(known)
        _ = Array(text.utf8).withUnsafeBytes {
          cl_put_output($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return .ok
      }
      let leds = LEDClass(root: options["--leds"] ?? "/sys/class/leds")
      let lights = try ConfiguredLights(path: options["--config"] ?? "/etc/camrig/camrig.conf", log: log)
      let board = Switchboard(leds: leds) { place, leds in lights.now.allows(place, leds) }
      if options.has("--off") { return switchOff(lights.now.places(leds), board, log) }
      return serve(board, Systemd(environment), log)
    } catch let error as UsageError {
      log.error("\(error). See: camrig-torch --help")
      return .usage
    } catch let error as ConfigurationError {
      for problem in error.problems { log.error(problem.description) }
      turnAway(environment)
      return .config
    } catch {
      log.error("\(error)")
      return .software
    }
  }

  /// Whoever waits gets no answer, and systemd no reason to start us again for it.
  private static func turnAway(_ environment: Environment) {
    guard let listener = Systemd(environment).sockets.first?.descriptor else { return }
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    while case let waiting = cl_accept(listener), waiting >= 0 { close(waiting) }
  }

  private static func switchOff(_ places: [LightPlace], _ board: Switchboard, _ log: Log) -> ExitStatus {
    var board = board
    var status = ExitStatus.ok
    for place in places {
      do throws(LightError) {
        _ = try board.set(place, 0)
      } catch {
        log.error("\(place) cannot be switched off: \(error)")
        status = .ioErr
      }
    }
    return status
  }

  private static func serve(_ board: Switchboard, _ systemd: Systemd, _ log: Log) -> ExitStatus {
    guard let listener = systemd.sockets.first?.descriptor else {
      log.error("no socket was handed over. Start it by way of systemctl start camrig-torch.socket")
      return .usage
    }
    let stop = cl_eventfd()
    guard stop >= 0, let signals = try? Signals({ wish in if wish != .reload { eventfd_write(stop, 1) } }) else {
      log.error("no signals can be taken: too many files are open on this machine")
      return .osErr
    }
    defer { signals.stop() }
    // What an earlier helper may have left when it was killed is the unit's affair (ExecStopPost).
    var helper = LightHelper(listener: listener, board: board, log: log)
    helper.run(until: stop)
    return .ok
  }
}
