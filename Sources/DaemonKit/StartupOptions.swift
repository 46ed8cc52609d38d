import CamrigModel

/// The command line of camrigd.
package struct StartupOptions: Hashable, Sendable {
  package enum Action: Hashable, Sendable { case serve, checkConfiguration, switchLightsOff, showVersion, showHelp }

  package var action = Action.serve
  package var configuration = "/etc/camrig/camrig.conf"
  /// Settings, catalog, and the takes unless configured otherwise.
  package var stateDirectory = "/var/lib/camrig"
  /// The control socket is `control.sock` in it.
  package var runtimeDirectory = "/run/camrig"
  /// Test-pattern cameras beside what udev finds.
  package var demoCameras = 0
  /// In the place of `Listen=` and `PlainListen=`.
  package var listen: String?
  package var plainListen: String?

  package var controlSocket: String { runtimeDirectory + "/control.sock" }

  package static let mostDemoCameras = 16

  private static let known = [
    OptionSyntax("--config", value: "FILE", help: "configuration, with FILE.d/*.conf beside it"),
    OptionSyntax("--state-dir", value: "DIR", help: "settings, catalog and takes"),
    OptionSyntax("--runtime-dir", value: "DIR", help: "where control.sock goes"),
    OptionSyntax(
      "--listen", value: "ADDR:PORT", help: "serve the network here by HTTPS (port 0: any that is free; none: nowhere)"),
    OptionSyntax("--plain-listen", value: "ADDR:PORT", help: "serve it here by plain HTTP"),
    OptionSyntax("--demo", value: "N", help: "add N test-pattern cameras"),
    OptionSyntax("--check-config", help: "read the configuration, say what is wrong, end"),
    OptionSyntax("--lights-off", help: "switch off the lights of all cameras, end"),
    OptionSyntax("--version", help: "say which version this is"),
    OptionSyntax("--help", help: "say this"),
  ]

  package static var usage: String {
    "Usage: camrigd [OPTION]...\nRecords every camera of this machine; operate it with camrigctl.\n\n"
      + CommandLineOptions.help(known)
  }

  /// Directories that systemd names (`STATE_DIRECTORY`, `RUNTIME_DIRECTORY`) stand below what the command line says.
  package init(
    _ arguments: some Sequence<String>, environment: Environment = Environment([:])
  ) throws(UsageError) {
    let options = try CommandLineOptions(arguments, known: Self.known)
    if let word = options.words.first { throw UsageError("camrigd takes no \"\(word)\"") }
    configuration = options["--config"] ?? configuration
    stateDirectory = Self.directory(options["--state-dir"] ?? environment["STATE_DIRECTORY"]) ?? stateDirectory
    runtimeDirectory = Self.directory(options["--runtime-dir"] ?? environment["RUNTIME_DIRECTORY"]) ?? runtimeDirectory
    if let text = options["--demo"] {
      guard let count = Int(text), (0...Self.mostDemoCameras).contains(count) else {
        throw UsageError("--demo needs a number from 0 to \(Self.mostDemoCameras), not \"\(text)\"")
      }
      demoCameras = count
    }
    listen = options["--listen"]
    plainListen = options["--plain-listen"]
    if options.has("--help") {
      action = .showHelp
    } else if options.has("--version") {
      action = .showVersion
    } else if options.has("--check-config") {
      action = .checkConfiguration
    } else if options.has("--lights-off") {
      action = .switchLightsOff
    }
  }

  /// Without a slash at its end. systemd separates several by colons; the first is the service's own.
  private static func directory(_ text: String?) -> String? {
    guard var path = text?.split(separator: ":").first.map(String.init) else { return nil }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
