import CamrigModel
import Frames

/// What comes of a look at a camera for one picture.
package enum OnePicture: Sendable {
  case picture(Frame)
  /// It came in no time; with the reason, if one was told.
  case none(why: String?)

  /// The newest picture of a preview once the camera is ready for it, else its next one. The camera is wanted open from
  /// the call on; nothing is made of the pictures that come before.
  /// - Parameters:
  ///   - limit: from the call on. `ready` must return in that time.
  ///   - ready: returns when the camera shows what it sees; with the reason if no picture comes.
  package static func of(
    _ preview: CameraPreview, _ form: PreviewForm, within limit: Duration, ready: @Sendable () async -> String?
  ) async -> OnePicture {
    let (news, post) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reader = preview.open(form) { post.yield() }
    defer { reader.close() }
    let timer = Task {
      try? await Task.sleep(for: limit)
      post.finish()
    }
    defer { timer.cancel() }
    let problem = await ready()
    if let picture = reader.next() { return .picture(picture.frame) }
    // What has come can still be made into a smaller one.
    if problem != nil, preview.source == nil { return .none(why: problem) }
    for await _ in news {
      if let picture = reader.next() { return .picture(picture.frame) }
    }
    return .none(why: problem)
  }
}
