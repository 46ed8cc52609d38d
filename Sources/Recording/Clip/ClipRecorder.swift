import CamrigModel
import Dispatch
import Frames
import Movie

/// Writes one camera's part of a take, on a thread of its own: takes about a second of pictures from the queue at a
/// time, divides them into fragments and clips as the plans say, and keeps the account of every one of them.
///
/// `@unchecked`: everything that changes is used by its thread alone, but `shared`.
final class ClipRecorder: @unchecked Sendable {
  /// What stands between the last fragment and now, in the order of the stream.
  enum Entry {
    case picture(Picture)
    case lost(Loss)
  }

  struct Shared {
    var mark: WriterMark
    var written: UInt64 = 0
    var lost: UInt64 = 0
    /// Of the clips before the open one, and of that.
    var bytes: UInt64 = 0
    var openBytes: UInt64 = 0
    /// Of all clips, as the index will list them.
    var soundPackets: UInt64 = 0
    var slowest: Duration = .milliseconds(500)
    var syncers: [ClipSyncer] = []
    /// Why nothing of this camera is written.
    var problem: String?
    /// The take ends: so long an encoder may work on what waits. Half of what the take waits for this thread.
    var encodeUntil: MediaTime?
    /// Microphones that have come since the take began, and are to have a track.
    var joining: [TakeMicrophone] = []
    var isDone = false
  }

  let camera: TakeCamera
  let context: TakeContext
  let stem: String
  let queue: FrameQueue
  let preroll: Duration
  let shared: Guarded<Shared>
  /// For its volume.
  let wait = VolumeWait()
  private let done = DispatchSemaphore(value: 0)

  // The thread's own.
  var plan: ClipPlan
  var fragments: FragmentPlan
  private var gathering: GatheringPlan
  var maker: (any PictureMaker)?
  var clip: OpenClip?
  var clipNumber = 0
  let grid: SoundGrid
  var lines: [MicrophoneLine] = []
  var soundTroubles: [MicrophoneID: String] = [:]
  /// Wrong rates of microphones.
  var toldRates: [MicrophoneID: Int] = [:]
  var pending: [Entry] = []
  var pendingPictures = 0
  var ledger: Ledger
  /// Of the take's first picture; nil: none has come.
  var firstTime: MediaTime?
  /// The last picture that was to be written, and how long one lasts.
  var last: Picture?
  var spacing: Duration = .milliseconds(33)
  var losses: [Loss] = []
  var lostSinceLast = false
  private var held: [Loss] = []
  var lostNotTold: [LossCause: UInt64] = [:]
  var lossTold: MediaTime?
  var pause: Pause?
  var keyframes = KeyframeWait()
  private var hasToldSlowEncoder = false
  /// Nothing can be written any more; what comes is lost.
  var hasFailed = false

  /// - Parameter preroll: comes all at once, before the thread takes any of it.
  init(camera: TakeCamera, stem: String, preroll: Duration, context: TakeContext) {
    self.camera = camera
    self.context = context
    self.stem = stem
    let options = context.options
    let share = 1 + preroll.inSeconds / max(options.queueLength.inSeconds, 0.001)
    let capacityBytes = Int(Double(options.queueBytes) * min(share, 1000))
    queue = FrameQueue(capacity: options.queueLength + preroll, capacityBytes: capacityBytes)
    gathering = GatheringPlan(capacity: options.queueLength + preroll, capacityBytes: capacityBytes)
    self.preroll = preroll
    grid = SoundGrid(origin: context.start.media)
    plan = ClipPlan(limits: context.limits)
    fragments = FragmentPlan(length: options.fragmentLength, frameTime: spacing)
    ledger = Ledger(start: context.start.media)
    shared = Guarded(Shared(mark: WriterMark(camera: camera.id, lastMoved: context.clock.now, busySince: nil)))
  }

  func start() {
    camera.hub.add(queue, preroll: preroll)
    makeLines(camera.microphones, from: context.start.media - preroll)
    WorkerThread.start("rec-\(stem)") {
      self.run()
      self.shared.withLock { $0.isDone = true }
      self.done.signal()
    }
  }

  /// No picture after this one; what waits is still written, by an encoder as far as it gets.
  func stop() {
    shared.withLock { $0.encodeUntil = context.clock.now + context.options.stopLimit / 2 }
    camera.hub.remove(queue)
    queue.close()
  }

  /// Blocks. False: its volume has not answered by then.
  func waitUntilDone(_ limit: DispatchTime) -> Bool {
    guard done.wait(timeout: limit) == .success else { return false }
    done.signal()
    return true
  }

  /// May be called by anybody.
  var mark: WriterMark {
    shared.withLock { shared in
      var mark = shared.mark
      let waits = ([mark.busySince] + shared.syncers.map(\.busySince)).compactMap(\.self)
      mark.busySince = waits.min()
      return mark
    }
  }

  // MARK: The thread

  private func run() {
    while let items = nextItems() {
      let begin = context.clock.now
      shared.withLock {
        $0.mark.lastMoved = begin
        $0.mark.busySince = begin
      }
      takeSound()
      for item in items { take(item) }
      if items.isEmpty { idle() }
      tellLosses()
      shared.withLock {
        $0.mark.busySince = nil
        $0.mark.lastMoved = context.clock.now
      }
    }
    finish()
  }

  /// Nil: the take ends.
  private func nextItems() -> [StreamItem]? {
    let span = gathering.span(of: fragments.remaining)
    guard let items = queue.take(span: span, timeout: span + .milliseconds(200)) else { return nil }
    let frames = items.compactMap(\.frame)
    if let first = frames.first, let last = frames.last {
      gathering.took(
        bytes: frames.reduce(0) { $0 + $1.byteCount }, from: first.presentationTime, to: last.presentationTime)
    }
    return items
  }

  private func take(_ item: StreamItem) {
    switch item {
    case .started(let run): started(run)
    case .frame(let frame): take(frame)
    case .lost(let loss): hold(loss)
    case .ended(let end): ended(end)
    }
  }

  private func started(_ run: StreamRun) {
    interrupt()
    gathering.interrupted()
    let frameTime = run.format.rate?.frameTime ?? .milliseconds(33)
    spacing = frameTime
    fragments = FragmentPlan(length: context.options.fragmentLength, frameTime: frameTime)
    // A camera of one picture in two seconds has no gap every two seconds.
    plan.limits.gap = max(context.limits.gap, frameTime * 3)
    maker = makePictureMaker(run)
  }

  private func take(_ frame: Frame) {
    if firstTime == nil {
      firstTime = frame.presentationTime
      let offset = (frame.presentationTime - context.start.media).inSeconds
      context.book.update(camera.id, write: false) { $0.offsetSeconds = offset }
    }
    guard !hasFailed else { return lose(frame, .disk) }
    guard let maker else { return lose(frame, .encoder) }
    if maker.encoderName != nil, let until = shared.withLock({ $0.encodeUntil }), context.clock.now > until {
      tellSlowEncoder()
      return hold(Loss(of: frame, .encoder))
    }
    accept(maker.take(frame))
    if !maker.isHolding { releaseHeld() }
  }

  private func accept(_ made: [MadePicture]) {
    for item in made {
      switch item {
      case .picture(let picture):
        releaseHeld(before: picture)
        place(picture)
      case .lost(let loss): lose(loss)
      case .trouble(let text): problem(.encoder, text)
      }
    }
  }

  /// A loss stands behind the frames that are still in the encoder.
  private func hold(_ loss: Loss) {
    guard firstTime != nil || ledger.opens(loss) else { return }
    if loss.cause == .queueOverflow { overflowed() }
    if maker?.isHolding == true { held.append(loss) } else { lose(loss) }
  }

  private func releaseHeld(before picture: Picture? = nil) {
    while let loss = held.first {
      if let picture, picture.run == loss.run, Int64(bitPattern: picture.sequence &- loss.firstSequence) < 0 { return }
      held.removeFirst()
      lose(loss)
    }
  }

  private func place(_ picture: Picture) {
    guard !hasFailed else { return lose(picture, .disk) }
    let continues = continues(picture)
    let step = plan.next(
      ClipPlan.Picture(
        run: picture.run, time: picture.time, isKeyframe: picture.isKeyframe, byteCount: picture.byteCount,
        format: picture.form.format, size: picture.form.size, parameters: picture.form.parameters))
    switch step {
    case .append:
      if fragments.next(picture.time) == .cut { writeFragment(end: picture.time) }
      add(picture)
    case .wait:
      closeClip(end: continues ? picture.time : nil)
      lose(picture, .beforeKeyframe)
      waitForKeyframe(picture.time)
    case .open(let cut):
      closeClip(end: continues ? picture.time : nil)
      resume(with: picture, cut)
      keyframes.opened()
      shared.withLock { $0.problem = nil }
      openClip(at: picture)
      fragments.reset()
      _ = fragments.next(picture.time)
      add(picture)
    }
  }

  /// Whether `picture` follows the last one without a gap.
  private func continues(_ picture: Picture) -> Bool {
    guard let last, last.run == picture.run else { return false }
    let step = picture.time - last.time
    return step > .zero && step <= plan.limits.gap
  }

  private func add(_ picture: Picture) {
    // Opening its clip may just have failed.
    guard !hasFailed else { return lose(picture, .disk) }
    if let last, last.run == picture.run, picture.time > last.time { spacing = picture.time - last.time }
    last = picture
    lostSinceLast = false
    pending.append(.picture(picture))
    pendingPictures += 1
  }

  private func waitForKeyframe(_ time: MediaTime) {
    switch keyframes.dropped(at: time) {
    case .nothing: break
    case .request: maker?.requestKeyframe()
    case .complain:
      let what = maker?.media == nil ? "parameter sets (SPS and PPS)" : "keyframe"
      problem(.noKeyframe, "\(camera.name) has sent no \(what) for 5 s, so its clip cannot begin. \(otherFormat)")
    }
  }

  /// What to do about a camera whose format cannot be recorded.
  private var otherFormat: String {
    let offered = camera.facts.map { $0.formats.compactMap(\.pixelFormat) } ?? [.mjpeg]
    guard let other = offered.contains(.mjpeg) ? .mjpeg : offered.first(where: { $0 != .h264 }) else {
      return "It has no other format: set a shorter distance of keyframes with its maker's tool."
    }
    return "Choose another format for it: camrigctl camera set \(camera.id) --format \(other.rawValue)"
  }

  /// Nothing came for a while.
  private func idle() {
    let now = context.clock.now
    if plan.isInterrupted(at: now - .milliseconds(250)) {
      interrupt()
      openPause(.stalled, message: nil, announce: true)
    } else if pendingPictures > 1, let first = firstPending, let last,
      now - first.time >= context.options.fragmentLength
    {
      // All but the last, whose length is not known yet.
      writeFragment(end: last.time, keepingLast: true)
      fragments.reset()
      _ = fragments.next(last.time)
    }
    if firstTime == nil, pause == nil, now - context.start.media >= context.options.deliveryLimit {
      openPause(.absent, message: nil, announce: true)
    }
  }

  /// The clip ends at its last picture.
  func interrupt() {
    accept(maker?.flush() ?? [])
    releaseHeld()
    closeClip(end: nil)
    plan.interrupted()
  }

  private func ended(_ end: StreamEnd) {
    interrupt()
    maker = nil
    guard firstTime != nil else { return }
    let reason: TakeGap.Reason =
      switch end.reason {
      case .stopped: .stopped
      case .unplugged: .unplugged
      case .stalled: .stalled
      case .reset: .reset
      case .failed: .failed
      }
    // After a reset pictures go on at once; it is a gap only if they do not.
    openPause(reason, message: end.message.isEmpty ? nil : end.message, announce: end.reason != .reset)
  }

  private func finish() {
    interrupt()
    for line in lines { line.stop() }
    noteAbsence()
    let tail = pending.compactMap { entry -> Loss? in
      if case .lost(let loss) = entry { loss } else { nil }
    }
    for loss in tail { ledger.lost(loss) }
    pending = []
    tellLosses(last: true)
    context.book.update(camera.id) { record in
      for loss in tail { record.tail.append(coalescing: loss) }
    }
    recordAccount()
    for syncer in shared.withLock({ $0.syncers }) { syncer.waitUntilDone() }
    shared.withLock { $0.syncers = [] }
  }

  /// Told once for each kind in a row.
  func problem(_ kind: TakeTrouble.Kind, _ message: String) {
    let isNew = shared.withLock { shared in
      defer { shared.problem = message }
      return shared.problem != message
    }
    if isNew { trouble(kind, message) }
  }

  /// Pictures were lost on the way to this thread: an encoder was too slow, or the volume.
  private func overflowed() {
    // What is encoded here has its own keyframes. Those of a camera refer to what is gone.
    if maker?.encoderName != nil { tellSlowEncoder() } else { maker?.requestKeyframe() }
  }

  private func tellSlowEncoder() {
    guard !hasToldSlowEncoder else { return }
    hasToldSlowEncoder = true
    trouble(
      .encoder,
      "\(camera.name)'s pictures come faster than this machine encodes them, and some are lost. Choose a smaller size "
        + "or rate: camrigctl camera set \(camera.id) --size WxH --rate N")
  }

  func trouble(_ kind: TakeTrouble.Kind, _ message: String) {
    context.tell(.trouble(TakeTrouble(take: context.id, camera: camera.id, kind: kind, message: message)))
  }

  var firstPending: Picture? {
    for case .picture(let picture) in pending { return picture }
    return nil
  }
}
