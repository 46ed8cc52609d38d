import CamrigModel
import DaemonKit
import Testing

@Suite("camrigd's command line")
struct StartupOptionsTests {
  private func read(_ text: String, _ environment: [String: String] = [:]) throws(UsageError) -> StartupOptions {
    try StartupOptions(text.split(separator: " ").map(String.init), environment: Environment(environment))
  }

  @Test("without options it is the installed service")
  func installed() throws {
    let options = try read("")
    #expect(options.action == .serve)
    #expect(options.configuration == "/etc/camrig/camrig.conf")
    #expect(options.stateDirectory == "/var/lib/camrig")
    #expect(options.controlSocket == "/run/camrig/control.sock")
    #expect(options.demoCameras == 0)
  }

  @Test("every place can be chosen")
  func chosen() throws {
    let options = try read("--config f --state-dir=/s/ --runtime-dir r --demo 3")
    #expect(options.configuration == "f" && options.stateDirectory == "/s" && options.demoCameras == 3)
    #expect(options.controlSocket == "r/control.sock")
    #expect(try read("--state-dir /").stateDirectory == "/")
  }

  @Test("systemd's directories stand in for what is not given")
  func systemd() throws {
    let environment = ["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "RUNTIME_DIRECTORY": "/run/a"]
    #expect(try read("", environment).stateDirectory == "/var/lib/a")
    #expect(try read("--state-dir x", environment).stateDirectory == "x")
    #expect(try read("", environment).controlSocket == "/run/a/control.sock")
  }

  @Test("help comes before version, version before the check")
  func actions() throws {
    #expect(try read("--check-config --version --help").action == .showHelp)
    #expect(try read("--check-config --version").action == .showVersion)
    #expect(try read("--check-config").action == .checkConfiguration)
    #expect(StartupOptions.usage.contains("--runtime-dir DIR"))
  }

  @Test(
    "what is wrong is said",
    arguments: [
      ("start", "camrigd takes no \"start\""), ("--demo x", "--demo needs a number from 0 to 16, not \"x\""),
      ("--demo -1", "--demo needs a number from 0 to 16, not \"-1\""),
      ("--demo 17", "--demo needs a number from 0 to 16, not \"17\""), ("--port 1", "unknown option --port"),
      ("--config", "--config needs a value: --config FILE"),
    ])
  func wrong(_ text: String, _ fault: String) {
    #expect(throws: UsageError(fault)) { try read(text) }
    #expect(ExitStatus.usage.rawValue == 64)
  }
}
