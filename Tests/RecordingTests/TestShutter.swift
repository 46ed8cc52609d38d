import CamrigModel
import Codec
import Frames
import Recording
import TestSupport

/// A shutter on a folder of its own, with cameras fed by hand, and what it has told.
final class TestShutter: Sendable {
  let folder = TemporaryDirectory()
  let clock = TestClock()
  let sleeper = TestSleeper()
  let media: MediaDirectory
  let catalog: Catalog
  let taker: PhotoTaker
  private let told = Told()

  private final class Told: Sendable { let events = Guarded<[PhotoEvent]>([]) }

  /// - Parameter media: nil: in the folder.
  init(media: String? = nil, reserveBytes: UInt64 = 1 << 20) {
    let path = media ?? folder.path + "/takes"
    self.media = MediaDirectory(path)
    catalog = Catalog(path: folder.path + "/catalog.sqlite", media: self.media)
    let (told, sleeper) = (told, sleeper)
    taker = PhotoTaker(
      options: RecordingOptions(mediaDirectory: path, reserveBytes: reserveBytes, version: "1.0"), clock: clock,
      sleep: { await sleeper.sleep($0) }, catalog: catalog, rigName: { "box" }
    ) { event in told.events.withLock { $0.append(event) } }
  }

  deinit { sleeper.endAll() }

  var events: [PhotoEvent] { told.events.withLock { $0 } }
  var finished: [ShotRecord] {
    events.compactMap { if case .finished(let record) = $0 { record } else { nil } }
  }

  /// A camera that has been running for a while.
  func camera(
    _ name: String, size: PixelSize = PixelSize(width: 64, height: 48), pixelFormat: PixelFormat = .mjpeg
  ) -> TestStream {
    let stream = TestStream(name, clock: clock, size: size, pixelFormat: pixelFormat)
    stream.begin()
    stream.frames(60)
    // They are no pictures of this kind, and none of them is taken for a photo.
    clock.advance(by: .milliseconds(1))
    return stream
  }

  /// Why no photo is taken.
  func refusal(_ cameras: [PhotoCamera]) async -> PhotoError? {
    do throws(PhotoError) {
      let wish = try PhotoWish()
      _ = try await taker.take(wish, cameras: cameras)
      return nil
    } catch {
      return error
    }
  }

  /// Publishes pictures of the cameras in turn until the shot has ended.
  func end(_ shot: String, _ feed: @Sendable () -> Void) async -> ShotRecord {
    while true {
      if let record = finished.first(where: { $0.shot == shot }) { return record }
      feed()
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// Sleeps until a test ends it.
final class TestSleeper: Sendable {
  private let waiting = Guarded<[(length: Duration, id: Int, end: CheckedContinuation<Void, Never>)]>([])
  private let last = Guarded(0)

  func sleep(_ length: Duration) async {
    let id = last.withLock { last in
      last += 1
      return last
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { end in
        waiting.withLock { $0.append((length, id, end)) }
        if Task.isCancelled { wake(id) }
      }
    } onCancel: {
      wake(id)
    }
  }

  /// Suspends until somebody sleeps, and lets that time pass; its length.
  @discardableResult
  func pass(_ clock: TestClock) async -> Duration {
    await eventually { self.waiting.withLock { !$0.isEmpty } }
    let first = waiting.withLock { $0.removeFirst() }
    clock.advance(by: first.length)
    first.end.resume()
    return first.length
  }

  func endAll() {
    let all = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for sleep in all { sleep.end.resume() }
  }

  private func wake(_ id: Int) {
    let found = waiting.withLock { waiting in
      waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0) }
    }
    found?.end.resume()
  }
}

extension TestStream {
  /// A JPEG of one grey, as a camera would send it.
  static func jpeg(_ luma: UInt8 = 120, _ size: PixelSize = PixelSize(width: 64, height: 48)) -> [UInt8] {
    let raw = [UInt8](repeating: luma, count: size.area)
    let frame = Frame(
      raw.withUnsafeBytes { FramePool().buffer(copying: $0) }, format: .grey, size: size, bytesPerLine: size.width,
      presentationTime: MediaTime(nanoseconds: 0), run: 1, sequence: 0, isKeyframe: true)
    let encoder = try? RawJPEGEncoder(format: VideoFormat(.grey, size, rate: nil))
    return (try? encoder?.encode(frame))?.withBytes { Array($0) } ?? []
  }

  func photoCamera(
    device: DeviceDescription? = nil, problem: @escaping @Sendable () -> String? = { nil },
    setStill: @escaping @Sendable (FormatWish?) -> Void = { _ in }, take: @escaping @Sendable () -> String? = { nil }
  ) -> PhotoCamera {
    PhotoCamera(
      id: id, name: name, hub: hub, device: device,
      demand: { self.demands.withLock { $0 += 1 } }, release: { self.demands.withLock { $0 -= 1 } }, problem: problem,
      setStill: setStill, take: take)
  }
}
