import CamrigModel
import Codec
import Glibc

/// A camera that draws its own pictures: for demonstrations and tests. It paces itself on the monotonic clock as a
/// driver does, and counts on when nobody fetches its pictures.
package final class TestPatternDevice: CameraDevice {
  package let node: String
  private let card: String

  /// - Parameter number: from 1; stands in its node, `test-pattern-1`.
  package init(number: Int) {
    node = "test-pattern-\(number)"
    card = "Test pattern \(number)"
  }

  package func describe() throws(CaptureError) -> DeviceDescription {
    let rates = [60, 50, 30, 25, 15, 10, 5, 1].map { FrameRate($0) }
    // No larger than what two of them can draw on a small computer.
    let sizes = ["1280x720", "640x480", "640x360", "320x240"].compactMap { PixelSize($0) }
    return DeviceDescription(
      driver: "test-pattern", card: card, bus: "none", node: node,
      formats: Self.formats.map { format in
        FormatDescription(
          fourcc: format.rawValue, label: "drawn by camrig", pixelFormat: format,
          sizes: sizes.map { SizeDescription(size: $0, rates: rates) })
      })
  }

  private static let formats: [PixelFormat] = [.mjpeg, .yuyv, .uyvy, .nv12, .yu12, .grey]

  package func isHeldByAnotherProgram() -> Bool { false }
  package func letGo() {}

  package func open(_ wish: FormatWish, bufferCount: Int) throws(CaptureError) -> any OpenCameraDevice {
    let format = VideoFormat(
      wish.pixelFormat ?? .mjpeg, wish.size ?? PixelSize(width: 1280, height: 720), rate: wish.rate ?? FrameRate(30))
    do {
      return OpenTestPattern(try TestPatternRenderer(format: format), clock: SystemClock())
    } catch {
      throw .testPattern(error.description)
    }
  }
}

final class OpenTestPattern: OpenCameraDevice {
  /// Pictures that wait for their reader, as in a driver's queue; what comes on top is lost.
  private static let queueLength: Int64 = 4

  let granted: VideoFormat
  private let renderer: TestPatternRenderer
  private let clock: any RigClock
  private let interval: Duration
  private var begun = MediaTime(nanoseconds: 0)
  private var nextSequence: Int64 = 0
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(_ renderer: TestPatternRenderer, clock: any RigClock) {
    self.renderer = renderer
    self.clock = clock
    granted = renderer.format
    interval = (renderer.format.rate ?? FrameRate(30)).frameTime
  }

  deinit { memory.deallocate() }

  func start() throws(CaptureError) {
    begun = clock.now
    nextSequence = 0
  }

  func stop() {}

  func next(timeout: Duration, wake: Int32) throws(CaptureError) -> CameraEvent {
    let newest = (clock.now - begun).inNanoseconds / interval.inNanoseconds - 1
    nextSequence = max(nextSequence, newest - Self.queueLength + 1)
    let ready = begun + .nanoseconds((nextSequence + 1) * interval.inNanoseconds)
    let left = ready - clock.now
    if left > .zero {
      if isAwake(wake, within: min(left, timeout)) { return .woken }
      if left > timeout { return .timeout }
    }
    defer { nextSequence += 1 }
    return .picture(try draw(sequence: nextSequence, at: ready - interval))
  }

  private func draw(sequence: Int64, at time: MediaTime) throws(CaptureError) -> DequeuedPicture {
    var count = 0
    do {
      try renderer.render(
        counter: UInt32(truncatingIfNeeded: sequence), time: clock.anchor.wallTime(of: time),
        flash: TestPattern.isFlashing(at: time)
      ) {
        count = $0.count
        if memory.count < count {
          memory.deallocate()
          memory = .allocate(byteCount: count + count / 4, alignment: 16)
        }
        memory.copyMemory(from: $0)
      }
    } catch {
      throw .testPattern(error.description)
    }
    let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count])
    return DequeuedPicture(
      index: 0, bytes: bytes, timestamp: time, rawSequence: UInt32(truncatingIfNeeded: sequence))
  }

  func giveBack(_ picture: DequeuedPicture) throws(CaptureError) {}

  func requestKeyframe() -> Bool { false }

  private func isAwake(_ wake: Int32, within limit: Duration) -> Bool {
    var entry = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    // A hair later rather than a round trip too early.
    let milliseconds = (limit.inNanoseconds + 999_999) / 1_000_000
    return poll(&entry, 1, Int32(clamping: milliseconds)) > 0
  }
}
