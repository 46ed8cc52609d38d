/// Names that people give to cameras.
package enum CameraNames {
  package static let longest = 64

  /// `wish`, or with a number behind it what nobody is called yet.
  static func free(_ wish: String, among names: some Collection<String>) -> String {
    let base = clean(wish) ?? "Camera"
    let taken = Set(names.map { $0.lowercased() })
    guard taken.contains(base.lowercased()) else { return base }
    var number = 2
    while taken.contains("\(base) \(number)".lowercased()) { number += 1 }
    return "\(base) \(number)"
  }

  /// Without blanks at its ends and cut to `longest`; nil where nothing is left, or nothing that can be shown.
  static func clean(_ name: String) -> String? {
    let shown = name.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
      default: true
      }
    }
    let words = String(String.UnicodeScalarView(shown)).split(separator: " ")
    let text = String(words.joined(separator: " ").prefix(longest))
    return text.isEmpty ? nil : text
  }
}
