import CamrigModel
import DaemonKit
import Frames
import Sound

/// One microphone of the rig for the life of the daemon: it stays the same over unplugging and replugging, and so does
/// its hub. While it is open, a thread of its own fetches the sound; while it is idle there is no thread.
/// All calls return at once (but `shutdown`) and may come from anywhere.
package final class Microphone: Sendable {
  package let id: MicrophoneID
  package let hub: SoundHub

  private let clock: any RigClock
  private let sleeper: any CaptureSleeper
  private let log: Log
  private let changed: @Sendable () -> Void
  private let control: Guarded<MicrophoneControl>
  private let worker = Guarded(Worker())
  private let xrunCount = Guarded<UInt64>(0)
  /// What the log has heard since it was plugged in.
  private let told = Guarded<Set<String>>([])

  /// The thread and what wakes it; made for the first errand.
  private struct Worker {
    var thread: CaptureThread?
    var wake: WakeEvent?
  }

  /// - Parameter changed: called after each change of the state, from any thread, with no lock held. It must not call
  ///   `shutdown`.
  package init(
    id: MicrophoneID, configuration: CaptureConfiguration, clock: any RigClock, log: Log,
    sleeper: any CaptureSleeper = PollSleeper(), changed: @escaping @Sendable () -> Void
  ) {
    self.id = id
    self.clock = clock
    self.sleeper = sleeper
    self.log = log
    self.changed = changed
    hub = SoundHub(prerollLength: configuration.prerollLength)
    control = Guarded(MicrophoneControl(graceTime: configuration.graceTime))
  }

  // MARK: What others want

  /// Plugged in. Idempotent; another node replaces the one before.
  package func attach(_ device: any SoundDevice) {
    update { control in
      if control.attach(device) { told.withLock { $0 = [] } }
    }
  }

  /// Gone. Idempotent.
  package func detach() { update { $0.detach() } }

  package func setMuted(_ muted: Bool) { update { $0.isMuted = muted } }

  /// One that is not enabled is closed, whoever wants it.
  package func setEnabled(_ enabled: Bool) { update { $0.setEnabled(enabled) } }

  /// Opens the microphone, or keeps it open, until `release` was called as often as this for each reason, and the
  /// grace time after that.
  package func demand(_ reason: MicrophoneDemand) { update { $0.demand(reason) } }

  package func release(_ reason: MicrophoneDemand) {
    let now = clock.now
    update { $0.release(reason, now: now) }
  }

  /// Another program closed it: tries again now.
  package func retryNow() { update { $0.retryNow() } }

  /// Stops, closes, and waits for the thread. Nothing is started after that.
  package func shutdown() {
    update { $0.shutDown() }
    worker.withLock { $0.thread }?.join()
  }

  // MARK: What others see

  package struct Status: Hashable, Sendable {
    package var state: MicrophoneState
    /// The state in words, with the cure where something is wrong; empty when all is well.
    package var message: String
    package var format: SoundFormat?
    package var xruns: UInt64
  }

  package var status: Status {
    let xruns = xrunCount.withLock { $0 }
    return control.withLock {
      var format = $0.state == .streaming ? $0.format : nil
      if let stated = format?.rate { format?.rate = $0.rate(stated: stated) ?? stated }
      return Status(state: $0.state, message: $0.message, format: format, xruns: xruns)
    }
  }

  // MARK: State

  /// - Parameter wakes: false on the capture thread, which looks for itself.
  private func update(wakes: Bool = true, _ change: (inout MicrophoneControl) -> Void) {
    let (before, after, mustStart) = control.withLock { control in
      let before = (state: control.state, message: control.message)
      change(&control)
      let mustStart = control.needsThread && !control.isThreadRunning
      if mustStart { control.isThreadRunning = true }
      return (before, (state: control.state, message: control.message), mustStart)
    }
    if mustStart {
      startThread()
    } else if wakes {
      worker.withLock { $0.wake }?.signal()
    }
    guard before != after else { return }
    tell(after.state, after.message)
    changed()
  }

  /// Each state once until it is plugged in anew.
  private func tell(_ state: MicrophoneState, _ message: String) {
    guard told.withLock({ $0.insert("\(state) \(message)").inserted }) else { return }
    switch state {
    case .busy: log.warning("\(id): \(message)")
    case .failed: log.error("\(id): \(message)")
    case .streaming where message.isEmpty: log.info("\(id): sound comes")
    case .streaming: log.warning("\(id): \(message)")
    case .offline, .idle, .starting, .disabled: break
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
        worker.thread = try CaptureThread(name: "mic \(id.rawValue.suffix(11))") { self.work(wake) }
      }
    } catch {
      control.withLock { $0.threadFailed(error) }
      tell(.failed, error.description)
      changed()
    }
  }

  private func work(_ wake: WakeEvent) {
    while true {
      let now = clock.now
      var errand = MicrophoneControl.Errand.end
      update(wakes: false) { errand = $0.errand(now: now) }
      switch errand {
      case .end: return
      case .wait(let time): sleeper.wait(atMost: time - now, wake: wake)
      case .open(let device, let attachment): stream(device, attachment, wake)
      }
    }
  }

  private func stream(_ device: any SoundDevice, _ attachment: Int, _ wake: WakeEvent) {
    let opened: any OpenSoundDevice
    do throws(SoundError) {
      opened = try device.open()
      do throws(SoundError) {
        try opened.start()
      } catch {
        opened.stop()
        throw error
      }
    } catch {
      let now = clock.now
      update(wakes: false) { $0.ended(.failed(error), attachment: attachment, ranFor: .zero, now: now) }
      return
    }
    update(wakes: false) { $0.opened(opened.format) }
    let start = clock.now
    let stated = opened.format.rate
    let session = MicrophoneSession(
      opened, rate: control.withLock { $0.rate(stated: stated) }, surroundings(attachment, wake, stated: stated))
    let end = session.stream(as: device.node)
    opened.stop()
    let now = clock.now
    update(wakes: false) { $0.ended(end, attachment: attachment, ranFor: now - start, now: now) }
  }

  private func surroundings(
    _ attachment: Int, _ wake: WakeEvent, stated: Int
  ) -> MicrophoneSession.Surroundings {
    MicrophoneSession.Surroundings(
      hub: hub, clock: clock, wake: wake, nextRun: { self.control.withLock { $0.nextRun() } },
      orders: {
        let now = self.clock.now
        return self.control.withLock { $0.orders(attachment: attachment, now: now) }
      },
      sounds: { self.update(wakes: false) { $0.sounds() } },
      xrun: { self.xrunCount.withLock { $0 &+= 1 } },
      rate: { rate in self.update(wakes: false) { $0.gives(rate, stated: stated) } })
  }
}
