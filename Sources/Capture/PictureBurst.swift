import CamrigModel

/// Wishes for one camera's picture that come faster than anybody can look, as a slider under a finger sends them. Each
/// that shows is a new run of the stream. So the first of a burst shows at once, and the last when it has calmed; those
/// between nobody sees.
package struct PictureBurst: Hashable, Sendable {
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

  /// False: something came since the last look, and more may.
  package mutating func hasCalmed() -> Bool {
    defer { isStirred = false }
    return !isStirred
  }

  /// What is still to show, should it end now.
  package var rest: PictureSetting? { wished == shown ? nil : wished }
}
