import CamrigModel

/// A press of the shutter that can be carried out.
package struct PhotoWish: Hashable, Sendable {
  package static let longestTimer = 20.0
  package static let mostPictures = 100
  package static let longestInterval = 60.0

  package let timer: Duration
  package let count: Int
  package let interval: Duration?
  package let source: PhotoSource
  package let flashes: Bool

  package init(_ request: PhotoTakeRequest = PhotoTakeRequest()) throws(PhotoError) {
    let timer = request.timerSeconds ?? 0
    guard (0...Self.longestTimer).contains(timer) else {
      throw .impossible("The self-timer takes 0 to \(Int(Self.longestTimer)) seconds.")
    }
    count = request.count ?? 1
    guard (1...Self.mostPictures).contains(count) else {
      throw .impossible(
        "A burst has 1 to \(Self.mostPictures) pictures. For more use a timelapse: camrigctl timelapse start")
    }
    if let seconds = request.intervalSeconds {
      guard (0...Self.longestInterval).contains(seconds) else {
        throw .impossible(
          "The interval of a burst is 0 to \(Int(Self.longestInterval)) seconds. For longer ones use a timelapse: "
            + "camrigctl timelapse start")
      }
      interval = seconds > 0 ? .milliseconds(Int64(seconds * 1000)) : nil
    } else {
      interval = nil
    }
    self.timer = .milliseconds(Int64(timer * 1000))
    source = request.source ?? .stream
    flashes = request.flash == .on
  }

  /// Others cannot be taken beside it.
  var isExclusive: Bool { timer > .zero || count > 1 || source == .still || flashes }
}
