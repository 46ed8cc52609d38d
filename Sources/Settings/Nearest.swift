/// The word that somebody probably meant.
package enum Nearest {
  /// Nil where none is near: more than a third of the letters would have to change.
  package static func to(_ word: String, among words: [String]) -> String? {
    guard word.count <= 64 else { return nil }
    let ranked = words.map { (distance: distance(word.lowercased(), $0.lowercased()), word: $0) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance * 3 <= max(best.word.count, 3) ? best.word : nil
  }

  /// Letters to insert, remove or change (Levenshtein).
  private static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let change = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
