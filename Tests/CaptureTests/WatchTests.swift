import CamrigModel
import Capture
import Testing

private func at(_ milliseconds: Int64) -> MediaTime { MediaTime(nanoseconds: milliseconds * 1_000_000) }

@Suite("When a camera is stalled")
struct StallWatchTests {
  private func watch(_ frameTime: Duration?, patience: Duration = .zero) -> StallWatch {
    StallWatch(StallLimits(), nominal: frameTime, patience: patience, start: at(0))
  }

  @Test("the first picture is given as long as a restart takes, and longer after vain ones")
  func givesTimeToStart() {
    #expect(watch(.milliseconds(33)).stalledAt == at(3000))
    #expect(watch(.seconds(1)).stalledAt == at(10_000))
    #expect(watch(.milliseconds(33), patience: .seconds(12)).restartAt == at(12_000))
  }

  @Test("after 500 ms at 30 a second it is stalled, after 3 s it is started again")
  func limitsOfFastCamera() {
    var watch = watch(.milliseconds(33))
    watch.picture(at: at(0))
    watch.picture(at: at(33))
    #expect(watch.stalledAt == at(533))
    #expect(watch.restartAt == at(3033))
  }

  @Test("at two a second three frame times count")
  func limitsOfSlowCamera() {
    var watch = watch(.milliseconds(500))
    watch.picture(at: at(0))
    watch.picture(at: at(500))
    #expect(watch.stalledAt == at(2000))
    #expect(watch.restartAt == at(5500))
  }

  @Test("a long exposure in the dark is no stall after its first picture, whatever rate was granted")
  func followsExposure() {
    var watch = watch(.milliseconds(33))
    for index in Int64(0)..<30 { watch.picture(at: at(index * 33)) }
    var time: Int64 = 29 * 33
    for index in 0..<300 {
      time += 2000
      #expect(watch.restartAt > at(time))
      if index > 0 { #expect(watch.stalledAt > at(time)) }
      watch.picture(at: at(time))
    }
    for _ in 0..<100 {
      time += 33
      watch.picture(at: at(time))
    }
    #expect(watch.stalledAt == at(time + 500))
  }
}

@Suite("Pauses between vain tries")
struct BackoffTests {
  @Test("they double up to the longest")
  func doubles() {
    var backoff = Backoff(first: .seconds(1), most: .seconds(10))
    #expect((0..<6).map { _ in backoff.next() } == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    backoff.reset()
    #expect(backoff.next() == .seconds(1))
  }

  @Test("however many there were")
  func neverOverflows() {
    var backoff = Backoff(first: .milliseconds(100), most: .seconds(10))
    for _ in 0..<10_000 { _ = backoff.next() }
    #expect(backoff.next() == .seconds(10))
  }
}

@Suite("The share of spoilt pictures")
struct SpoiltWatchTests {
  @Test("more than 5 % of 10 s is told once, and once more when it is over")
  func tells() {
    var watch = SpoiltWatch()
    var steps: [SpoiltWatch.Step] = []
    for index in Int64(0)..<300 { steps.append(watch.picture(spoilt: index % 10 == 0, at: at(index * 33))) }
    #expect(steps.filter { $0 != .same }.count == 1)
    guard case .began(let percent)? = steps.first(where: { $0 != .same }) else {
      Issue.record("nothing was told")
      return
    }
    #expect((6...20).contains(percent))
    steps = (Int64(300)..<900).map { watch.picture(spoilt: false, at: at($0 * 33)) }
    #expect(steps.filter { $0 != .same } == [.over])
  }

  @Test("a few among many are only counted")
  func toleratesFew() {
    var watch = SpoiltWatch()
    for index in Int64(0)..<3000 { #expect(watch.picture(spoilt: index % 25 == 0, at: at(index * 33)) == .same) }
  }

  @Test("one spoilt picture at the start is no share of anything")
  func toleratesFirst() {
    var watch = SpoiltWatch()
    #expect(watch.picture(spoilt: true, at: at(0)) == .same)
  }
}

@Suite("The size that pictures say")
struct SizeWatchTests {
  private let granted = PixelSize(width: 1280, height: 720)
  private let other = PixelSize(width: 640, height: 480)

  @Test("one with another size is damaged")
  func callsDamaged() {
    var watch = SizeWatch(granted: granted)
    #expect(
      [granted, other, other, granted, other].map { watch.picture($0) } == [
        .asGranted, .broken, .broken, .asGranted, .broken,
      ])
  }

  @Test("three in a row with the same other size are the truth")
  func believesThree() {
    var watch = SizeWatch(granted: granted)
    #expect(
      [other, other, other, other, granted].map { watch.picture($0) } == [
        .broken, .broken, .changed, .asGranted, .broken,
      ])
  }
}
