import CamrigModel
import CLinux
import Dispatch
import Glibc
import HTTP
import Movie
import Streaming

/// A MJPEG clip played at its own pace, for browsers, which cannot play such movies: picture after picture, those left
/// out whose time is over when the socket takes more.
final class ClipPlayback: HTTPBodyStream {
  private struct State {
    var next = 0
    var begun: MediaTime?
    var wake: @Sendable () -> Void = {}
    var hasOpened = false
  }

  private let descriptor: Int32
  private let samples: [SampleInfo]
  /// Of the clip, microseconds.
  private let first: Int64
  private let clock: any RigClock
  private let state = Guarded(State())
  // Dispatch sources may be used from any thread; they only do not say so.
  nonisolated(unsafe) private let timer = DispatchSource.makeTimerSource()

  /// - Parameter from: seconds of the clip.
  static func open(_ path: String, from: Double, clock: any RigClock = SystemClock()) async throws -> ClipPlayback {
    let samples = try await Task.detached { () throws(MovieError) -> [SampleInfo] in
      let file = try MovieReader.read(path, depth: .index)
      guard let track = file.tracks.first, case .mjpeg = track.media else {
        throw .unsupported("showing the pictures of \(path): it is no Motion JPEG. Open the file itself")
      }
      return track.samples
    }.value
    let descriptor = cl_open(path, O_RDONLY, 0)
    guard descriptor >= 0 else { throw MovieError.failed(action: "opened", path: path, errno: -descriptor) }
    let begin = Int64(max(0, min(from, 1e9)) * 1_000_000)
    return ClipPlayback(descriptor, Array(samples.drop { $0.time + $0.duration <= begin }), clock)
  }

  private init(_ descriptor: Int32, _ samples: [SampleInfo], _ clock: any RigClock) {
    self.descriptor = descriptor
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
    timer.setEventHandler(handler: wake)
    timer.activate()
  }

  func next() -> HTTPStreamPiece {
    let now = clock.now
    let (sample, isFirst) = state.withLock { state -> (SampleInfo?, Bool) in
      let played = (now - (state.begun ?? now)).inNanoseconds / 1000 + first
      while state.next + 1 < samples.count, samples[state.next + 1].time <= played { state.next += 1 }
      guard state.next < samples.count, samples[state.next].time <= played else { return (nil, false) }
      defer {
        state.next += 1
        state.hasOpened = true
      }
      return (samples[state.next], !state.hasOpened)
    }
    if let sample {
      guard let bytes = read(sample) else { return .end }
      let head = MultipartFraming.header(
        byteCount: bytes.count, presentationTime: MediaTime(nanoseconds: sample.time * 1000))
      return .bytes([(isFirst ? MultipartFraming.opening : []) + head, bytes, MultipartFraming.closing])
    }
    let next = state.withLock { $0.next }
    guard next < samples.count else { return .end }
    let due = state.withLock { $0.begun ?? now } + .microseconds(samples[next].time - first)
    timer.schedule(deadline: .now() + .nanoseconds(Int(max(0, (due - now).inNanoseconds))))
    return .later
  }

  func ended() { timer.cancel() }

  private func read(_ sample: SampleInfo) -> [UInt8]? {
    let count = Int(sample.byteCount)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      filled = max(0, pread(descriptor, memory.baseAddress, count, off_t(sample.offset)))
    }
    return bytes.count == count ? bytes : nil
  }
}
