import CamrigModel
import Frames
import Recording
import Testing

@Suite("Where a microphone's sound goes")
struct SoundRuleTests {
  private static let origin = MediaTime(seconds: 1000, microseconds: 0)
  private let grid = SoundGrid(origin: origin)
  private let run = SoundRun(number: 1, rate: 48_000, channels: 1, time: origin)

  private func block(_ milliseconds: Int64, count: Int = 960, run: Int = 1) -> SoundItem {
    .block(
      SoundBlock(
        run: run, position: 0, presentationTime: Self.origin + .milliseconds(milliseconds), channels: 1,
        samples: [Float](repeating: 0, count: count)))
  }

  private func at(_ next: Int64?) -> SoundTrackPlan.Position { SoundTrackPlan.Position(next: next) }

  @Test("a sample frame has the same time whichever way it is counted, for days and before the beginning")
  func numbers() {
    for index in [0, 1, 47_999, 48_000, -1, -48_001, 48_000 * 86_400 * 30 + 7] as [Int64] {
      #expect(grid.index(grid.time(index)) == index)
    }
    #expect(grid.index(Self.origin + .milliseconds(1)) == 48)
    #expect(grid.index(Self.origin - .milliseconds(1)) == -48)
    #expect(grid.time(-48).nanoseconds == Self.origin.nanoseconds - 1_000_000)
  }

  @Test("the first sound goes where its time says, with silence up to there")
  func begins() {
    var plan = SoundTrackPlan(grid: grid)
    #expect(plan.next(.started(run), at: at(0)) == [])
    #expect(plan.next(block(100), at: at(0)) == [.begin(run, at: 4800, .absent), .feed(ratio: 1)])
    #expect(plan.next(block(120), at: at(5760)) == [.feed(ratio: 1)])
  }

  @Test("a chosen offset moves all of it")
  func offset() {
    var plan = SoundTrackPlan(grid: grid, offset: .milliseconds(-30))
    _ = plan.next(.started(run), at: at(0))
    #expect(plan.next(block(100), at: at(0)).first == .begin(run, at: 3360, .absent))
  }

  @Test("sound of a time that is written already is dropped")
  func tooLate() {
    var plan = SoundTrackPlan(grid: grid)
    _ = plan.next(.started(run), at: at(48_000))
    #expect(plan.next(block(900), at: at(48_000)) == [])
    #expect(plan.next(block(990), at: at(48_000)).first == .begin(run, at: 47_520, .absent))
  }

  @Test("a short loss goes through the resampler, a long one ends it, and both are declared with their cause")
  func losses() {
    var plan = SoundTrackPlan(grid: grid)
    _ = plan.next(.started(run), at: at(0))
    _ = plan.next(block(0), at: at(0))
    let loss = { (count: Int64) in
      SoundItem.lost(SoundLoss(cause: .xrun, run: 1, position: 960, count: count, time: Self.origin))
    }
    #expect(plan.next(loss(4800), at: at(960)) == [.feedSilence(4800, .xrun, ratio: 1)])
    #expect(plan.next(loss(48_001), at: at(5760)) == [.end])
    #expect(plan.next(block(2000), at: at(5776)) == [.begin(run, at: 96_000, .xrun), .feed(ratio: 1)])
  }

  @Test("time stamps that jump put the sound where they say at once")
  func jump() {
    var plan = SoundTrackPlan(grid: grid)
    _ = plan.next(.started(run), at: at(0))
    _ = plan.next(block(0), at: at(0))
    #expect(plan.next(block(20 + 41), at: at(960)).prefix(2) == [.end, .begin(run, at: 2928, .clock)])
    // Backwards: what is written stays, and covers it.
    #expect(plan.next(block(0), at: at(3888)) == [.end])
  }

  @Test("what an unplugged microphone does not give is silence up to half a second ago, and it comes back by itself")
  func unplugged() {
    var plan = SoundTrackPlan(grid: grid)
    _ = plan.next(.started(run), at: at(0))
    _ = plan.next(block(0), at: at(0))
    #expect(plan.next(.ended(StreamEnd(run: 1, reason: .unplugged, time: Self.origin)), at: at(960)) == [.end])
    let now = Self.origin + .seconds(3)
    #expect(plan.fill(upTo: 200_000, now: now, at: at(976)) == [.silence(.unplugged, upTo: 120_000)])
    #expect(plan.fill(upTo: 48_000, now: now, at: at(976)) == [.silence(.unplugged, upTo: 48_000)])
    let again = SoundRun(number: 2, rate: 16_000, channels: 2, time: now)
    #expect(plan.next(.started(again), at: at(120_000)) == [])
    #expect(plan.next(block(3000, run: 1), at: at(120_000)) == [])
    #expect(plan.next(block(3000, run: 2), at: at(120_000)).first == .begin(again, at: 144_000, .unplugged))
  }

  @Test("what is written before a microphone's first sound was absent until it began, and late only since")
  func absentThenLate() {
    var plan = SoundTrackPlan(grid: grid)
    let began = SoundRun(number: 1, rate: 48_000, channels: 1, time: Self.origin + .seconds(3))
    _ = plan.next(.started(began), at: at(0))
    #expect(
      plan.fill(upTo: 150_000, now: Self.origin + .seconds(3), at: at(0)) == [.silence(.absent, upTo: 48_000)])
    #expect(plan.next(block(3000), at: at(48_000)).first == .begin(began, at: 144_000, .absent))
    var silent = SoundTrackPlan(grid: grid)
    _ = silent.next(.started(began), at: at(0))
    #expect(
      silent.fill(upTo: 192_000, now: nil, at: at(0)) == [
        .silence(.absent, upTo: 144_000), .silence(.late, upTo: 192_000),
      ])
  }

  @Test("sound that is only late is waited for two seconds, or not at all where the clip ends")
  func patience() {
    var plan = SoundTrackPlan(grid: grid)
    _ = plan.next(.started(run), at: at(0))
    _ = plan.next(block(0), at: at(0))
    #expect(plan.fill(upTo: 96_000, now: Self.origin + .seconds(2), at: at(960)) == [])
    #expect(plan.fill(upTo: 96_000, now: nil, at: at(960)) == [.end, .silence(.late, upTo: 96_000)])
  }

  @Test("what was learnt of a clock is forgotten with its rate, and kept with a run")
  func newRate() {
    var plan = SoundTrackPlan(grid: grid)
    _ = plan.next(.started(run), at: at(0))
    _ = plan.next(block(0), at: at(0))
    for number in 1...200 as ClosedRange<Int64> { _ = plan.next(block(number * 20 + 30), at: at(number * 960)) }
    func ratio(_ number: Int, _ rate: Int, _ time: Int64) -> Double? {
      _ = plan.next(.ended(StreamEnd(run: number - 1, reason: .reset, time: Self.origin)), at: at(192_960))
      _ = plan.next(.started(SoundRun(number: number, rate: rate, channels: 1, time: Self.origin)), at: at(192_960))
      guard case .feed(let ratio)? = plan.next(block(time, run: number), at: at(192_960)).last else { return nil }
      return ratio
    }
    #expect((ratio(2, 48_000, 5000) ?? 0) > 1.003)
    #expect(ratio(3, 44_100, 6000) == 1)
  }

  @Test("five holes within a minute are told, until they are rarer")
  func holes() {
    var alarm = HoleAlarm()
    for number in 0..<5 as Range<Int64> {
      #expect(!alarm.rings(at: Self.origin + .seconds(number * 10)))
      alarm.hole(at: Self.origin + .seconds(number * 10))
    }
    // Once it rings, one hole in a while is the same trouble still.
    for second in 40..<600 as Range<Int64> {
      if second % 13 == 0 { alarm.hole(at: Self.origin + .seconds(second)) }
      #expect(alarm.rings(at: Self.origin + .seconds(second)))
    }
    #expect(alarm.rings(at: Self.origin + .seconds(598 + 60)))
    #expect(!alarm.rings(at: Self.origin + .seconds(598 + 61)))
    alarm.hole(at: Self.origin + .seconds(700))
    #expect(!alarm.rings(at: Self.origin + .seconds(700)))
  }

  @Test("a clock that is off is followed within half a percent, and then the sound does not drift")
  func drift() {
    for offBy in [500e-6, -500e-6, 5000e-6, -5000e-6] {
      var drift = DriftCorrection()
      var error = 0.0
      var worst = 0.0
      for _ in 0..<50 * 600 {
        let ratio = drift.update(error: .nanoseconds(Int64(error * 1e9)), elapsed: .milliseconds(20))
        #expect(abs(ratio - 1) <= DriftCorrection.rateLimit + DriftCorrection.pullLimit)
        error += 0.02 * (offBy - (ratio - 1))
        worst = max(worst, abs(error))
      }
      #expect(worst < abs(offBy) * 3, "\(offBy): at worst \(worst) s")
      #expect(abs(error) < 1e-6)
    }
  }
}

@Suite("Sound that waits")
struct SoundLineTests {
  @Test("is read in any pieces, with silence declared where there is none")
  func reads() {
    var line = SoundLine()
    line.begin(at: 10)
    line.append([1, 2, 3], channels: 1)
    line.append(silence: .late, upTo: 15)
    line.append([6, 7], channels: 1)
    line.declare(Silence(cause: .xrun, first: 11, count: 1))
    #expect(line.range == 10..<17)
    let all = line.read(10..<17, channels: 1)
    #expect(all.samples == [1, 0, 3, 0, 0, 6, 7])
    #expect(all.silences.byCause == [.xrun: 1, .late: 2])
    #expect(line.read(12..<16, channels: 1).samples == [3, 0, 0, 6])
    #expect(line.read(14..<15, channels: 1).silences == [Silence(cause: .late, first: 14, count: 1)])
    line.drop(before: 12, cause: .late)
    #expect(line.range == 12..<17)
    #expect(line.read(12..<17, channels: 1).samples == [3, 0, 0, 6, 7])
  }

  @Test("has the channels that are asked for")
  func channels() {
    var line = SoundLine()
    line.begin(at: 0)
    line.append([1, 3, 5, 7], channels: 2)
    #expect(line.read(0..<2, channels: 1).samples == [2, 6])
    #expect(line.read(0..<2, channels: 2).samples == [1, 3, 5, 7])
    #expect(line.read(1..<2, channels: 3).samples == [5, 7, 0])
    line.append([9], channels: 1)
    #expect(line.read(2..<3, channels: 2).samples == [9, 9])
  }

  @Test("a clip may open before, within and behind it")
  func opens() {
    var line = SoundLine()
    line.begin(at: 10)
    line.append([1, 2, 3, 4], channels: 1)
    line.drop(before: 11, cause: .late)
    line.open(at: 8, cause: .absent)
    #expect(line.range == 8..<14)
    #expect(line.read(8..<14, channels: 1).samples == [0, 0, 0, 2, 3, 4])
    #expect(line.read(8..<14, channels: 1).silences == [Silence(cause: .absent, first: 8, count: 3)])
    line.open(at: 12, cause: .absent)
    #expect(line.read(12..<14, channels: 1).samples == [3, 4])
    line.open(at: 20, cause: .unplugged)
    #expect(line.range == 20..<20)
    line.append([5], channels: 1)
    #expect(line.read(20..<21, channels: 1).samples == [5])
  }
}
