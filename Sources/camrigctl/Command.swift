import CamrigModel

/// One thing that camrigctl can do.
struct Command: Sendable {
  /// `camera set`
  let name: String
  /// As the help shows them: `CAMERA [--size WxH]`
  let operands: String
  let summary: String
  /// Besides those that every command knows.
  var options: [OptionSyntax] = []
  let run: @Sendable (Arguments, Connection) throws -> ExitStatus

  static let all: [Command] =
    [statusCommand] + cameraCommands + controlCommands + [bandwidthCommand] + microphoneCommands + torchCommands
    + recordCommands + takeCommands + [downloadCommand] + photoCommands + timelapseCommands + pictureCommands
    + turnCommands + [listenCommand] + monitorCommands + connectCommands
    + [watchCommand, versionCommand]
}

/// What a command line gives to its command: the options, and the words after the command's own.
struct Arguments {
  let options: CommandLineOptions
  let words: [String]

  subscript(_ name: String) -> String? { options[name] }
  func has(_ name: String) -> Bool { options.has(name) }
  func all(_ name: String) -> [String] { options.all(name) }

  /// Nil: the option is not there.
  func milliseconds(_ option: String) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard let milliseconds = Int(text) else { throw UsageError("\"\(text)\" is no whole number of milliseconds") }
    return milliseconds
  }

  /// Exactly the words named in `names`.
  func operands(_ names: String...) throws(UsageError) -> [String] {
    if words.count < names.count { throw UsageError("\(names[words.count]) is missing") }
    if words.count > names.count { throw UsageError("unexpected \"\(words[names.count])\"") }
    return words
  }
}
