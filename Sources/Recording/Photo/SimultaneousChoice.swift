import CamrigModel

/// Which picture of each camera becomes its photo, so that all are as near in time as the cameras' pictures are. The
/// camera whose first picture since the shutter comes last gives the moment, and each other one the picture nearest to
/// it. Two pictures of a camera are kept at most.
package struct SimultaneousChoice<Picture> {
  private struct Candidate {
    var picture: Picture
    var time: MediaTime
    var isChosen = false
  }

  private let after: MediaTime
  private var candidates: [Candidate?]
  private var given: Set<Int> = []

  /// - Parameters:
  ///   - cameras: their number; a camera is known by its index.
  ///   - after: no picture that is older counts.
  package init(cameras: Int, after: MediaTime) {
    self.after = after
    candidates = Array(repeating: nil, count: cameras)
  }

  /// The next picture of a camera.
  package mutating func offer(_ picture: Picture, at time: MediaTime, of camera: Int) {
    guard time >= after, !given.contains(camera), candidates[camera]?.isChosen != true else { return }
    let next = Candidate(picture: picture, time: time)
    guard let before = candidates[camera], let moment, next.time >= moment else {
      candidates[camera] = next
      settle()
      return
    }
    candidates[camera] = moment - before.time <= next.time - moment ? before : next
    candidates[camera]?.isChosen = true
  }

  /// This camera gives no picture; the others do not wait for it.
  package mutating func giveUp(_ camera: Int) {
    guard candidates[camera] == nil else {
      candidates[camera]?.isChosen = true
      return
    }
    given.insert(camera)
    settle()
  }

  /// This camera gives no further picture: its last one counts, though it is older than it should be.
  package mutating func makeDo(_ picture: Picture, at time: MediaTime, of camera: Int) {
    guard isOpen(camera), candidates[camera] == nil else { return giveUp(camera) }
    candidates[camera] = Candidate(picture: picture, time: time, isChosen: true)
    settle()
  }

  /// Whether a picture of this camera is still waited for.
  package func isOpen(_ camera: Int) -> Bool { !given.contains(camera) && candidates[camera]?.isChosen != true }

  package var isDone: Bool { candidates.indices.allSatisfy { !isOpen($0) } }

  /// What there is; once done, what was chosen.
  package subscript(_ camera: Int) -> Picture? { candidates[camera]?.picture }

  /// From the earliest to the latest; nil with less than two pictures.
  package var spread: Duration? {
    let times = candidates.compactMap { $0?.time }
    guard times.count > 1, let first = times.min(), let last = times.max() else { return nil }
    return last - first
  }

  package var newest: MediaTime? { candidates.compactMap { $0?.time }.max() }

  /// The first picture of the slowest camera; nil before all have one.
  private var moment: MediaTime? {
    guard candidates.indices.allSatisfy({ candidates[$0] != nil || given.contains($0) }) else { return nil }
    return candidates.compactMap { $0?.time }.max()
  }

  /// Once all have a picture: those at the moment itself need no second one.
  private mutating func settle() {
    guard let moment else { return }
    for camera in candidates.indices where candidates[camera]?.time == moment { candidates[camera]?.isChosen = true }
  }
}
