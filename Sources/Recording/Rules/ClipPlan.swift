import CamrigModel

/// Where one camera's recording is divided into files. A clip opens on a keyframe, and stays of one form: one
/// size, one set of parameters, no gap a player would stumble over, no file larger than the volume can hold.
package struct ClipPlan: Sendable {
  package struct Limits: Hashable, Sendable {
    /// Players stumble over longer gaps inside a file.
    package var gap: Duration
    package var length: Duration
    package var bytes: UInt64

    package init(gap: Duration = .seconds(1), length: Duration = .seconds(3600), bytes: UInt64 = .max) {
      self.gap = gap
      self.length = length
      self.bytes = bytes
    }
  }

  /// What the plan needs to know of a picture.
  package struct Picture: Hashable, Sendable {
    package var run: Int
    package var time: MediaTime
    package var isKeyframe: Bool
    package var byteCount: Int
    package var format: PixelFormat
    package var size: PixelSize
    /// Counts the changes of the stream's parameter sets.
    package var parameters: Int

    package init(
      run: Int = 1, time: MediaTime, isKeyframe: Bool = true, byteCount: Int = 0, format: PixelFormat = .mjpeg,
      size: PixelSize, parameters: Int = 0
    ) {
      self.run = run
      self.time = time
      self.isKeyframe = isKeyframe
      self.byteCount = byteCount
      self.format = format
      self.size = size
      self.parameters = parameters
    }
  }

  package enum Cut: Hashable, Sendable {
    case first
    /// The run before ended, or nothing came for too long; the time between has no pictures.
    case gap
    /// Size, format or parameter sets changed.
    case form
    case length
    case bytes
    /// The volume refused a larger file.
    case refused
    /// The clock that stamps the pictures stepped back by more than the gap limit.
    case clock
    /// A microphone has come that the clip has no track for, or only one of fewer channels or bits.
    case sound
  }

  package enum Step: Hashable, Sendable {
    case append
    case open(Cut)
    /// A clip must open, but not with this picture: it is no keyframe.
    case wait
  }

  private struct Open {
    var start: MediaTime
    var last: Picture
    var bytes: UInt64
  }

  package var limits: Limits
  private var open: Open?
  /// Why the next picture opens a clip.
  private var pending: Cut = .first
  private var isCutForSound = false

  package init(limits: Limits) { self.limits = limits }

  package mutating func next(_ picture: Picture) -> Step {
    if let cut = cut(before: picture) {
      close(cut)
    }
    guard var clip = open else {
      guard picture.isKeyframe else { return .wait }
      open = Open(start: picture.time, last: picture, bytes: UInt64(picture.byteCount))
      return .open(pending)
    }
    clip.last = picture
    clip.bytes &+= UInt64(picture.byteCount)
    open = clip
    return .append
  }

  /// The run ended, or no picture came for longer than the gap limit.
  package mutating func interrupted() { if open != nil { close(.gap) } }

  /// The volume refused a larger file; the pictures from `start` on, `bytes` so far, stand in a new one.
  package mutating func restarted(at start: MediaTime, bytes: UInt64) {
    open?.start = start
    open?.bytes = bytes
  }

  /// The clip holds so much more than its pictures.
  package mutating func wrote(soundBytes: Int) { open?.bytes &+= UInt64(soundBytes) }

  /// The next clip begins at the next keyframe. False: that is known already, or no clip is open.
  package mutating func cutForSound() -> Bool {
    defer { isCutForSound = open != nil }
    return open != nil && !isCutForSound
  }

  package var isOpen: Bool { open != nil }

  /// True when nothing has come for so long that the clip should end at its last picture.
  package func isInterrupted(at now: MediaTime) -> Bool {
    guard let open else { return false }
    return now - open.last.time > limits.gap
  }

  private mutating func close(_ cut: Cut) {
    open = nil
    pending = cut
    isCutForSound = false
  }

  private func cut(before picture: Picture) -> Cut? {
    guard let open else { return nil }
    let last = open.last
    let step = picture.time - last.time
    if picture.run != last.run || step > limits.gap { return .gap }
    if step < .zero - limits.gap { return .clock }
    if picture.size != last.size || picture.format != last.format || picture.parameters != last.parameters {
      return .form
    }
    guard picture.isKeyframe else { return nil }
    if isCutForSound { return .sound }
    if picture.time - open.start >= limits.length { return .length }
    if open.bytes &+ UInt64(picture.byteCount) > limits.bytes { return .bytes }
    return nil
  }
}
