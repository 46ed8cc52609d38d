import CamrigModel

/// What is said on the helper's socket: one JSON text a line, each answered by one.
package enum LightMessage {
  package struct Wish: Hashable, Sendable {
    package let place: LightPlace
    package let level: Int

    package init(place: LightPlace, level: Int) {
      self.place = place
      self.level = level
    }

    package init(line: [UInt8]) throws(LightError) {
      guard let members = (try? JSONValue(json: line))?.asObject, let text = members["place"]?.asString,
        let place = LightPlace(text), case .integer(let level)? = members["level"], (0...65535).contains(level)
      else {
        throw .unreadable(#"a wish is {"place":"led:NAME" or "gpio:CHIP/LINE","level":0 to 65535}"#)
      }
      self.init(place: place, level: Int(level))
    }

    package var line: [UInt8] {
      (["place": .string(place.description), "level": .integer(Int64(level))] as JSONValue).bytes + [0x0A]
    }
  }

  package static func answer(_ result: Result<Int, LightError>) -> [UInt8] {
    let json: JSONValue =
      switch result {
      case .success(let level): ["level": .integer(Int64(level))]
      case .failure(let error): ["error": .string(error.description)]
      }
    return json.bytes + [0x0A]
  }

  package static func level(answer line: [UInt8]) throws(LightError) -> Int {
    guard let members = (try? JSONValue(json: line))?.asObject else {
      throw .unreadable("camrig-torch answered with something else than JSON")
    }
    if let text = members["error"]?.asString { throw .refused(text) }
    guard case .integer(let level)? = members["level"] else {
      throw .unreadable("camrig-torch answered without a level")
    }
    return Int(level)
  }
}
