import CamrigModel

/// A line for the journal: a change of state, once, with what it concerns. Never one per frame.
package struct LogLine: Sendable, Equatable {
  package enum Level: Int, Sendable, Comparable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  package var level: Level
  package var message: String
  package var event: LogEvent?
  package var camera: CameraID?
  package var take: String?
  /// Further journal fields, `CAMRIG_…` in capitals.
  package var fields: [String: String]

  package init(
    level: Level, message: String, event: LogEvent? = nil, camera: CameraID? = nil, take: String? = nil,
    fields: [String: String] = [:]
  ) {
    self.level = level
    self.message = message
    self.event = event
    self.camera = camera
    self.take = take
    self.fields = fields
  }
}

extension LogLine {
  /// The field for the address in the network that a line is about.
  package static let addressField = "CAMRIG_PEER_ADDRESS"

  /// With the camera's ID first, for readers who see no fields.
  var text: String { camera.map { "[\($0)] \(message)" } ?? message }
}

/// Where log lines go. Called from any thread; must not block for long.
package protocol LogSink: Sendable {
  func write(_ line: LogLine)
  /// Writes what is held back; before the program ends.
  func flush()
}

extension LogSink {
  package func flush() {}
}

package struct Log: Sendable {
  private let sink: any LogSink
  private let lowest: LogLine.Level

  package init(_ sink: any LogSink, lowest: LogLine.Level = .info) {
    self.sink = sink
    self.lowest = lowest
  }

  package func flush() { sink.flush() }

  package func error(
    _ message: @autoclosure () -> String, _ event: LogEvent? = nil, camera: CameraID? = nil, take: String? = nil,
    fields: [String: String] = [:]
  ) { write(.error, message, event, camera, take, fields) }

  package func warning(
    _ message: @autoclosure () -> String, _ event: LogEvent? = nil, camera: CameraID? = nil, take: String? = nil,
    fields: [String: String] = [:]
  ) { write(.warning, message, event, camera, take, fields) }

  package func notice(
    _ message: @autoclosure () -> String, _ event: LogEvent? = nil, camera: CameraID? = nil, take: String? = nil,
    fields: [String: String] = [:]
  ) { write(.notice, message, event, camera, take, fields) }

  package func info(
    _ message: @autoclosure () -> String, _ event: LogEvent? = nil, camera: CameraID? = nil, take: String? = nil,
    fields: [String: String] = [:]
  ) { write(.info, message, event, camera, take, fields) }

  package func debug(
    _ message: @autoclosure () -> String, _ event: LogEvent? = nil, camera: CameraID? = nil, take: String? = nil,
    fields: [String: String] = [:]
  ) { write(.debug, message, event, camera, take, fields) }

  private func write(
    _ level: LogLine.Level, _ message: () -> String, _ event: LogEvent?, _ camera: CameraID?, _ take: String?,
    _ fields: [String: String]
  ) {
    guard level <= lowest else { return }
    sink.write(
      LogLine(level: level, message: message(), event: event, camera: camera, take: take, fields: fields))
  }
}
