import CamrigModel
import Frames

/// Where a microphone's sound goes on the take's grid: its time stamps decide, its own clock never does. Within a run
/// sound is stretched so little that nobody hears it; what is missing becomes declared silence; what comes too late is
/// dropped, since silence stands in its place already.
package struct SoundTrackPlan: Sendable {
  package enum Step: Hashable, Sendable {
    /// A resampler for the run. The sound to come belongs at `at`: up to there is silence, what lies before is dropped.
    case begin(SoundRun, at: Int64, SilenceCause)
    /// The block goes into the resampler.
    case feed(ratio: Double)
    /// So many zeros go into the resampler, and are declared.
    case feedSilence(Int64, SilenceCause, ratio: Double)
    /// What the resampler holds comes out, and it is done with.
    case end
    case silence(SilenceCause, upTo: Int64)
  }

  /// How far the work has come.
  package struct Position: Hashable, Sendable {
    /// The sample frame that comes next; nil: nothing has come, any will do.
    package var next: Int64?
    /// By how much it is earlier than the next sound to go into the resampler.
    package var delay: Duration

    package init(next: Int64?, delay: Duration = .zero) {
      self.next = next
      self.delay = delay
    }
  }

  /// An error above this is no drift: the sound is put where it belongs at once.
  package static let jump: Duration = .milliseconds(40)
  /// A loss up to this goes through the resampler, so that the sound goes on behind it to the very sample.
  package static let shortLoss: Duration = .seconds(1)
  /// So long sound may be on its way.
  package static let patience: Duration = .seconds(2)
  /// So long the first sound of a microphone that just comes may be on its way.
  package static let settling: Duration = .milliseconds(500)

  private let grid: SoundGrid
  /// Added to the sound's time stamps.
  private let offset: Duration
  private var drift = DriftCorrection()
  private var run: SoundRun?
  /// Of the newest run.
  private var rate: Int?
  private var flows = false
  /// Why there is no sound at present.
  package private(set) var absence: SilenceCause = .absent

  package init(grid: SoundGrid, offset: Duration = .zero) {
    self.grid = grid
    self.offset = offset
  }

  /// Sound is to be expected.
  package var isOn: Bool { run != nil }

  package mutating func next(_ item: SoundItem, at position: Position) -> [Step] {
    switch item {
    case .started(let run):
      let steps = self.run == nil ? [] : interrupt(.stopped)
      self.run = run
      // What was learnt of a clock is worth nothing where its rate was another one.
      if let rate, rate != run.rate { drift = DriftCorrection() }
      rate = run.rate
      return steps
    case .block(let block): return next(block, at: position)
    case .lost(let loss): return lost(loss)
    case .ended(let end):
      run = nil
      return interrupt(SilenceCause(end.reason))
    }
  }

  private mutating func next(_ block: SoundBlock, at position: Position) -> [Step] {
    guard let run, block.run == run.number, block.count > 0 else { return [] }
    let time = block.presentationTime + offset
    let length = Duration.nanoseconds(Int64(block.count) * 1_000_000_000 / Int64(run.rate))
    guard flows, let next = position.next else { return begin(run, block, time, length, position.next) }
    let error = (time - position.delay) - grid.time(next)
    guard error <= Self.jump, error >= .zero - Self.jump else {
      return interrupt(.clock) + begin(run, block, time, length, next)
    }
    return [.feed(ratio: drift.update(error: error, elapsed: length))]
  }

  private mutating func begin(
    _ run: SoundRun, _ block: SoundBlock, _ time: MediaTime, _ length: Duration, _ next: Int64?
  ) -> [Step] {
    if let next, grid.index(time + length) <= next { return [] }
    flows = true
    drift.restart()
    return [.begin(run, at: grid.index(time), absence), .feed(ratio: drift.ratio)]
  }

  private mutating func lost(_ loss: SoundLoss) -> [Step] {
    guard let run, loss.run == run.number else { return [] }
    let cause = SilenceCause(loss.cause)
    guard flows, loss.count <= Int64(run.rate) * Self.shortLoss.components.seconds else { return interrupt(cause) }
    return [.feedSilence(loss.count, cause, ratio: drift.ratio)]
  }

  /// What follows begins anew where its time stamp says.
  private mutating func interrupt(_ cause: SilenceCause) -> [Step] {
    absence = cause
    guard flows else { return [] }
    flows = false
    return [.end]
  }

  /// The sound up to `wanted` is to be written: what cannot be expected any more is silence.
  /// - Parameter now: nil: nothing is waited for.
  package mutating func fill(upTo wanted: Int64, now: MediaTime?, at position: Position) -> [Step] {
    var end = wanted
    if let now {
      let patience = run == nil ? Self.settling : Self.patience
      end = min(end, grid.index(now + offset - patience))
    }
    guard let next = position.next, next < end else { return [] }
    guard let run else { return [.silence(absence, upTo: end)] }
    // Until it began it was away, and not late.
    let begun = min(end, grid.index(run.time + offset))
    let away: [Step] = !flows && next < begun ? [.silence(absence, upTo: begun)] : []
    return begun < end ? away + interrupt(.late) + [.silence(absence, upTo: end)] : away
  }
}

extension SilenceCause {
  fileprivate init(_ cause: SoundLoss.Cause) {
    self =
      switch cause {
      case .xrun: .xrun
      case .queueOverflow: .queueOverflow
      }
  }

  fileprivate init(_ reason: StreamEnd.Reason) {
    self =
      switch reason {
      case .unplugged: .unplugged
      case .stopped, .reset: .stopped
      case .stalled, .failed: .failed
      }
  }
}
