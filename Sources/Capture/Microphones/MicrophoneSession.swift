import CamrigModel
import Frames
import Sound

/// One open microphone from its start to its end, on its capture thread: fetches the sound, says when it was, and
/// publishes it. Within a run every sample frame is published in one block or one loss.
final class MicrophoneSession {
  /// What it needs of its microphone.
  struct Surroundings {
    let hub: SoundHub
    let clock: any RigClock
    let wake: WakeEvent
    let nextRun: () -> Int
    let orders: () -> MicrophoneOrders
    /// The first sound has come.
    let sounds: () -> Void
    /// Sound was lost because nobody fetched it.
    let xrun: () -> Void
    /// It gives so many sample frames a second, whatever its driver says.
    let rate: (Int) -> Void
  }

  /// No sound for so long: the device is stuck.
  private static let patience: Duration = .seconds(3)
  /// What is missing longer is a new run, not a loss.
  private static let longestLoss: Duration = .seconds(10)

  private let device: any OpenSoundDevice
  private let around: Surroundings
  private let format: SoundFormat
  private var run: Int?
  private var clock: SoundClock
  private var meter: RateMeter
  private var position: Int64 = 0
  /// All sample frames that came.
  private var count: Int64 = 0
  private var isInterrupted = false

  /// - Parameter rate: what it is known to give; nil: what its driver says.
  init(_ device: any OpenSoundDevice, rate: Int?, _ around: Surroundings) {
    self.device = device
    self.around = around
    format = device.format
    meter = RateMeter(stated: format.rate, rate: rate)
    clock = SoundClock(rate: meter.rate)
  }

  /// Until the end, which is published too.
  func stream(as name: String) -> MicrophoneEnd {
    let end: MicrophoneEnd
    do throws(SoundError) {
      end = try sound(as: name)
    } catch {
      end = .failed(error)
    }
    switch end {
    case .ordered: endRun(.stopped, "")
    case .unplugged, .failed(.unplugged): endRun(.unplugged, "the microphone was unplugged")
    case .failed(let error): endRun(.failed, error.description)
    }
    return end
  }

  private func sound(as name: String) throws(SoundError) -> MicrophoneEnd {
    var lastSound = around.clock.now
    while true {
      let orders = around.orders()
      if let end = orders.end { return end }
      var deadline = lastSound + Self.patience
      if let closeAt = orders.closeAt { deadline = min(deadline, closeAt) }
      switch try device.next(timeout: max(.zero, deadline - around.clock.now), wake: around.wake.descriptor) {
      case .piece(let piece):
        lastSound = around.clock.now
        take(piece, isMuted: orders.isMuted)
      case .interrupted:
        // It has only just been started again.
        lastSound = around.clock.now
        // Twice with no sound between: it would go on so at the speed of the machine.
        if isInterrupted { throw .silent(device: name) }
        isInterrupted = true
        if run != nil { around.xrun() }
      case .woken: around.wake.drain()
      // Only where the device has nothing: this process may have stood still for longer than that.
      case .timeout: guard around.clock.now < lastSound + Self.patience else { throw .silent(device: name) }
      }
    }
  }

  private func take(_ piece: SoundPiece, isMuted: Bool) {
    if isInterrupted {
      isInterrupted = false
      meter.restart()
      // The device has counted anew; its time says how much went by.
      lose(clock.position(at: piece.time) - position - Int64(piece.stampedFrames))
    }
    if let rate = meter.observe(count + Int64(piece.stampedFrames), at: piece.time) {
      around.rate(rate)
      startAnew("it gives \(rate) sample frames a second, not as many as it seemed")
    }
    count += Int64(piece.samples.count / format.channels)
    switch clock.observe(position + Int64(piece.stampedFrames), at: piece.time) {
    case .steady, .ignored: break
    case .lost(let count): lose(count)
    case .restart: startAnew("the driver gave more sound than time went by")
    }
    let run = beginRun(with: piece)
    publish(piece, run, isMuted: isMuted)
    position += Int64(piece.samples.count / format.channels)
  }

  private func publish(_ piece: SoundPiece, _ run: Int, isMuted: Bool) {
    let samples = isMuted ? [Float](repeating: 0, count: piece.samples.count) : piece.samples
    around.hub.publish(
      .block(
        SoundBlock(
          run: run, position: position, presentationTime: clock.time(of: position), channels: format.channels,
          samples: samples)))
  }

  private func lose(_ count: Int64) {
    guard count > 0, let run else { return }
    guard count <= Int64(Self.longestLoss.inSeconds) * Int64(meter.rate) else {
      return startAnew("no sound was fetched for long")
    }
    around.hub.publish(
      .lost(SoundLoss(cause: .xrun, run: run, position: position, count: count, time: clock.time(of: position))))
    position += count
  }

  private func beginRun(with piece: SoundPiece) -> Int {
    if let run { return run }
    let number = around.nextRun()
    run = number
    // After a restart the clock knows nothing of this piece yet.
    _ = clock.observe(position + Int64(piece.stampedFrames), at: piece.time)
    around.hub.publish(
      .started(
        SoundRun(
          number: number, rate: meter.rate, statedRate: format.rate, channels: format.channels,
          bits: format.significantBits > 16 ? 24 : 16, time: clock.time(of: position))))
    around.sounds()
    return number
  }

  private func startAnew(_ why: String) {
    endRun(.reset, why)
    clock = SoundClock(rate: meter.rate)
    position = 0
  }

  private func endRun(_ reason: StreamEnd.Reason, _ message: String) {
    guard let run else { return }
    self.run = nil
    around.hub.publish(.ended(StreamEnd(run: run, reason: reason, message: message, time: around.clock.now)))
  }
}
