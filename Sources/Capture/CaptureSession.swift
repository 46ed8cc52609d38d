import CamrigModel
import Codec
import DaemonKit
import Frames

/// One open camera from STREAMON to its end, on its capture thread: fetches each picture, judges it, copies it out
/// of the driver's memory, gives the buffer back and publishes, by way of a `PictureStage` where pictures are to be
/// turned. Every number that the driver counted is published
/// in exactly one frame or loss.
final class CaptureSession {
  /// What it needs of its camera.
  struct Surroundings {
    let hub: FrameHub
    let counters: StreamCounters
    let clock: any RigClock
    let sleeper: any CaptureSleeper
    let wake: WakeEvent
    let limits: StallLimits
    /// What the first picture is given at least.
    let patience: Duration
    let nextRun: () -> Int
    let orders: () -> CameraOrders
    let report: @Sendable (SessionReport) -> Void
    /// H.264 parameter sets, when they have changed; before the picture that they came with is published.
    let parameters: (H264ParameterSets?) -> Void
    /// A trouble with single pictures, told the first time it comes up.
    let note: @Sendable (_ kind: String, _ text: String) -> Void
  }

  private let device: any OpenCameraDevice
  private let around: Surroundings
  private let pool = FramePool()
  private var inspector: any PictureInspector
  private var format: VideoFormat
  private var sequence = SequenceAccount()
  private var pictureClock = PictureClock()
  private var sizes: SizeWatch
  private var spoilt = SpoiltWatch()
  private var rate: RateWatch
  private var stall: StallWatch
  private var run = 0
  private var handedBackInARow = 0
  private(set) var hasGoodPicture = false
  private var isStalled = false
  private var parameterSets: H264ParameterSets?
  private var keyframes = KeyframeWatch()
  private var picture = PictureSetting()
  /// Of the present run, if its pictures are turned.
  private var stage: PictureStage?

  init(_ device: any OpenCameraDevice, inspector: any PictureInspector, _ around: Surroundings) {
    self.device = device
    self.inspector = inspector
    self.around = around
    format = device.granted
    sizes = SizeWatch(granted: format.size)
    rate = RateWatch(granted: format.rate)
    stall = StallWatch(
      around.limits, nominal: format.rate?.frameTime, patience: around.patience, start: around.clock.now)
  }

  /// Until the end, which is published too.
  func stream() -> SessionEnd {
    // Those of an earlier stream may be of another size.
    around.parameters(nil)
    let end: SessionEnd
    do throws(CaptureError) {
      let orders = around.orders()
      picture = orders.picture
      try beginRun()
      end = try pictures(orders)
    } catch {
      end = error.trouble == .unplugged ? .unplugged(message: error.description) : .failed(error)
    }
    endRun(end.reason, end.message)
    return end
  }

  private func pictures(_ first: CameraOrders) throws(CaptureError) -> SessionEnd {
    var orders = first
    while true {
      if let end = orders.end { return end }
      if orders.picture != picture || stage?.mustBeginAnew == true { try turn(orders.picture) }
      if orders.wantsKeyframe {
        orders.wantsKeyframe = false
        // Of any other format every picture is one.
        if format.pixelFormat == .h264 { keyframes.need() }
      }
      let now = around.clock.now
      if keyframes.isDue(at: now), !device.requestKeyframe() {
        keyframes.refused()
        around.report(.gotKeyframeRefused)
      }
      if let closeAt = orders.closeAt, now >= closeAt {
        orders = around.orders()
        if let end = orders.end { return end }
      }
      var deadline = isStalled ? stall.restartAt : stall.stalledAt
      if let closeAt = orders.closeAt { deadline = min(deadline, closeAt) }

      switch try device.next(timeout: max(.zero, deadline - now), wake: around.wake.descriptor) {
      case .picture(let picture): try take(picture)
      case .woken:
        around.wake.drain()
        orders = around.orders()
      case .sourceChanged: return .sourceChanged
      case .timeout:
        let now = around.clock.now
        if now >= stall.restartAt { return device.signalTrouble.map { .failed($0) } ?? .stalled }
        if !isStalled, now >= stall.stalledAt {
          isStalled = true
          around.report(.stalled)
        }
      }
    }
  }

  // MARK: One picture

  private func take(_ picture: DequeuedPicture) throws(CaptureError) {
    let now = around.clock.now
    let unusable: LossCause? = picture.isErrorFlagged ? .errorFlagged : picture.bytes.isEmpty ? .empty : nil
    let number: UInt64
    switch sequence.accept(picture.rawSequence, spoilt: unusable != nil) {
    case .handedBack:
      return try handedBack(picture)
    case .next(let sequence, let missing):
      if missing > 0 { lost(.driverGap, from: sequence &- missing, count: missing, at: now) }
      number = sequence
    case .repeated(let sequence):
      around.counters.oddity("sequenceRepeated")
      number = sequence
    case .reset(let sequence):
      endRun(.reset, "the driver's count began anew")
      try beginRun()
      number = sequence
    }
    handedBackInARow = 0
    stall.picture(at: now)
    if let unusable {
      try drop(picture, unusable, number, now, reason: "the driver marked it as spoilt or empty")
      return
    }
    switch inspector.inspect(picture.bytes, format: format) {
    case .broken(let reason): try drop(picture, .broken, number, now, reason: reason)
    case .good(let good):
      tellParameters()
      switch sizes.picture(good.size) {
      case .broken:
        try drop(picture, .broken, number, now, reason: "it is \(good.size), but the camera granted \(format.size)")
        return
      case .changed:
        endRun(.reset, "pictures are \(good.size) now, not \(format.size)")
        format = VideoFormat(
          format.pixelFormat, good.size, rate: format.rate,
          bytesPerLine: format.pixelFormat.isCompressed ? 0 : format.bytesPerLine)
        try beginRun()
      case .asGranted: break
      }
      try keep(picture, good, number, now)
    }
  }

  private func keep(
    _ picture: DequeuedPicture, _ good: GoodPicture, _ number: UInt64, _ now: MediaTime
  ) throws(CaptureError) {
    let buffer = pool.buffer(count: good.byteCount) { good.copy(picture.bytes, into: $0) }
    let (time, oddity) = pictureClock.time(
      of: picture.timestamp, isMonotonic: picture.timestampIsMonotonic, arrival: now)
    let frame = Frame(
      buffer, format: format.pixelFormat, size: good.size, bytesPerLine: format.bytesPerLine,
      presentationTime: time, run: run, sequence: number, isKeyframe: good.isKeyframe)
    // Published even if the camera goes at this very moment: the picture is whole and ours.
    defer {
      if let oddity { odd(oddity.rawValue, "its clock is not steady; times are corrected") }
      if let oddity = good.oddity { odd(oddity, hint(for: oddity)) }
      if stage == nil { around.counters.frame(at: time) }
      publish(.frame(frame))
      watchSpoilt(false, now)
      watchRate(number, time)
      watchKeyframes(good.isKeyframe, now)
      if !hasGoodPicture || isStalled {
        hasGoodPicture = true
        isStalled = false
        around.report(.streaming)
      }
    }
    try device.giveBack(picture)
  }

  private func drop(
    _ picture: DequeuedPicture, _ cause: LossCause, _ number: UInt64, _ now: MediaTime, reason: String
  ) throws(CaptureError) {
    defer {
      lost(cause, from: number, count: 1, at: now)
      around.note(cause.rawValue, "a picture was dropped: \(reason). Further ones are only counted.")
      watchSpoilt(true, now)
      if isStalled {
        isStalled = false
        around.report(.streaming)
      }
    }
    try device.giveBack(picture)
  }

  /// While a camera is being unplugged its driver may hand back each buffer at once, over and over.
  private func handedBack(_ picture: DequeuedPicture) throws(CaptureError) {
    around.counters.oddity("bufferHandedBack")
    handedBackInARow += 1
    try device.giveBack(picture)
    guard handedBackInARow > 1 else { return }
    around.sleeper.wait(atMost: .milliseconds(5), wake: around.wake)
    // The wait has taken the signal that the loop would have seen.
    around.wake.signal()
  }

  // MARK: The account

  private func beginRun() throws(CaptureError) {
    run = around.nextRun()
    rate.restart()
    around.counters.begin()
    let start = StreamItem.started(StreamRun(number: run, format: format, time: around.clock.now))
    // The camera itself flips its H.264, or it stays as it is.
    guard !picture.isIdentity, format.pixelFormat != .h264 else {
      publish(start)
      return
    }
    do throws(CaptureError) {
      stage = try makeStage()
    } catch {
      publish(start)
      throw error
    }
    publish(start)
  }

  private func makeStage() throws(CaptureError) -> PictureStage {
    let report = around.report
    return try PictureStage(
      picture, format.pixelFormat,
      PictureStage.Surroundings(
        hub: around.hub, counters: around.counters, begun: { report(.looks($0)) }, note: around.note))
  }

  private func endRun(_ reason: StreamEnd.Reason, _ message: String) {
    publish(.ended(StreamEnd(run: run, reason: reason, message: message, time: around.clock.now)))
    // The hub has one publisher at a time.
    stage?.finish()
    stage = nil
  }

  private func publish(_ item: StreamItem) {
    if let stage { stage.offer(item) } else { around.hub.publish(item) }
  }

  /// What is kept of the pictures before (the pre-roll) is of another look, perhaps of another size.
  private func turn(_ wanted: PictureSetting) throws(CaptureError) {
    picture = wanted
    guard format.pixelFormat != .h264 else { return }
    endRun(.stopped, "")
    try beginRun()
    // A stage tells it itself, once it knows.
    if stage == nil { around.report(.looks(nil)) }
  }

  private func lost(_ cause: LossCause, from first: UInt64, count: UInt64, at time: MediaTime) {
    around.counters.lost(cause, count)
    if format.pixelFormat == .h264 { keyframes.need() }
    publish(.lost(Loss(cause: cause, run: run, firstSequence: first, count: count, time: time)))
  }

  private func odd(_ name: String, _ text: String) {
    around.counters.oddity(name)
    around.note(name, text)
  }

  private func hint(for oddity: String) -> String {
    oddity == "secondImage"
      ? "the driver joins pictures, and the later ones of a buffer are lost; the uvcvideo option quirks=0x10 or a "
        + "newer kernel may help"
      : "a buffer without a picture (\(oddity))"
  }

  private func tellParameters() {
    guard inspector.parameterSets != parameterSets else { return }
    parameterSets = inspector.parameterSets
    around.parameters(parameterSets)
  }

  private func watchKeyframes(_ isKeyframe: Bool, _ now: MediaTime) {
    let hasAll = format.pixelFormat != .h264 || parameterSets != nil
    switch keyframes.picture(isKeyframe: isKeyframe && hasAll, at: now) {
    case .nothing: return
    case .useless: around.report(.undecodable(hasAll ? .noKeyframe : .noParameterSets))
    case .useful: around.report(.undecodable(nil))
    }
    // It may be better to open it in another format.
    around.wake.signal()
  }

  private func watchRate(_ number: UInt64, _ time: MediaTime) {
    switch rate.picture(number, at: time) {
    case .same: break
    case .slow(let measured): around.report(.slow(measured: measured))
    case .asGranted: around.report(.slow(measured: nil))
    }
  }

  private func watchSpoilt(_ isSpoilt: Bool, _ now: MediaTime) {
    switch spoilt.picture(spoilt: isSpoilt, at: now) {
    case .same: break
    case .began(let percent): around.report(.spoilt(percent: percent))
    case .over: around.report(.spoilt(percent: nil))
    }
  }
}
