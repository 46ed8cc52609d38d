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

  /// Nothing in it is hidden or beyond `longest`.
  static func isAllowed(_ name: String) -> Bool {
    name.count <= longest && name.unicodeScalars.allSatisfy(isShown)
  }

  /// Single blanks only, none at its ends, cut to `longest`, without what cannot be shown; nil where nothing is left.
  static func clean(_ name: String) -> String? {
    let shown = String.UnicodeScalarView(name.unicodeScalars.filter(isShown))
    let words = String(shown).split(separator: " ")
    let text = String(words.joined(separator: " ").prefix(longest))
    return text.isEmpty ? nil : text
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
    // Marks of direction and the like hide what a name says; the joiner makes one emoji of several.
    case .format: scalar == "\u{200D}"
    default: true
    }
  }
}
