import CamrigModel

/// A type whose form in JSON its `init(from:)` does not tell: one that is checked, or written, by hand.
package protocol JSONDescribed: Decodable {
  /// JSON Schema, draft 7.
  static var jsonSchema: JSONValue { get }
  /// One that `init(from:)` takes.
  static var jsonExample: JSONValue { get }
}

extension JSONValue: JSONDescribed {
  package static let jsonSchema: JSONValue = [:]
  package static let jsonExample: JSONValue = [:]
}

extension WallTime: JSONDescribed {
  package static let jsonSchema: JSONValue = ["type": "string", "format": "date-time"]
  package static let jsonExample: JSONValue = "2026-11-30T09:05:07.322366Z"
}

extension MediaTime: JSONDescribed {
  package static let jsonSchema: JSONValue = ["type": "integer", "description": "nanoseconds of CLOCK_MONOTONIC"]
  package static let jsonExample: JSONValue = 8_119_388_827_170
}

extension PixelSize: JSONDescribed {
  package static let jsonSchema: JSONValue = ["type": "string", "pattern": "^[0-9]{1,5}x[0-9]{1,5}$"]
  package static let jsonExample: JSONValue = "1280x720"
}

extension FrameRate: JSONDescribed {
  package static let jsonSchema: JSONValue = ["type": "string", "pattern": "^[0-9]+([.][0-9]{1,4}|/[0-9]+)?$"]
  package static let jsonExample: JSONValue = "30000/1001"
}
