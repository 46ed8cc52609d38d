import CamrigModel
import Sound

/// What is wanted of a microphone, what is known of it, and what its thread is to do next. A plain value:
/// `Microphone` keeps it under its lock and carries the errands out.
struct MicrophoneControl {
  enum Errand {
    /// The thread ends; a later wish starts another.
    case end
    case wait(until: MediaTime)
    case open(any SoundDevice, attachment: Int)
  }

  private enum Phase { case closed, opening, streaming }

  private struct Trouble {
    let state: MicrophoneState
    let message: String
  }

  /// A stream that ran so long has got over its troubles.
  private static let settled: Duration = .seconds(10)
  /// By then it has told of everything that was pulled out.
  static let patienceWithUdev: Duration = .seconds(2)

  private let graceTime: Duration
  private var device: (any SoundDevice)?
  /// Counts `attach`, so that a session notices that its device is no longer the one.
  private var attachment = 0
  private var isEnabled = true
  private var demands: [MicrophoneDemand: Int] = [:]
  private var closeAt: MediaTime?
  private(set) var isShutDown = false
  var isThreadRunning = false
  var isMuted = false
  private var phase = Phase.closed
  private(set) var format: SoundFormat?
  private var wrongRate: WrongRate?
  private var trouble: Trouble?
  private var retry = Backoff(first: .milliseconds(250), most: .seconds(10))
  private var comeback = Backoff(first: MicrophoneControl.patienceWithUdev, most: .seconds(30))
  private var retryAt: MediaTime?
  private var lastRun = 0

  init(graceTime: Duration) { self.graceTime = graceTime }

  // MARK: What others see

  private var isWanted: Bool { !demands.isEmpty && device != nil && isEnabled }

  var state: MicrophoneState {
    guard device != nil else { return .offline }
    guard isEnabled else { return .disabled }
    if phase == .streaming { return .streaming }
    return trouble?.state ?? (isWanted || phase == .opening ? .starting : .idle)
  }

  var message: String {
    if device == nil { return "" }
    if phase == .streaming { return wrongRate?.message ?? "" }
    guard isEnabled else { return "Its user has switched it off. Use it again with: camrigctl mics set" }
    return trouble?.message ?? wrongRate?.message ?? ""
  }

  // MARK: What others want

  /// False: nothing changed.
  mutating func attach(_ new: any SoundDevice) -> Bool {
    if let device, device.node == new.node, trouble?.state != .offline { return false }
    device = new
    attachment += 1
    forgetTrouble()
    return true
  }

  mutating func detach() {
    device = nil
    forgetTrouble()
  }

  mutating func setEnabled(_ enabled: Bool) {
    guard enabled != isEnabled else { return }
    isEnabled = enabled
    forgetTrouble()
  }

  mutating func demand(_ reason: MicrophoneDemand) {
    // Somebody new asks: he shall not wait out the patience of those before.
    if demands.isEmpty { retryAt = nil }
    demands[reason, default: 0] += 1
    closeAt = nil
  }

  mutating func release(_ reason: MicrophoneDemand, now: MediaTime) {
    let count = demands[reason] ?? 0
    precondition(count > 0, "a demand is released once, by the one who made it")
    demands[reason] = count == 1 ? nil : count - 1
    if demands.isEmpty { closeAt = now + graceTime }
  }

  /// The node may be free now.
  mutating func retryNow() { retryAt = nil }

  mutating func shutDown() { isShutDown = true }

  // MARK: What the thread does

  var needsThread: Bool { !isShutDown && isWanted }

  mutating func errand(now: MediaTime) -> Errand {
    guard needsThread, let device else {
      phase = .closed
      isThreadRunning = false
      closeAt = nil
      // What went wrong says nothing of a microphone that nobody wants, unless another program has it.
      if trouble?.state == .failed { trouble = nil }
      return .end
    }
    if let retryAt, now < retryAt { return .wait(until: retryAt) }
    phase = .opening
    return .open(device, attachment: attachment)
  }

  /// The kernel gave no thread: the next wish tries again.
  mutating func threadFailed(_ error: CaptureError) {
    isThreadRunning = false
    trouble = Trouble(state: .failed, message: error.description)
  }

  mutating func opened(_ format: SoundFormat) { self.format = format }

  /// What a device whose driver says `stated` is known to give; nil: that.
  func rate(stated: Int) -> Int? { wrongRate?.stated == stated ? wrongRate?.given : nil }

  /// It gives so many sample frames a second. Kept while it is closed or away: the next recording has it from the start.
  mutating func gives(_ rate: Int, stated: Int) {
    wrongRate = rate == stated ? nil : WrongRate(stated: stated, given: rate)
  }

  mutating func sounds() {
    phase = .streaming
    trouble = nil
  }

  mutating func nextRun() -> Int {
    lastRun += 1
    return lastRun
  }

  mutating func orders(attachment: Int, now: MediaTime) -> MicrophoneOrders {
    var orders = MicrophoneOrders(closeAt: closeAt, isMuted: isMuted)
    if device == nil || attachment != self.attachment {
      orders.end = .unplugged
    } else if isShutDown || !isEnabled || demands.isEmpty && now >= (closeAt ?? now) {
      orders.end = .ordered
    }
    return orders
  }

  /// The device could not be opened or started, or its session ended.
  mutating func ended(_ end: MicrophoneEnd, attachment: Int, ranFor: Duration, now: MediaTime) {
    phase = .closed
    format = nil
    guard attachment == self.attachment, device != nil else { return }
    if ranFor >= Self.settled {
      retry.reset()
      comeback.reset()
    }
    switch end {
    case .ordered:
      retry.reset()
      comeback.reset()
    // Mostly udev tells next that it was pulled out, and perhaps that its number is another card's. If udev says nothing,
    // the card is still there and only its driver was started anew: then it is tried again, with patience.
    case .unplugged, .failed(.unplugged):
      retryAt = now + comeback.next()
      if let device {
        trouble = Trouble(state: .offline, message: SoundError.unplugged(device: device.node).description)
      }
    case .failed(let error):
      retryAt = now + retry.next()
      if case .busy = error {
        trouble = Trouble(state: .busy, message: error.description)
      } else {
        trouble = Trouble(state: .failed, message: error.description)
      }
    }
  }

  private mutating func forgetTrouble() {
    trouble = nil
    retryAt = nil
    retry.reset()
    comeback.reset()
  }
}

/// What a session is to do.
struct MicrophoneOrders {
  var end: MicrophoneEnd?
  /// When to look again whether anybody wants it.
  var closeAt: MediaTime?
  var isMuted = false
}

/// Why a session ended.
enum MicrophoneEnd: Hashable, Sendable {
  /// Nobody wants it any more.
  case ordered
  case unplugged
  case failed(SoundError)
}
