import CamrigModel
import DaemonKit
import RigClient

/// The program: finds the command, runs it, and turns errors into words and an exit status of sysexits.
struct Tool {
  let arguments: [String]

  private static let common =
    RigPlace.options + [
      OptionSyntax("--json", help: "one JSON document: times RFC 3339, sizes in bytes, durations in seconds"),
      OptionSyntax("--help", help: "this text, or with a command what it takes"),
      OptionSyntax("--version", help: "the version of camrigctl"),
    ]

  func run() -> Int32 {
    do {
      return try perform().rawValue
    } catch let error as UsageError {
      printError("\(error). See: camrigctl --help")
      return ExitStatus.usage.rawValue
    } catch let error as ControlClientError {
      printError(error.description)
      return error.exitStatus.rawValue
    } catch let error as RemoteRigError {
      printError(error.description)
      return error.exitStatus.rawValue
    } catch let error as DownloadError {
      printError(error.description)
      return error.exitStatus.rawValue
    } catch let error as ChangedRig {
      printError(error.description)
      return ExitStatus.noPerm.rawValue
    } catch let error as NotLetIn {
      printError(error.description)
      return ExitStatus.noPerm.rawValue
    } catch let error as RigBookError {
      printError(error.description)
      return ExitStatus.config.rawValue
    } catch let error as CopyError {
      printError(error.description)
      return ExitStatus.cantCreate.rawValue
    } catch {
      printError("\(error)")
      return ExitStatus.software.rawValue
    }
  }

  private func perform() throws -> ExitStatus {
    let known = Self.common + Command.all.flatMap(\.options)
    let line = try CommandLineOptions(arguments.map { $0 == "-h" ? "--help" : $0 }, known: known)
    if line.has("--version") {
      print("camrigctl \(Version.text)")
      return .ok
    }
    guard !line.words.isEmpty, line.words != ["help"] else {
      print(usage)
      return line.has("--help") || !line.words.isEmpty ? .ok : .usage
    }
    if line.has("--help") {
      print(try help(line.words))
      return .ok
    }
    let command = try find(line.words)
    let taken = Set((Self.common + command.options).map(\.name))
    if let stray = known.first(where: { line.has($0.name) && !taken.contains($0.name) }) {
      throw UsageError("\(command.name) takes no \(stray.name)")
    }
    let words = Array(line.words.dropFirst(command.name.split(separator: " ").count))
    return try command.run(
      Arguments(options: line, words: words), Connection(try RigPlace(line, .process), json: line.has("--json")))
  }

  /// Of one command, or of all that begin with that word.
  private func help(_ words: [String]) throws(UsageError) -> String {
    let family = words.count == 1 ? Command.all.filter { $0.name.split(separator: " ").first ?? "" == words[0] } : []
    let commands = family.isEmpty ? [try find(words)] : family
    return commands.map { command in
      let head = command.operands.isEmpty ? command.name : "\(command.name) \(command.operands)"
      let options = command.options.isEmpty ? "" : "\n\n" + CommandLineOptions.help(command.options).dropLastNewline
      return "usage: camrigctl \(head)\n\n\(command.summary)\(options)"
    }.joined(separator: "\n\n")
  }

  private func find(_ words: [String]) throws(UsageError) -> Command {
    for count in [2, 1] where words.count >= count {
      let name = words.prefix(count).joined(separator: " ")
      if let command = Command.all.first(where: { $0.name == name }) { return command }
    }
    let family = Command.all.filter { $0.name.hasPrefix(words[0] + " ") }.map(\.name)
    if family.isEmpty { throw UsageError("unknown command \"\(words[0])\"") }
    throw UsageError("\"\(words[0])\" needs one of: \(family.joined(separator: ", "))")
  }

  private var usage: String {
    let lines = Command.all.map { command in
      let head = command.operands.isEmpty ? command.name : "\(command.name) \(command.operands)"
      return head.count <= 34
        ? "  \(head)\(String(repeating: " ", count: 36 - head.count))\(command.summary)"
        : "  \(head)\n\(String(repeating: " ", count: 38))\(command.summary)"
    }
    return """
      camrigctl operates a camera rig: the one on this machine, or with --host one in the network.

      usage: camrigctl [OPTION]… COMMAND …

      \(lines.joined(separator: "\n"))

      A camera is named by its ID or its name, a take by its ID or "last".

      \(CommandLineOptions.help(Self.common).dropLastNewline)

      Exit status: 0, or one of sysexits: 64 usage, 65 a take does not verify, 66 no such camera or take,
      69 no answer from the rig, 75 try again later, 77 not permitted. More: man camrigctl
      """
  }
}

extension String {
  var dropLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}

extension ControlClientError {
  /// By sysexits; what the rig refuses is sorted by its reason.
  var exitStatus: ExitStatus {
    switch self {
    case .noSocket, .noAnswer, .closed: .unavailable
    case .notPermitted: .noPerm
    case .overrun, .timedOut: .tempFail
    case .failed: .osErr
    case .garbled: .software
    case .refused(let error): error.code?.exitStatus ?? .software
    }
  }
}

extension RigErrorCode {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .requestUnreadable, .requestInvalid, .methodUnknown, .internalError, .answerTooLarge: .software
    case .protocolUnsupported, .addressUnknown, .addressMethod, .addressWebSocket, .tlsNeeded: .software
    case .hostUnknown, .originForeign, .monitorUnpaired, .tokenUnknown, .pairingCodeWrong: .noPerm
    case .pairingMustWait, .pairingUnavailable: .tempFail
    case .pairingFull, .microphoneSilent, .takeUnplayable, .photoUnreadable: .unavailable
    case .paramsInvalid, .requestTooLarge, .cameraNameInvalid, .takeNameInvalid, .formatUnsupported,
      .controlUnsupported, .pictureRefused:
      .usage
    case .notPermitted, .roleForbidden: .noPerm
    case .tooManyMonitors, .monitorTooSlow, .timedOut, .stopping, .overtaken, .cameraBusy, .recordingRunning, .takeOpen:
      .tempFail
    case .torchNone, .torchUnknown: .noInput
    case .torchFailed: .unavailable
    case .cameraUnknown, .takeUnknown, .cameraNone, .monitorUnknown, .microphoneUnknown, .pairingUnknown: .noInput
    case .photoRefused, .timelapseRefused: .tempFail
    case .shotUnknown, .timelapseUnknown: .noInput
    case .cameraOffline, .cameraDisabled, .cameraFailed, .cameraSilent, .cameraNotReplaceable, .cameraNameTaken,
      .recordingRefused, .microphoneRefused:
      .unavailable
    case .takeDamaged: .dataErr
    case .diskLow, .diskReadOnly, .settingsNotSaved: .cantCreate
    case .diskFailed: .ioErr
    }
  }
}
