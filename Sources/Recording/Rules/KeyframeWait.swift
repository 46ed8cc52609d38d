import CamrigModel

/// What to do while a clip cannot open for want of a keyframe: ask for one after 2 s, say so after 5 s, each once.
package struct KeyframeWait: Sendable {
  package enum Step: Equatable, Sendable { case nothing, request, complain }

  private var since: MediaTime?
  private var asked = false
  private var complained = false

  package init() {}

  /// A picture that is no keyframe was dropped.
  package mutating func dropped(at time: MediaTime) -> Step {
    guard let since else {
      self.since = time
      return .nothing
    }
    if !complained, time - since >= .seconds(5) {
      complained = true
      return .complain
    }
    if !asked, time - since >= .seconds(2) {
      asked = true
      return .request
    }
    return .nothing
  }

  package mutating func opened() { self = KeyframeWait() }
}
