import CamrigModel

/// How the text of one key becomes a value of `Configuration`, and back.
package struct ConfigurationValue: Sendable {
  /// What is allowed, to be read after "must be": `a time span from 200ms to 1s, such as 500ms`.
  package let allowed: String
  /// False: the text is not allowed.
  let read: @Sendable (String, inout Configuration) -> Bool
  let write: @Sendable (Configuration) -> String

  package static func text(
    _ place: WritableKeyPath<Configuration, String> & Sendable, allowed: String,
    _ isAllowed: @escaping @Sendable (String) -> Bool
  ) -> ConfigurationValue {
    .init(allowed, place, read: { isAllowed($0) ? $0 : nil }, write: { $0 })
  }

  package static func path(
    _ place: WritableKeyPath<Configuration, String> & Sendable, longest: Int = 4000
  ) -> ConfigurationValue {
    text(place, allowed: "an absolute path of at most \(longest) bytes, or empty") { text in
      (text.isEmpty || text.hasPrefix("/")) && text.utf8.count <= longest
        && !text.split(separator: "/").contains("..")
    }
  }

  package static func toggle(_ place: WritableKeyPath<Configuration, Bool> & Sendable) -> ConfigurationValue {
    .init("yes or no", place, read: { truth($0) }, write: { $0 ? "yes" : "no" })
  }

  package static func count(
    _ place: WritableKeyPath<Configuration, Int> & Sendable, _ range: ClosedRange<Int>
  ) -> ConfigurationValue {
    .init(
      "a whole number from \(range.lowerBound) to \(range.upperBound)", place,
      read: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }, write: { String($0) })
  }

  package static func size(
    _ place: WritableKeyPath<Configuration, Int64> & Sendable, _ range: ClosedRange<Int64>
  ) -> ConfigurationValue {
    let ends = "\(ByteCount.text(range.lowerBound)) to \(ByteCount.text(range.upperBound))"
    return .init(
      "a size from \(ends), such as 512M or 2G", place,
      read: { text in ByteCount.parse(text).flatMap { range.contains($0) ? $0 : nil } },
      write: { ByteCount.text($0) })
  }

  package static func span(
    _ place: WritableKeyPath<Configuration, Duration> & Sendable, _ range: ClosedRange<Duration>
  ) -> ConfigurationValue {
    let ends = "\(TimeSpan.text(range.lowerBound)) to \(TimeSpan.text(range.upperBound))"
    return .init(
      "a time span from \(ends), such as 500ms, 2s or 1min 30s", place,
      read: { text in TimeSpan.parse(text).flatMap { range.contains($0) ? $0 : nil } },
      write: { TimeSpan.text($0) })
  }

  package static func pictureSize(
    _ place: WritableKeyPath<Configuration, PixelSize> & Sendable
  ) -> ConfigurationValue {
    .init(
      "a picture size such as 1280x720", place, read: { PixelSize($0) }, write: { $0.description })
  }

  package static func rate(_ place: WritableKeyPath<Configuration, FrameRate> & Sendable) -> ConfigurationValue {
    .init(
      "a frame rate above 0 and up to 1000, such as 30, 29.97 or 30000/1001", place, read: { FrameRate($0) },
      write: { $0.description })
  }

  package static func choice<Value>(
    _ place: WritableKeyPath<Configuration, Value> & Sendable
  ) -> ConfigurationValue where Value: CaseIterable & RawRepresentable<String> & Sendable {
    .init(
      "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "), place,
      read: { Value(rawValue: $0) }, write: { $0.rawValue })
  }

  private init<Value>(
    _ allowed: String, _ place: WritableKeyPath<Configuration, Value> & Sendable,
    read: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String
  ) {
    self.allowed = allowed
    self.read = { text, configuration in
      guard let value = read(text) else { return false }
      configuration[keyPath: place] = value
      return true
    }
    self.write = { write($0[keyPath: place]) }
  }

  private static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "on", "1": true
    case "no", "false", "off", "0": false
    default: nil
    }
  }
}
