import CamrigModel
import Codec
import Frames

/// A look at one camera for the time of a shot. One thread at a time uses it.
final class PhotoEye {
  /// Of JPEGs that the rig makes itself.
  static let quality = 95

  let camera: PhotoCamera
  /// Why there is no picture of it; nil as long as one may come.
  var problem: String?
  /// The run in which it shows what it sees.
  private var readyRun: Int?
  var isReady: Bool { readyRun != nil && readyRun == camera.hub.run?.number }
  private let tap: FrameTap
  private let renderer: PreviewRenderer
  private let decoder: JPEGDecoder?
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
    // Without memory for it nobody can tell the brightness; the camera is given its two seconds then.
    decoder = try? JPEGDecoder()
  }

  func open(_ source: PhotoSource, now: MediaTime) {
    if source == .still { chooseStill() }
    if let still { camera.setStill(still) }
    camera.demand()
    camera.hub.add(tap)
    // One that has been running sees what it sees.
    if still == nil, let run = camera.hub.run, now - run.time >= WarmUp.longest { readyRun = run.number }
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
    (readyRun, warmUp) = (nil, nil)
  }

  func warm(now: MediaTime) {
    guard !isReady, let frame = look(), let run = camera.hub.run, run.number == frame.run else { return }
    if let lightSince, frame.presentationTime < lightSince { return }
    if warmUp?.run != run.number {
      warmUp = (run.number, WarmUp(began: max(run.time, lightSince ?? run.time)))
    }
    if warmUp?.plan.picture(brightness: brightness(frame), at: frame.presentationTime) == true { readyRun = run.number }
  }

  /// Of the picture that `look` has given last.
  private func brightness(_ frame: Frame) -> Double? {
    let small = PixelSize(width: max(16, frame.size.width / 8 & ~1), height: max(16, frame.size.height / 8 & ~1))
    guard let decoder, let jpeg = try? renderer.render(small, quality: 75),
      let picture = try? jpeg.withBytes({ bytes throws(CodecError) in try decoder.decode(bytes, .luma) }),
      !picture.bytes.isEmpty
    else { return nil }
    return Double(picture.bytes.reduce(0) { $0 + Int($1) }) / Double(picture.bytes.count)
  }

  /// A picture that `look` has given, to be kept. One of H.264 must become a JPEG before the next is decoded.
  func keep(_ frame: Frame) -> Frame? { frame.format == .h264 ? render(frame) : frame }

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
