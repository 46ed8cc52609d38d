import CamrigModel

/// A place at a camera's hub for those who look: latest wins. It has one slot, with the newest picture and what a
/// decoder needs to show it: nothing where each picture stands for itself, else the pictures since the last keyframe
/// or the last `take`. Nothing queues and the publisher never waits: a keyframe replaces all that was in the slot, and
/// what outgrows its bounds is dropped up to the next keyframe.
package final class FrameTap: Sendable {
  /// What was in the slot.
  package struct Pictures: Sendable {
    /// Oldest first; the last one is the newest picture. Never empty.
    package let frames: [Frame]
    /// They begin with a keyframe; else they follow those taken before without a gap.
    package let beginAfresh: Bool

    fileprivate init(_ frames: [Frame], beginAfresh: Bool) {
      self.frames = frames
      self.beginAfresh = beginAfresh
    }

    /// A keyframe alone.
    package init(_ keyframe: Frame) {
      precondition(keyframe.isKeyframe, "a picture that builds on others is not shown alone")
      self.init([keyframe], beginAfresh: true)
    }

    package var newest: Frame { frames[frames.count - 1] }
  }

  private struct State {
    var frames: [Frame] = []
    var bytes = 0
    var beginAfresh = true
    /// The next picture may build on what is here or was taken.
    var isUnbroken = false
  }

  private let state = Guarded(State())
  private let capacityBytes: Int
  private let capacityPictures: Int
  private let heard: @Sendable (StreamItem) -> Void

  /// - Parameters:
  ///   - capacityBytes: of pictures that build on each other; one picture fits always.
  ///   - capacityPictures: the same in pictures.
  ///   - heard: called with each item once it is in the slot, on the publisher's thread and with no lock held, and
  ///     perhaps once more after `remove`. It must return at once.
  package init(
    capacityBytes: Int = 8 << 20, capacityPictures: Int = 128, heard: @escaping @Sendable (StreamItem) -> Void
  ) {
    self.capacityBytes = capacityBytes
    self.capacityPictures = capacityPictures
    self.heard = heard
  }

  /// Empties the slot. Nil if nothing came since the last time, or nothing that can be shown.
  package func take() -> Pictures? {
    state.withLock { state in
      guard !state.frames.isEmpty else { return nil }
      let pictures = Pictures(state.frames, beginAfresh: state.beginAfresh)
      state.frames = []
      state.bytes = 0
      state.beginAfresh = false
      return pictures
    }
  }

  /// The newest picture in the slot; stays there.
  package var newest: Frame? { state.withLock { $0.frames.last } }

  /// Nothing can be shown before the next keyframe.
  package var waitsForKeyframe: Bool { state.withLock { $0.frames.isEmpty && !$0.isUnbroken } }

  /// The decoder could not follow what was taken: nothing that builds on it is given any more.
  package func startOver() {
    state.withLock { state in
      if state.frames.isEmpty || !state.beginAfresh { state = State() }
    }
  }

  func clear() { state.withLock { $0 = State() } }

  func offer(_ item: StreamItem) {
    state.withLock { state in
      switch item {
      case .started, .ended: state = State()
      // What is there can still be shown; what comes builds on what is missing.
      case .lost: state.isUnbroken = false
      case .frame(let frame):
        if frame.isKeyframe {
          state = State(frames: [frame], bytes: frame.byteCount, beginAfresh: true, isUnbroken: true)
          return
        }
        guard state.isUnbroken else { return }
        state.frames.append(frame)
        state.bytes += frame.byteCount
        if state.bytes > capacityBytes || state.frames.count > capacityPictures { state = State() }
      }
    }
  }

  func tell(_ item: StreamItem) { heard(item) }
}
