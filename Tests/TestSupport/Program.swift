/// Another program that has run to its end.
package struct Program: Sendable {
  /// The exit status; 128 and the signal if a signal ended it; 127 if it could not be started.
  package let status: Int32
  package let output: [UInt8]
  package let errors: String

  package var text: String { String(decoding: output, as: UTF8.self) }
  package var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// Runs a program found on the path and waits for its end, blocking; after `seconds` it is killed.
  package static func run(
    _ name: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    seconds: Int = 120
  ) -> Program {
    RunningProgram(name, arguments, input: input, environment: environment).waitForEnd(seconds: seconds)
  }

  /// The same for a test whose thread others need meanwhile.
  package static func ended(
    _ name: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    seconds: Int = 120
  ) async -> Program {
    await RunningProgram(name, arguments, input: input, environment: environment).ended(seconds: seconds)
  }
}
