import CamrigModel
import Recording
import Testing

@Suite("Clips of a take")
struct ClipPlanTests {
  private let size = PixelSize(width: 640, height: 480)

  private func picture(_ milliseconds: Int, keyframe: Bool = true, run: Int = 1, bytes: Int = 1000) -> ClipPlan.Picture
  {
    ClipPlan.Picture(
      run: run, time: MediaTime(nanoseconds: Int64(milliseconds) * 1_000_000), isKeyframe: keyframe,
      byteCount: bytes, size: size)
  }

  @Test("open on a keyframe")
  func keyframe() {
    var plan = ClipPlan(limits: .init())
    #expect(plan.next(picture(0, keyframe: false)) == .wait)
    #expect(plan.next(picture(33)) == .open(.first))
    #expect(plan.next(picture(66, keyframe: false)) == .append)
  }

  @Test("are cut once for sound that has come, at the next keyframe")
  func sound() {
    var plan = ClipPlan(limits: .init())
    let none = plan.cutForSound()
    _ = plan.next(picture(0))
    let (first, again) = (plan.cutForSound(), plan.cutForSound())
    #expect(!none && first && !again)
    #expect(plan.next(picture(33, keyframe: false)) == .append)
    #expect(plan.next(picture(66)) == .open(.sound))
    #expect(plan.next(picture(99)) == .append)
  }

  @Test("end at a gap above a second, not at one of a second")
  func gap() {
    var plan = ClipPlan(limits: .init())
    _ = plan.next(picture(0))
    #expect(plan.next(picture(1000)) == .append)
    #expect(plan.next(picture(2001)) == .open(.gap))
  }

  @Test("after a gap wait for a keyframe too")
  func gapKeyframe() {
    var plan = ClipPlan(limits: .init())
    _ = plan.next(picture(0))
    #expect(plan.next(picture(3000, keyframe: false)) == .wait)
    #expect(!plan.isOpen)
    #expect(plan.next(picture(3033)) == .open(.gap))
  }

  @Test("end with their run, however short the time between")
  func run() {
    var plan = ClipPlan(limits: .init())
    _ = plan.next(picture(0))
    plan.interrupted()
    #expect(plan.next(picture(33, run: 2)) == .open(.gap))
  }

  @Test("end where size, format or parameter sets change")
  func form() {
    var plan = ClipPlan(limits: .init())
    _ = plan.next(picture(0))
    var next = picture(33)
    next.size = PixelSize(width: 320, height: 240)
    #expect(plan.next(next) == .open(.form))
    next.time = picture(66).time
    next.parameters = 1
    #expect(plan.next(next) == .open(.form))
    next.time = picture(99).time
    next.format = .h264
    #expect(plan.next(next) == .open(.form))
  }

  @Test("are divided by length at the next keyframe")
  func length() {
    var plan = ClipPlan(limits: .init(length: .seconds(2)))
    _ = plan.next(picture(0))
    _ = plan.next(picture(1000, keyframe: false))
    #expect(plan.next(picture(2000, keyframe: false)) == .append)
    #expect(plan.next(picture(2033)) == .open(.length))
    #expect(plan.next(picture(2066)) == .append)
  }

  @Test("stay below the largest file that the volume can hold")
  func bytes() {
    var plan = ClipPlan(limits: .init(bytes: 2500))
    #expect(plan.next(picture(0)) == .open(.first))
    #expect(plan.next(picture(33)) == .append)
    #expect(plan.next(picture(66)) == .open(.bytes))
    #expect(plan.next(picture(99)) == .append)
  }

  @Test("end when the clock that stamps the pictures falls back by more than the gap limit")
  func clock() {
    var plan = ClipPlan(limits: .init())
    _ = plan.next(picture(10_000))
    #expect(plan.next(picture(9990)) == .append)
    #expect(plan.next(picture(5000)) == .open(.clock))
  }

  @Test("are interrupted by silence longer than the gap limit")
  func silence() {
    var plan = ClipPlan(limits: .init())
    #expect(!plan.isInterrupted(at: picture(9000).time))
    _ = plan.next(picture(0))
    #expect(!plan.isInterrupted(at: picture(1000).time))
    #expect(plan.isInterrupted(at: picture(1001).time))
  }
}

@Suite("Waiting for a keyframe")
struct KeyframeWaitTests {
  @Test("asks after 2 s and complains after 5 s, once each")
  func steps() {
    var wait = KeyframeWait()
    var steps: [Int: KeyframeWait.Step] = [:]
    for index in 0..<100 {
      let step = wait.dropped(at: MediaTime(nanoseconds: Int64(index) * 100_000_000))
      if step != .nothing { steps[index] = step }
    }
    #expect(steps == [20: .request, 50: .complain])
    wait.opened()
    #expect(wait.dropped(at: MediaTime(nanoseconds: 100_000_000_000)) == .nothing)
  }
}
