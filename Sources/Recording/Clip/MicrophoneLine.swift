import CamrigModel
import Codec
import Dispatch
import Frames

/// One microphone's sound for one camera: takes it from its queue and puts it on the take's grid. Used by the camera's
/// recorder alone, but for the queue.
package final class MicrophoneLine {
  let microphone: TakeMicrophone
  let grid: SoundGrid
  private let queue: SoundQueue
  private var plan: SoundTrackPlan
  private var line = SoundLine()
  private var resampler: SoundResampler?
  /// Why the running sound cannot be used, told once.
  private(set) var problem: String?
  /// Of the newest run; a track's channels are those that are known when its clip opens.
  private(set) var channels = 1
  /// Likewise.
  private(set) var bits = 16
  /// Of the newest run, where it is not what its driver says.
  private(set) var wrongRate: (stated: Int, given: Int)?
  private var holes = HoleAlarm()
  /// Of the newest run.
  private var rate = 0
  private var settlesFrom = MediaTime(nanoseconds: 0)
  /// Listened to from then on.
  private(set) var since = MediaTime(nanoseconds: 0)
  private var hasOpened = false
  /// Nil: it has come, or has never been missed.
  private(set) var ended: StreamEnd?
  private(set) var hasCome = false

  /// Of a track: what a card of many inputs has beyond it is left out.
  private static let mostChannels = 8
  /// In the first seconds of a rate it may have to be found.
  private static let settling: Duration = .seconds(4)

  /// - Parameter patience: how long the recorder may be busy elsewhere.
  package init(_ microphone: TakeMicrophone, grid: SoundGrid, patience: Duration) {
    self.microphone = microphone
    self.grid = grid
    plan = SoundTrackPlan(grid: grid, offset: microphone.offset)
    // One that comes later may have as many channels as a track.
    let run = microphone.hub.newestRun
    let perSecond = Double(max(run?.rate ?? 0, SoundGrid.rate) * max(run?.channels ?? 0, Self.mostChannels))
    queue = SoundQueue(capacitySamples: Int(perSecond * (patience + .seconds(2)).inSeconds))
  }

  package func listen(from time: MediaTime) {
    since = time
    microphone.hub.add(queue, from: time - microphone.offset)
    // Until it comes, or comes again, it is taken to be as it was.
    if let run = microphone.hub.newestRun { note(run) }
  }

  package func stop() {
    microphone.hub.remove(queue)
    queue.close()
  }

  /// All that has come since the last call.
  package func take() {
    for item in queue.take() ?? [] {
      switch item {
      case .started(let run):
        note(run)
        ended = nil
        hasCome = true
      case .ended(let end): ended = end
      case .block, .lost: break
      }
      for step in plan.next(item, at: position) { carry(step, item) }
    }
  }

  private func note(_ run: SoundRun) {
    (channels, bits) = (min(run.channels, Self.mostChannels), run.bits)
    wrongRate = run.rate == run.statedRate ? nil : (run.statedRate, run.rate)
    // A clock that begins anew all the time at the same rate is no beginning.
    if rate != run.rate { settlesFrom = run.time }
    rate = run.rate
  }

  /// What comes from the microphone has holes again and again.
  func isFullOfHoles(at now: MediaTime) -> Bool { holes.rings(at: now) }

  private func noteHole(at index: Int64, _ cause: SilenceCause) {
    guard cause == .clock || cause == .xrun, grid.time(index) - settlesFrom > Self.settling else { return }
    holes.hole(at: grid.time(index))
  }

  private var position: SoundTrackPlan.Position {
    SoundTrackPlan.Position(next: line.range?.upperBound, delay: resampler?.delay ?? .zero)
  }

  private func carry(_ step: SoundTrackPlan.Step, _ item: SoundItem? = nil) {
    switch step {
    case .begin(let run, let index, let cause):
      if line.range == nil { line.begin(at: index) }
      noteHole(at: index, cause)
      line.append(silence: cause, upTo: index)
      make(run, skippingTo: index)
    case .feed(let ratio):
      guard case .block(let block)? = item else { return }
      feed(block.samples.dropFirst(skip(block)), ratio)
    case .feedSilence(let count, let cause, let ratio):
      let first = nextSound
      noteHole(at: first, cause)
      feed([Float](repeating: 0, count: Int(count) * resamplerChannels)[...], ratio)
      line.declare(Silence(cause: cause, first: first, count: nextSound - first))
    case .end:
      guard let resampler else { return }
      self.resampler = nil
      attempt { () throws(CodecError) in line.append(try resampler.finish(), channels: resamplerChannels) }
    case .silence(let cause, let index): line.append(silence: cause, upTo: index)
    }
  }

  // MARK: The resampler

  private var resamplerChannels = 1
  private var resamplerRate = SoundGrid.rate
  /// Of the grid: so much of the sound to come lies before what waits already.
  private var surplus: Int64 = 0

  private func make(_ run: SoundRun, skippingTo index: Int64) {
    surplus = max(0, (line.range?.upperBound ?? index) - index)
    resamplerChannels = run.channels
    resamplerRate = run.rate
    attempt { () throws(CodecError) in
      resampler = try SoundResampler(channels: run.channels, rate: run.rate, to: SoundGrid.rate)
    }
  }

  /// Values at the block's front that are not needed.
  private func skip(_ block: SoundBlock) -> Int {
    defer { surplus = 0 }
    return min(Int(surplus) * resamplerRate / SoundGrid.rate, block.count) * block.channels
  }

  /// The sample frame of the grid that the next sound to go in will be.
  private var nextSound: Int64 {
    guard let position = line.range?.upperBound, let resampler else { return line.range?.upperBound ?? 0 }
    return position + Int64((resampler.delay.inSeconds * Double(SoundGrid.rate)).rounded())
  }

  private func feed(_ samples: ArraySlice<Float>, _ ratio: Double) {
    guard let resampler, !samples.isEmpty else { return }
    attempt { () throws(CodecError) in
      line.append(try resampler.resample(samples, ratio: ratio), channels: resamplerChannels)
    }
  }

  /// What cannot be converted is as good as not there.
  private func attempt(_ work: () throws(CodecError) -> Void) {
    do throws(CodecError) {
      try work()
    } catch {
      resampler = nil
      problem = error.description
    }
  }

  // MARK: What waits

  /// The end of what can be written.
  package var end: Int64? { line.range?.upperBound }

  /// A clip begins: sound before it is not needed.
  package func open(at index: Int64) {
    // Pre-roll of pictures may reach further back than that of sound.
    line.open(at: index, cause: hasOpened ? .late : .absent)
    hasOpened = true
  }

  /// What cannot be expected any more is silence; with `now` nil, all that is missing.
  package func fill(upTo index: Int64, now: MediaTime?) {
    for step in plan.fill(upTo: index, now: now, at: position) { carry(step) }
  }

  package func read(_ range: Range<Int64>, channels: Int) -> (samples: [Float], silences: [Silence]) {
    line.read(range, channels: channels)
  }

  /// It is written, or not needed.
  package func drop(before index: Int64) { line.drop(before: index, cause: plan.absence) }

  /// No clip is open: keeps what one could begin with.
  func trim(before index: Int64) {
    guard let range = line.range, index > range.lowerBound else { return }
    line.drop(before: min(index, range.upperBound), cause: plan.absence)
  }

  /// Blocks until the sound up to `index` has come or cannot be expected, at most until `limit`.
  func wait(upTo index: Int64, until limit: DispatchTime) {
    take()
    guard let next = end, next < index, plan.isOn else { return }
    let heard = DispatchSemaphore(value: 0)
    let listener = microphone.hub.addListener { _ in heard.signal() }
    defer { microphone.hub.removeListener(listener) }
    while let next = end, next < index, plan.isOn {
      guard heard.wait(timeout: limit) == .success else { return }
      take()
    }
  }
}
