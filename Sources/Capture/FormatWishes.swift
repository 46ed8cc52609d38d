import CamrigModel

/// What is asked of a camera's stream: the user's wish, and before it that of a photo in another size.
struct FormatWishes {
  private var chosen = FormatWish()
  private var still: FormatWish?

  var current: FormatWish { still ?? chosen }

  /// - Returns: whether something else is asked now.
  mutating func choose(_ wish: FormatWish) -> Bool { change { $0.chosen = wish } }

  /// Nil: none any more.
  mutating func setStill(_ wish: FormatWish?) -> Bool { change { $0.still = wish } }

  private mutating func change(_ body: (inout FormatWishes) -> Void) -> Bool {
    let before = current
    body(&self)
    return current != before
  }
}
