import CLinux
import CamrigModel
import DaemonKit
import Dispatch
import Glibc
import HTTP
import Movie
import RigControl
import Streaming

/// A MJPEG clip played at its own pace, for browsers, which cannot play such movies: picture after picture, those left
/// out whose time is over when the socket takes more. The file is read beside, so that a slow volume holds up nobody
/// else; where it gives no further picture, a text in its place says why, and the stream ends.
final class ClipPlayback: HTTPBodyStream {
  private struct State {
    var wake: @Sendable () -> Void = {}
    var begun: MediaTime?
    /// The sample that is looked at next.
    var next = 0
    /// Read, and due now.
    var ready: (sample: SampleInfo, bytes: [UInt8])?
    var isWorking = false
    var hasOpened = false
    /// Why no picture comes any more; nil: nothing is wrong, or it was said.
    var trouble: String?
    var isOver = false
  }

  private let descriptor: Int32
  private let volume: Volume
  private let watch: ReadingWatch
  private let samples: [SampleInfo]
  /// Of the clip, microseconds.
  private let first: Int64
  private let clock: any RigClock
  private let state = Guarded(State())

  /// - Parameters:
  ///   - clip: finished; another would have to be read whole.
  ///   - from: seconds of the clip.
  static func open(
    _ clip: MediaFile, from: Double, clock: any RigClock = SystemClock()
  ) async throws -> ClipPlayback {
    let begin = Int64(max(0, min(from, 1e9)) * 1_000_000)
    return try await clip.volume.reading.ask {
      Result {
        // Nor does it follow a link.
        _ = try HTTPFile(path: clip.path, type: "video/quicktime", on: clip.volume)
        let (samples, descriptor) = try read(clip.path)
        return ClipPlayback(
          descriptor, clip.volume, Array(samples.drop { $0.time + $0.duration <= begin }), clock)
      }
    }.get()
  }

  private static func read(_ path: String) throws -> ([SampleInfo], Int32) {
    let file = try MovieReader.read(path, depth: .index)
    guard let track = file.tracks.first, case .mjpeg = track.media else {
      throw MovieError.unsupported("showing the pictures of \(path): it is no Motion JPEG. Open the file itself")
    }
    let descriptor = cl_open(path, O_RDONLY, 0)
    guard descriptor >= 0 else { throw MovieError.failed(action: "opened", path: path, errno: -descriptor) }
    return (track.samples, descriptor)
  }

  private init(_ descriptor: Int32, _ volume: Volume, _ samples: [SampleInfo], _ clock: any RigClock) {
    self.descriptor = descriptor
    self.volume = volume
    watch = ReadingWatch(volume)
    self.samples = samples
    self.clock = clock
    first = samples.first?.time ?? 0
  }

  deinit { close(descriptor) }

  func begin(wake: @escaping @Sendable () -> Void) {
    state.withLock {
      $0.wake = wake
      $0.begun = clock.now
    }
  }

  func next() -> HTTPStreamPiece {
    enum Step { case send(SampleInfo, [UInt8], isFirst: Bool), say(String, isFirst: Bool), wait, work, end }
    let step = state.withLock { state -> Step in
      if let trouble = state.trouble {
        state.trouble = nil
        return .say(trouble, isFirst: !state.hasOpened)
      }
      if state.isOver { return .end }
      if let (sample, bytes) = state.ready {
        state.ready = nil
        defer { state.hasOpened = true }
        return .send(sample, bytes, isFirst: !state.hasOpened)
      }
      if state.isWorking { return .wait }
      guard state.next < samples.count else { return .end }
      state.isWorking = true
      return .work
    }
    switch step {
    case .wait: return .later
    case .work:
      prepare()
      return .later
    case .end: return .end
    case .say(let trouble, let isFirst):
      return .bytes([(isFirst ? MultipartFraming.opening : []) + MultipartFraming.text(trouble)])
    case .send(let sample, let bytes, let isFirst):
      let head = MultipartFraming.header(
        byteCount: bytes.count, presentationTime: MediaTime(nanoseconds: sample.time * 1000))
      return .bytes([(isFirst ? MultipartFraming.opening : []) + head, bytes, MultipartFraming.closing])
    }
  }

  func ended() { state.withLock { $0.isOver = true } }

  /// Waits until the next picture is due, passes over those whose time is over, reads it and tells the socket.
  private func prepare() {
    let due = state.withLock { state -> Duration in
      let begun = state.begun ?? clock.now
      return begun + .microseconds(samples[state.next].time - first) - clock.now
    }
    // Weak in effect: after `ended` nothing is read, and the pause is one picture's.
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(max(0, due.inNanoseconds)))) { [self] in
      watch.begin { [weak self] in
        if let self { stop(volume.silence.description) }
      }
      volume.reading.perform { self.readNow() }
    }
  }

  /// Nobody waits for what is being read.
  private func stop(_ trouble: String) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isOver, state.isWorking else { return nil }
      state.isOver = true
      state.trouble = trouble
      return state.wake
    }
    wake?()
  }

  private func readNow() {
    let sample = state.withLock { state -> SampleInfo? in
      guard !state.isOver else { return nil }
      let played = (clock.now - (state.begun ?? clock.now)).inNanoseconds / 1000 + first
      while state.next + 1 < samples.count, samples[state.next + 1].time <= played { state.next += 1 }
      defer { state.next += 1 }
      return samples[state.next]
    }
    let bytes = sample.flatMap(read)
    watch.end()
    guard let sample, let bytes else {
      return stop("The clip cannot be read on. See dmesg for the errors of the volume of \(volume.path).")
    }
    let wake = state.withLock { state in
      state.isWorking = false
      if !state.isOver { state.ready = (sample, bytes) }
      return state.wake
    }
    wake()
  }

  private func read(_ sample: SampleInfo) -> [UInt8]? {
    let count = Int(sample.byteCount)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      filled = max(0, pread(descriptor, memory.baseAddress, count, off_t(sample.offset)))
    }
    return bytes.count == count ? bytes : nil
  }
}
