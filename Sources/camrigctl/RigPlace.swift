import CamrigModel
import DaemonKit
import RigClient

/// Which rig a command means, as the command line and the environment say it.
enum RigPlace {
  /// On this machine; the control socket's path.
  case here(socket: String)
  /// In the network: an address, or the name of a rig that was paired with.
  case remote(String)

  static let options = [
    OptionSyntax(
      "--host", value: "HOST", help: "a rig in the network, paired by camrigctl connect; else $CAMRIG_HOST"),
    OptionSyntax(
      "--socket", value: "PATH", help: "the rig's socket here; else $CAMRIG_SOCKET, else /run/camrig/control.sock"),
    OptionSyntax("--runtime-dir", value: "DIR", help: "the rig's runtime directory: the socket is DIR/control.sock"),
  ]

  init(_ line: CommandLineOptions, _ environment: Environment) throws(UsageError) {
    let socket = line["--socket"] ?? line["--runtime-dir"].map { $0 + "/control.sock" }
    if line.has("--host"), socket != nil {
      throw UsageError("--host means a rig in the network, --socket and --runtime-dir one here: give one of them")
    }
    if let host = line["--host"] ?? (socket == nil ? environment["CAMRIG_HOST"] : nil) {
      self = .remote(host)
    } else {
      self = .here(socket: socket ?? environment["CAMRIG_SOCKET"] ?? "/run/camrig/control.sock")
    }
  }

  /// The rig's web server on this machine, which listens beside the control socket.
  static func webSocketPath(beside socket: String) -> String {
    socket.lastIndex(of: "/").map { String(socket[...$0]) + "http.sock" } ?? "http.sock"
  }
}

extension RigBook {
  /// This user's.
  static func own(_ environment: Environment = .process) throws(UsageError) -> RigBook {
    guard let book = RigBook(environment) else {
      throw UsageError("neither HOME nor XDG_CONFIG_HOME is set, so there is no place for what rigs are known")
    }
    return book
  }
}
