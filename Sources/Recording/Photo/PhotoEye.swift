import CamrigModel
import Codec
import Frames

/// A look at one camera for the time of a shot. One thread at a time uses it.
final class PhotoEye {
  /// Of JPEGs that the rig makes itself.
  static let quality = 95
  /// As for a camera that stalls.
  private static let silence = Duration.milliseconds(500)

  let camera: PhotoCamera
  /// Why there is no picture of it; nil as long as one may come.
  var problem: String?
  /// The run in which it shows what it sees.
  private var readyRun: Int?
  /// The time that it may take is over, and no picture has told that it is ready.
  private(set) var makesDo = false
  var isReady: Bool { makesDo || readyRun != nil && readyRun == camera.hub.run?.number }
  private let tap: FrameTap
  private let renderer: PreviewRenderer
  /// What is asked of the camera for this shot; nil: it stays as it is.
  private var still: FormatWish?
  /// Pictures of runs up to this one are of another format.
  private var runBefore = 0
  private var warmUp: (run: Int, plan: WarmUp)?
  /// Pictures from before say nothing of how it sees.
  private var lightSince: MediaTime?

  /// - Parameter heard: something may have come; from the camera's thread.
  init(_ camera: PhotoCamera, heard: @escaping @Sendable () -> Void) {
    self.camera = camera
    tap = FrameTap { _ in heard() }
    renderer = PreviewRenderer(parameterSets: camera.parameterSets)
  }

  func open(_ source: PhotoSource, now: MediaTime) {
    if source == .still { chooseStill() }
    if let still { camera.setStill(still) }
    camera.demand()
    camera.hub.add(tap)
    // One that has been running sees what it sees.
    if still == nil, let run = camera.hub.run, WarmUp(began: run.time).isOver(at: now) { readyRun = run.number }
  }

  func close() {
    camera.hub.remove(tap)
    if still != nil { camera.setStill(nil) }
    camera.release()
  }

  private func chooseStill() {
    guard let wish = camera.device.flatMap(StillFormat.wish) else { return }
    let run = camera.hub.run
    if let format = camera.granted(), format.size == wish.size, format.pixelFormat == wish.pixelFormat { return }
    still = wish
    runBefore = run?.number ?? 0
  }

  /// The newest picture since the last call, if it can be shown.
  func look() -> Frame? {
    guard let pictures = tap.take() else {
      if tap.waitsForKeyframe { camera.requestKeyframe() }
      return nil
    }
    let newest = pictures.newest
    guard still == nil || newest.run > runBefore else { return nil }
    do throws(CodecError) {
      try renderer.take(pictures)
    } catch {
      tap.startOver()
      return nil
    }
    return renderer.current
  }

  func lightHasChanged(at time: MediaTime) {
    lightSince = time
    readyRun = nil
    beginWarmUp()
  }

  /// What was seen in an earlier look does not count.
  func beginWarmUp() { (warmUp, makesDo) = (nil, false) }

  /// A picture has come since the warm-up began.
  var hasSeen: Bool { warmUp != nil }

  func warm(now: MediaTime) {
    guard !isReady else { return }
    see()
    // By the clock: there may be no further picture that could tell.
    if !isReady, warmUp?.plan.isOver(at: now) == true { makesDo = true }
  }

  private func see() {
    guard let frame = look(), let run = camera.hub.run, run.number == frame.run else { return }
    if let lightSince, frame.presentationTime < lightSince { return }
    if warmUp?.run != run.number {
      warmUp = (run.number, WarmUp(began: max(run.time, lightSince ?? run.time)))
    }
    // Of one whose brightness nobody can tell: the camera is given its two seconds.
    let brightness = try? renderer.brightness()
    if warmUp?.plan.picture(brightness: brightness, at: frame.presentationTime) == true { readyRun = run.number }
  }

  /// What `look` gave last.
  var last: Frame? { renderer.current }

  /// It has given a picture or some in its warm-up and then no more; another one is not to be waited for.
  func isSilent(at time: MediaTime) -> Bool {
    guard makesDo, let last else { return false }
    return time - last.presentationTime >= Self.silence
  }

  /// A picture that `look` has given, to be kept. One of H.264 must become a JPEG before the next is decoded.
  func keep(_ frame: Frame) -> Frame? {
    keptIsMade = frame.format == .h264
    return keptIsMade ? render(frame) : frame
  }

  /// What `keep` gave last is no picture as it came from the camera.
  private(set) var keptIsMade = false

  /// What `keep` has given, as a JPEG.
  func jpeg(_ frame: Frame) -> Frame? {
    guard frame.format != .mjpeg else { return frame }
    // Raw pictures stand for themselves.
    guard (try? renderer.take(FrameTap.Pictures(frame))) != nil else { return nil }
    return render(frame)
  }

  private func render(_ frame: Frame) -> Frame? {
    let size = PixelSize(width: frame.size.width & ~1, height: frame.size.height & ~1)
    return try? renderer.render(size, quality: Self.quality)
  }
}
