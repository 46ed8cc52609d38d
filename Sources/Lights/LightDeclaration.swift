/// A light as the administrator names it: `NAME=PLACE`, or `NAME=PLACE@CAMERA` for one that belongs to a camera.
package struct LightDeclaration: Hashable, Sendable {
  package let name: String
  package let place: LightPlace
  /// An ID or a name.
  package let camera: String?

  package init?(_ text: some StringProtocol) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, Self.isName(sides[0]) else { return nil }
    let parts = sides[1].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let place = LightPlace(parts[0]) else { return nil }
    name = String(sides[0])
    self.place = place
    camera = parts.count == 2 ? String(parts[1]) : nil
    if camera?.isEmpty == true { return nil }
  }

  /// Those of a whole line, separated by spaces; nil if one of them is none, or two have one name.
  package static func list(_ text: String) -> [LightDeclaration]? {
    var found: [LightDeclaration] = []
    for word in text.split(separator: " ") {
      guard let one = LightDeclaration(word), !found.contains(where: { $0.name == one.name }) else { return nil }
      found.append(one)
    }
    return found
  }

  private static func isName(_ name: some StringProtocol) -> Bool {
    (1...32).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte) || "-_.".utf8.contains(byte)
      }
  }
}
