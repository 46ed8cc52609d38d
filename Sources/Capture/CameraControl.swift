import CamrigModel
import Codec

/// What is wanted of a camera, what is known of it, and what its thread is to do next. A plain value: `Camera`
/// keeps it under its lock and carries the errands out.
struct CameraControl {
  enum Phase { case closed, opening, streaming, stalled }

  enum Errand {
    /// The thread ends; a later wish starts another.
    case end
    case wait(until: MediaTime)
    /// Describe the device (unless that is known) and see whether another program holds it.
    case look(any CameraDevice, attachment: Int, describe: Bool)
    case open(any CameraDevice, attachment: Int, FormatChoice, patience: Duration)
  }

  private static let longestPatience: Duration = .seconds(30)
  /// A format that fails so early is as good as one that does not start.
  private static let early: Duration = .seconds(1)
  /// A stream that ran so long has got over its troubles.
  private static let settled: Duration = .seconds(10)

  let configuration: CaptureConfiguration

  private(set) var device: (any CameraDevice)?
  /// Counts `attach`, so that a session notices that its device is no longer the one.
  private(set) var attachment = 0
  private var attachedAt = MediaTime(nanoseconds: 0)
  private(set) var isGone = false
  var description: DeviceDescription?
  private var lookWanted = false
  private var lookFailed = false

  private(set) var demands: [CameraDemand: Int] = [:]
  private(set) var isEnabled = true
  private var wishes = FormatWishes()
  var wish: FormatWish { wishes.current }
  private(set) var picture = PictureSetting()
  /// Of the present stream.
  private(set) var unturnable: TurnRefusal?
  /// Counts the times that its pictures have taken another look.
  private(set) var looks = 0
  private var heldOffUntil: MediaTime?
  private var closeAt: MediaTime?
  private var keyframeWanted = false
  private(set) var isShutDown = false
  /// When `state` and `cause` became what they are.
  var since: (time: WallTime, state: CameraState, cause: CameraCause?)?

  var isThreadRunning = false
  private(set) var phase = Phase.closed
  var granted: VideoFormat?
  private var retryAt: MediaTime?
  private var retry = RetryPlan()
  private(set) var trouble: CameraTrouble?
  var choice: FormatChoice?
  var tried: Set<FormatChoice> = []
  /// The size of what came into a capture card when it was opened last.
  private(set) var signal: PixelSize?
  /// How often that was another one in a row, without a picture.
  private var signalChanges = 0
  private var patience: Duration = .zero
  private var lastRun = 0
  /// The first choice that did not work, and why.
  var fallback: (from: FormatChoice, reason: String)?
  var formatNote = ""
  var isBusFull = false
  private(set) var spoiltNote = ""
  /// As long as this device is plugged in its H.264 is taken only if the user wants just that.
  var undecodable: UndecodableReason?

  init(_ configuration: CaptureConfiguration) { self.configuration = configuration }

  // MARK: What others want

  /// False: nothing changed.
  mutating func attach(_ new: any CameraDevice, now: MediaTime) -> Bool {
    if let device, device.node == new.node, !isGone { return false }
    device?.letGo()
    device = new
    attachment += 1
    attachedAt = now
    isGone = false
    description = nil
    lookWanted = true
    lookFailed = false
    undecodable = nil
    signal = nil
    signalChanges = 0
    forgetTrouble()
    forgetFormat()
    return true
  }

  mutating func detach() {
    device?.letGo()
    device = nil
    isGone = false
    description = nil
    lookWanted = false
    heldOffUntil = nil
    forgetTrouble()
    forgetFormat()
  }

  mutating func demand(_ reason: CameraDemand) {
    demands[reason, default: 0] += 1
    closeAt = nil
    if demands[reason] == 1, demands.count == 1, phase == .closed {
      // Somebody new asks: he shall not wait out the patience of those before.
      retryAt = nil
    }
  }

  mutating func release(_ reason: CameraDemand, now: MediaTime) {
    let count = demands[reason] ?? 0
    precondition(count > 0, "a demand is released once, by the one who made it")
    demands[reason] = count == 1 ? nil : count - 1
    if demands.isEmpty { closeAt = now + configuration.graceTime }
  }

  mutating func setWish(_ new: FormatWish) { if wishes.choose(new) { wishChanged() } }
  mutating func setStill(_ new: FormatWish?) { if wishes.setStill(new) { wishChanged() } }

  mutating func setPicture(_ new: PictureSetting) {
    guard new != picture else { return }
    let before = best
    picture = new
    unturnable = nil
    // What was tried in vain on its bus stays so, unless another format is the best now.
    if best != before || choice?.pixelFormat == .h264 { wishChanged() }
  }

  /// As if all were free.
  private var best: FormatChoice? { description.flatMap { policy($0).choice(for: wish) } }

  private mutating func wishChanged() {
    retryAt = nil
    guard let choice, let description, policy(description).choice(for: wish) == choice, tried.isEmpty else {
      // A running session sees that its choice is no longer the one.
      forgetFormat()
      return
    }
    fallback = nil
    noteFormat()
  }

  mutating func setEnabled(_ enabled: Bool) {
    isEnabled = enabled
    if enabled { retryAt = nil }
  }

  mutating func holdOff(until time: MediaTime) { heldOffUntil = time }

  /// The node may be free or ours now.
  mutating func retryNow() {
    guard device != nil, !isGone, phase == .closed || phase == .opening else { return }
    retryAt = nil
    if lookFailed || trouble != nil { lookWanted = true }
  }

  /// A camera that somebody wants is tried again anyway.
  mutating func look() {
    guard device != nil, !isGone, phase == .closed, !isWanted else { return }
    lookWanted = true
  }

  mutating func wantKeyframe() { if phase == .streaming { keyframeWanted = true } }

  mutating func shutDown() { isShutDown = true }

  // MARK: What the thread does

  var needsThread: Bool { !isShutDown && device != nil && !isGone && (isWanted || lookWanted) }

  mutating func errand(now: MediaTime) -> Errand {
    guard needsThread, let device else { return end() }
    let waitUntil = [retryAt, isWanted && !lookWanted ? heldOffUntil : nil].compactMap { $0 }.max()
    if let waitUntil, now < waitUntil { return .wait(until: waitUntil) }
    if lookWanted || description == nil {
      return .look(device, attachment: attachment, describe: description == nil)
    }
    guard isWanted, let description else { return end() }
    if choice == nil { choose(description) }
    guard let choice else {
      let offered = description.formats.map(\.fourcc)
      fail(.noUsableFormat(node: device.node, offered: offered), now: now)
      return .wait(until: retryAt ?? now)
    }
    phase = .opening
    return .open(device, attachment: attachment, choice, patience: patience)
  }

  private mutating func end() -> Errand {
    phase = .closed
    isThreadRunning = false
    closeAt = nil
    // A trouble of streaming says nothing of a camera that nobody wants to stream.
    if trouble?.state == .stalled || trouble?.state == .failed && description != nil { trouble = nil }
    return .end
  }

  mutating func looked(_ found: DeviceDescription?, isHeld: Bool, attachment: Int) {
    guard attachment == self.attachment, device != nil else { return }
    if let found { description = found }
    lookWanted = false
    lookFailed = false
    forgetTrouble()
    if isHeld, let device {
      trouble = CameraTrouble(.busy, .device(.busy(path: device.node)))
    }
  }

  mutating func lookFailed(_ error: CaptureError, attachment: Int, now: MediaTime) {
    guard attachment == self.attachment, device != nil else { return }
    lookFailed = true
    fail(error, now: now)
    // Without a demand it is asked again only while udev may be at work, and when `retryNow` says so.
    if trouble != nil, !isWanted { lookWanted = false }
  }

  /// The kernel gave no thread: the next wish tries again.
  mutating func threadFailed(_ error: CaptureError) {
    isThreadRunning = false
    trouble = CameraTrouble(.failed, error)
  }

  mutating func opened(_ format: VideoFormat) {
    // This stream is judged by what it sends itself.
    if format.pixelFormat == .h264 { undecodable = nil }
    granted = format
    unturnable = nil
    noteFormat()
  }

  /// True: another one than what its format was chosen for comes in. It may offer other formats now.
  mutating func isOther(signal new: PixelSize?, attachment: Int, now: MediaTime) -> Bool {
    guard let new, new != signal, attachment == self.attachment, let device else { return false }
    signal = new
    description = nil
    forgetFormat()
    signalChanges += 1
    // One that is another each time would have it opened over and over.
    if signalChanges > 2 { fail(.device(.noSignal(path: device.node, .unstable)), now: now) }
    return true
  }

  mutating func nextRun() -> Int {
    lastRun += 1
    return lastRun
  }

  mutating func orders(attachment: Int, choice: FormatChoice, now: MediaTime) -> CameraOrders {
    var orders = CameraOrders(closeAt: closeAt, wantsKeyframe: keyframeWanted, picture: picture)
    keyframeWanted = false
    if device == nil || attachment != self.attachment {
      orders.end = .unplugged(message: "the camera was unplugged")
    } else if isShutDown || !isEnabled || self.choice != choice {
      orders.end = .ordered
    } else if demands.isEmpty, now >= (closeAt ?? now) {
      orders.end = .ordered
    }
    return orders
  }

  mutating func report(_ report: SessionReport) {
    switch report {
    case .streaming:
      phase = .streaming
      signalChanges = 0
      trouble = nil
      patience = .zero
    case .stalled: phase = .stalled
    case .spoilt(let percent):
      spoiltNote = percent.map { "\($0) % of the pictures are spoilt; check the cable and the hub" } ?? ""
    case .undecodable(let reason):
      undecodable = reason
      // The running session sees that its choice is no longer the one.
      if let choice, let description, policy(description).choice(for: choice.wish)?.pixelFormat != choice.pixelFormat {
        forgetFormat()
      }
    case .looks(let refusal):
      unturnable = refusal
      looks += 1
    case .gotKeyframeRefused, .slow: break
    }
  }

  /// The device could not be opened or started, or its session ended.
  mutating func ended(
    _ end: SessionEnd, attachment: Int, choice: FormatChoice, ranFor: Duration, hadPictures: Bool, now: MediaTime
  ) {
    phase = .closed
    granted = nil
    unturnable = nil
    spoiltNote = ""
    formatNote = ""
    guard attachment == self.attachment, let device else { return }
    if hadPictures, ranFor >= Self.settled { retry.reset() }
    switch end {
    case .ordered:
      retry.reset()
      if self.choice == choice { forgetFormat() }
    case .sourceChanged:
      description = nil
      forgetFormat()
    case .stalled:
      trouble = CameraTrouble(.stalled, .noPictures(node: device.node))
      // A camera that needs long for its first picture is given longer each time.
      if !hadPictures { patience = min(max(ranFor, configuration.stall.restartAfter) * 2, Self.longestPatience) }
      retryAt = now + retry.nextAfterStall()
    case .unplugged(let message): leave(message)
    case .failed(let error):
      if ranFor < Self.early || !hadPictures, stepDown(error, from: choice) { return }
      fail(error, now: now)
    }
  }

  private mutating func fail(_ error: CaptureError, now: MediaTime) {
    if error.trouble == .bandwidth { isBusFull = true }
    let (wait, isShown) = retry.next(error.trouble, sinceAttached: now - attachedAt)
    retryAt = now + wait
    switch error.trouble {
    case .busy: trouble = CameraTrouble(.busy, error)
    case .unplugged: leave(error.description)
    case .notYetOurs, .bandwidth, .startRefused, .noSignal, .other:
      trouble = isShown ? CameraTrouble(.failed, error) : nil
    }
  }

  /// The device says that it is gone. Its node may belong to another camera the next moment, so nothing is tried
  /// until it is attached again.
  private mutating func leave(_ message: String) {
    isGone = true
    description = nil
    lookWanted = false
    retryAt = nil
    trouble = CameraTrouble(.offline, .unplugged, message)
  }

  private mutating func forgetTrouble() {
    trouble = nil
    retryAt = nil
    retry.reset()
    patience = .zero
  }
}
