import CamrigModel

/// Whether a camera that has just been started shows what it sees. Its exposure and white balance need a while, and its
/// first pictures are dark: it is ready when the mean brightness has changed by less than a fiftieth over five pictures,
/// and after two seconds in any case.
package struct WarmUp: Hashable, Sendable {
  package static let longest: Duration = .seconds(2)
  private static let pictures = 5
  private static let steady = 0.02

  private let began: MediaTime
  private var brightness: [Double] = []

  /// - Parameter began: when the stream was started.
  package init(began: MediaTime) { self.began = began }

  /// Whether it is ready in any case.
  package func isOver(at time: MediaTime) -> Bool { time - began >= Self.longest }

  /// - Parameter brightness: the mean luma of a picture, 0…255; nil where it cannot be told.
  /// - Returns: whether it is ready.
  package mutating func picture(brightness mean: Double?, at time: MediaTime) -> Bool {
    if isOver(at: time) { return true }
    guard let mean else { return false }
    brightness.append(mean)
    if brightness.count > Self.pictures { brightness.removeFirst() }
    guard brightness.count == Self.pictures, let least = brightness.min(), let most = brightness.max() else {
      return false
    }
    // Of black pictures the least noise would be many per cent.
    return most - least < max(most, 16) * Self.steady
  }
}
