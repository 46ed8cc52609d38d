import CamrigModel

/// Wishes for one camera's picture that come faster than anybody can look, as a slider under a finger sends them. Each
/// that shows is a new run of the stream. So the first of a burst shows at once, and the last when it has calmed; those
/// between nobody sees.
package struct PictureBurst: Hashable, Sendable {
  package enum Look: Hashable, Sendable {
    /// More may come.
    case wait
    /// It has calmed. Nil: what shows is what was wished last.
    case over(show: PictureSetting?)
  }

  /// Between two looks; without a wish meanwhile it is over.
  package static let calm: Duration = .milliseconds(250)

  private let shown: PictureSetting
  private var wished: PictureSetting
  private var isStirred = false

  /// - Parameter first: shows already.
  package init(first: PictureSetting) {
    shown = first
    wished = first
  }

  package mutating func wish(_ picture: PictureSetting) {
    wished = picture
    isStirred = true
  }

  package mutating func look() -> Look {
    guard !isStirred else {
      isStirred = false
      return .wait
    }
    return .over(show: rest)
  }

  /// What is still to show, should it end now.
  package var rest: PictureSetting? { wished == shown ? nil : wished }
}
