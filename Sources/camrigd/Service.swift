import CLinux
import CamrigModel
import Capture
import DaemonKit
import Dispatch
import Glibc
import Monitor
import RigControl
import Settings

func exitProcess(with status: ExitStatus) -> Never { exit(status.rawValue) }

/// To standard output, which Swift 6 may not name.
func put(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) { _ = cl_put_output($0.baseAddress, $0.count) }
  }
}

/// The program: reads what it is told, puts the parts together, runs until a signal ends it.
struct Service {
  static func run(_ arguments: [String]) -> ExitStatus {
    Signals.prepare()
    let environment = Environment.process
    let options: StartupOptions
    do {
      options = try StartupOptions(arguments, environment: environment)
    } catch {
      return fail("\(error). See: camrigd --help", .usage)
    }
    switch options.action {
    case .showHelp:
      put(StartupOptions.usage)
      return .ok
    case .showVersion:
      put("camrigd \(Version.text)\n")
      return .ok
    case .checkConfiguration: return check(options)
    case .switchLightsOff: return switchLightsOff(environment)
    case .serve: return Service(options: options, environment: environment).serve()
    }
  }

  private static func check(_ options: StartupOptions) -> ExitStatus {
    do {
      let (_, warnings) = try ConfigurationLoader.load(path: options.configuration)
      for warning in warnings { put("warning: \(warning)\n") }
      put("\(options.configuration) is in order.\n")
      return .ok
    } catch {
      return fail(error.description, .config)
    }
  }

  /// After the rig, however it ended: nobody else knows its cameras. One that ended as it should has done so itself, and
  /// systemd says so; then no camera is opened for it, nor where it had not begun.
  private static func switchLightsOff(_ environment: Environment) -> ExitStatus {
    let hadNotBegun = environment["EXIT_STATUS"] == "\(ExitStatus.config.rawValue)"
    if environment["SERVICE_RESULT"] == "success" || hadNotBegun { return .ok }
    let log = Log.standard(environment)
    defer { log.flush() }
    do {
      let (done, failed) = try LightsOff(finder: UdevFinder()).run()
      for text in done { log.notice(text) }
      for text in failed { log.error(text) }
      return failed.isEmpty ? .ok : .unavailable
    } catch {
      log.error(error.description)
      return .unavailable
    }
  }

  static func fail(_ text: String, _ status: ExitStatus) -> ExitStatus {
    Log(StandardErrorSink()).error(text)
    return status
  }

  private let options: StartupOptions
  private let environment: Environment

  private func serve() -> ExitStatus {
    let configuration: Configuration
    let warnings: [String]
    do {
      (configuration, warnings) = try ConfigurationLoader.load(path: options.configuration)
    } catch {
      for problem in error.problems { report(problem.description) }
      // For `systemctl status`, where the journal's line may have scrolled away.
      if let first = error.problems.first { Systemd(environment).status("\(first)") }
      return .config
    }
    let log = Log.standard(environment, lowest: configuration.log.level.lowest)
    defer { log.flush() }
    for warning in warnings { log.warning(warning) }
    do {
      try RunningService(options, configuration, environment, log).run()
      return .ok
    } catch {
      log.error(error.description)
      return error.status
    }
  }

  private func report(_ problem: String) {
    Log.standard(environment).error(problem, .configurationRefused)
  }
}

/// Why the service cannot start, and how it exits.
struct StartError: Error {
  let description: String
  let status: ExitStatus

  init(_ description: String, _ status: ExitStatus) {
    self.description = description
    self.status = status
  }
}
