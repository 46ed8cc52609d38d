import CamrigModel
import Codec
import DaemonKit
import Frames
import Settings

/// One camera of the rig for the life of the daemon: it stays the same over unplugging and replugging, and so does
/// its hub. While it is open, a thread of its own fetches the pictures; while it is idle there is no thread.
/// All calls return at once (but `shutdown`) and may come from anywhere.
package final class Camera: Sendable {
  package let id: CameraID
  package let hub: FrameHub
  package let controls: CameraControls

  private let configuration: CaptureConfiguration
  private let clock: any RigClock
  private let sleeper: any CaptureSleeper
  private let log: CameraLog
  private let changed: @Sendable (Camera) -> Void
  private let buses: SharedBuses
  private let inspector: @Sendable (VideoFormat) -> any PictureInspector
  private let counters = StreamCounters()
  private let control: Guarded<CameraControl>
  private let worker = Guarded(Worker())
  private let parameters = Guarded<H264ParameterSets?>(nil)

  /// The thread and what wakes it; made for the first errand.
  private struct Worker {
    var thread: CaptureThread?
    var wake: WakeEvent?
  }

  /// - Parameters:
  ///   - buses: shared by all cameras of the rig.
  ///   - changed: called after each change of the state or its message, from any thread, with no lock held.
  ///     It must not call `shutdown`.
  ///   - controlsChanged: called with what has happened to its controls, in the same way.
  package init(
    id: CameraID, configuration: CaptureConfiguration, clock: any RigClock, log: Log,
    inspector: @escaping @Sendable (VideoFormat) -> any PictureInspector = pictureInspector,
    sleeper: any CaptureSleeper = PollSleeper(), buses: SharedBuses = SharedBuses(),
    timer: any RegistryTimer = TaskTimer(), controlsChanged: @escaping @Sendable (ControlNews) -> Void = { _ in },
    changed: @escaping @Sendable (Camera) -> Void
  ) {
    self.id = id
    self.configuration = configuration
    self.clock = clock
    self.sleeper = sleeper
    self.log = CameraLog(log, id)
    self.inspector = inspector
    self.buses = buses
    self.changed = changed
    hub = FrameHub(
      prerollLength: configuration.prerollLength, prerollCapacityBytes: configuration.prerollCapacityBytes)
    control = Guarded(CameraControl(configuration))
    controls = CameraControls(id: id, clock: clock, timer: timer, log: self.log, tell: controlsChanged)
    controls.observeHints { [weak self] in
      if let self { self.changed(self) }
    }
  }

  // MARK: What others want

  /// Plugged in. Idempotent; another node replaces the one before.
  package func attach(_ device: any CameraDevice) {
    let now = clock.now
    var isOther = false
    update { control in
      isOther = control.attach(device, now: now)
      if isOther { log.forget() }
    }
    if isOther { controls.attach(device) }
  }

  /// Gone. Idempotent.
  package func detach() {
    update { $0.detach() }
    controls.detach()
  }

  package func setWish(_ wish: FormatWish) { update { $0.setWish(wish) } }

  /// How its pictures are seen by everybody. At once, also while it streams; a new run begins then.
  package func setPicture(_ picture: PictureSetting) {
    update { $0.setPicture(picture) }
    tellFlips()
  }

  /// As long as it is set, it goes before the user's wish: for a photo in another size. Nil: no longer.
  package func setStill(_ wish: FormatWish?) { update { $0.setStill(wish) } }

  package func setEnabled(_ enabled: Bool) {
    update { $0.setEnabled(enabled) }
    controls.setEnabled(enabled)
  }

  /// What users chose for its controls: set again whenever it comes or starts.
  package func setKept(_ kept: [String: KeptControl]) { controls.setKept(kept) }

  /// Opens the camera, or keeps it open, until `release` was called as often as this for each reason, and the grace
  /// time after that.
  package func demand(_ reason: CameraDemand) { update { $0.demand(reason) } }

  package func release(_ reason: CameraDemand) {
    let now = clock.now
    update { $0.release(reason, now: now) }
  }

  /// Something happened to the node (another program closed it, udev changed its mode): tries again now.
  package func retryNow() { update { $0.retryNow() } }

  /// Sees whether another program holds the camera, unless somebody wants it: then it is tried anyway. Opens and closes
  /// its node.
  package func look() { update { $0.look() } }

  /// Does not open the camera before `time`: cameras of a full bus start one after another.
  package func holdOff(until time: MediaTime) { update { $0.holdOff(until: time) } }

  /// Asks an H.264 camera for a keyframe. Nothing happens if it does not stream or has no such control.
  package func requestKeyframe() { update { $0.wantKeyframe() } }

  /// Stops, closes, and waits for the thread. Nothing is started after that.
  package func shutdown() {
    update { $0.shutDown() }
    controls.shutdown()
    worker.withLock { $0.thread }?.join()
  }

  /// H.264 parameter sets that the running stream has sent so far: many cameras send them at its start only, and who
  /// begins to record later needs them too.
  package var parameterSets: H264ParameterSets? { parameters.withLock { $0 } }

  /// At this moment.
  package var status: CameraStreamState {
    var state = control.withLock { control in
      control.noteState(at: clock.anchor.wall)
      return control.streamState
    }
    if state.granted != nil { state.stream = counters.status }
    state.hints = controls.hints
    let picture = control.withLock { $0.picture }
    if state.turnRefusal == .h264, controls.canFlip == true {
      state.turnRefusal = picture.isFlipsOnly ? nil : .h264Quarter
    }
    if !picture.isIdentity, let advice = state.turnAdvice {
      state.hints.append("Its pictures are not mirrored, rotated or zoomed as chosen: \(advice)")
    }
    if let granted = state.granted, let format = hub.run?.format, format != granted { state.delivered = format }
    return state
  }

  // MARK: State

  /// - Parameter wakes: false on the capture thread, which looks for itself.
  private func update(wakes: Bool = true, _ change: (inout CameraControl) -> Void) {
    let (before, after, mustStart) = control.withLock { control in
      let before = Visible(control)
      change(&control)
      control.noteState(at: clock.anchor.wall)
      let mustStart = control.needsThread && !control.isThreadRunning
      if mustStart { control.isThreadRunning = true }
      return (before, Visible(control), mustStart)
    }
    if mustStart {
      startThread()
    } else if wakes {
      worker.withLock { $0.wake }?.signal()
    }
    guard before != after else { return }
    log.tell(after.state, after.message, after.formatNotes)
    changed(self)
  }

  private struct Visible: Equatable {
    let state: CameraState
    let cause: CameraCause?
    let message: String
    let formatNotes: String
    let looks: Int

    init(_ control: borrowing CameraControl) {
      state = control.state
      cause = control.cause
      message = control.message
      formatNotes = control.formatNotes
      looks = control.looks
    }
  }

  // MARK: The thread

  private func startThread() {
    do throws(CaptureError) {
      try worker.withLock { worker throws(CaptureError) in
        // It has ended, or is about to return.
        worker.thread?.join()
        worker.thread = nil
        let wake = if let wake = worker.wake { wake } else { try WakeEvent() }
        worker.wake = wake
        worker.thread = try CaptureThread(name: "cam \(id.rawValue.suffix(11))") { self.work(wake) }
      }
    } catch {
      control.withLock { $0.threadFailed(error) }
      log.tell(.failed, error.description, "")
      changed(self)
    }
  }

  private func work(_ wake: WakeEvent) {
    while true {
      let now = clock.now
      switch control.withLock({ $0.errand(now: now) }) {
      case .end: return
      case .wait(let time): sleeper.wait(atMost: time - now, wake: wake)
      case .look(let device, let attachment, let describe): look(at: device, attachment, describe)
      case .open(let device, let attachment, let choice, let patience):
        stream(device, attachment, choice, patience, wake)
      }
    }
  }

  private func look(at device: any CameraDevice, _ attachment: Int, _ describe: Bool) {
    do throws(CaptureError) {
      let description = describe ? try device.describe() : nil
      let isHeld = device.isHeldByAnotherProgram()
      update(wakes: false) { $0.looked(description, isHeld: isHeld, attachment: attachment) }
    } catch {
      let now = clock.now
      update(wakes: false) { $0.lookFailed(error, attachment: attachment, now: now) }
    }
  }

  private func stream(
    _ device: any CameraDevice, _ attachment: Int, _ choice: FormatChoice, _ patience: Duration, _ wake: WakeEvent
  ) {
    // Others see that it is being opened.
    update(wakes: false) { _ in }
    let opened: any OpenCameraDevice
    do throws(CaptureError) {
      opened = try device.open(choice.wish, bufferCount: configuration.bufferCount)
      let now = clock.now
      var isOther = false
      update(wakes: false) { isOther = $0.isOther(signal: opened.signal, attachment: attachment, now: now) }
      if isOther {
        opened.stop()
        return
      }
      do throws(CaptureError) {
        try opened.start()
      } catch {
        opened.stop()
        throw error
      }
    } catch {
      log.debug("\(device.node) with \(choice): \(error)")
      ended(.failed(error), attachment, choice, ranFor: .zero, hadPictures: false)
      return
    }
    update(wakes: false) { $0.opened(opened.granted) }
    tellFlips()
    let start = clock.now
    let session = CaptureSession(
      opened, inspector: inspector(opened.granted),
      surroundings(attachment, choice, patience, wake, granted: opened.granted.rate))
    let end = session.stream()
    controls.rateChanged(nil)
    opened.stop()
    ended(end, attachment, choice, ranFor: clock.now - start, hadPictures: session.hasGoodPicture)
  }

  /// H.264 is flipped by the camera itself; pictures in other formats are turned here, and must not come flipped.
  private func tellFlips() {
    var told: CameraFlips??
    while true {
      let (picture, format) = control.withLock { ($0.picture, $0.streamState.granted?.pixelFormat) }
      let flips = CameraFlips(horizontal: picture.flipsHorizontally, vertical: picture.flipsVertically)
      let wanted = picture.isIdentity ? nil : format == .h264 && picture.isFlipsOnly ? flips : CameraFlips()
      // Another thread may have told what was so before.
      if told == .some(wanted) { return }
      controls.setFlips(wanted)
      told = wanted
    }
  }

  private func tellControls(_ report: SessionReport, _ granted: FrameRate?) {
    switch report {
    // After a stall too: whatever the camera went through, it has its controls again.
    case .streaming: controls.pictureCame()
    case .slow(let measured?):
      if let granted { controls.rateChanged((measured, granted.perSecond)) }
    case .slow(nil): controls.rateChanged(nil)
    case .stalled, .spoilt, .gotKeyframeRefused, .undecodable, .looks: break
    }
  }

  private func ended(
    _ end: SessionEnd, _ attachment: Int, _ choice: FormatChoice, ranFor: Duration, hadPictures: Bool
  ) {
    let now = clock.now
    var turn: BusTurns.Turn?
    let trouble = end.busTrouble(hadPictures: hadPictures)
    if let trouble, let bus = control.withLock({ $0.streamState.device?.bus }) {
      let next = buses.next(trouble, of: id, bus: bus, at: now)
      turn = next
      if next.isOverloaded {
        log.once("bus", "the bus \(BusTurns.controller(bus)) is overloaded: its cameras start one after another")
      }
    }
    update(wakes: false) { control in
      control.ended(
        end, attachment: attachment, choice: choice, ranFor: ranFor, hadPictures: hadPictures, now: now)
      if turn?.asksForLess == true { control.relieveBus(from: choice) }
      if let turn { control.holdOff(until: turn.time) }
    }
  }

  private func surroundings(
    _ attachment: Int, _ choice: FormatChoice, _ patience: Duration, _ wake: WakeEvent, granted: FrameRate?
  ) -> CaptureSession.Surroundings {
    CaptureSession.Surroundings(
      hub: hub, counters: counters, clock: clock, sleeper: sleeper, wake: wake, limits: configuration.stall,
      patience: patience,
      nextRun: { self.control.withLock { $0.nextRun() } },
      orders: {
        let now = self.clock.now
        return self.control.withLock { $0.orders(attachment: attachment, choice: choice, now: now) }
      },
      report: { report in
        self.update(wakes: false) { $0.report(report) }
        self.log.tell(report)
        self.tellControls(report, granted)
      },
      parameters: { sets in self.parameters.withLock { $0 = sets } },
      note: { kind, text in self.log.once(kind, text) })
  }
}
