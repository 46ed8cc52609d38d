import CamrigModel
import Frames
import Recording
import TestSupport
import Testing

@Suite("The bounds of a camera's queue", .timeLimit(.minutes(5)))
struct QueueBoundTests {
  @Test(
    "do not depend on the length of a fragment: one that does not fit in is taken in parts, and nothing is lost",
    arguments: [(100_000, Duration.seconds(600)), (1 << 30, .milliseconds(500))])
  func fragmentDoesNotFit(_ bytes: Int, _ length: Duration) async throws {
    let rig = TestRig {
      $0.queueBytes = bytes
      $0.queueLength = length
      // Nobody comes by himself.
      $0.fragmentLength = .seconds(3600)
      $0.deliveryLimit = .seconds(30)
    }
    let stream = TestStream("one", clock: rig.clock)
    async let starting = rig.recorder.start(TakeRequest(), cameras: [stream.camera])
    await rig.begun()
    stream.begin()
    for _ in 0..<8 {
      // 280 ms and 80 000 bytes: more than half of what the queue holds, and less than all.
      stream.frames(8, bytes: 10_000)
      try await taken(rig)
      // It may have come before the last of them.
      rig.clock.advance(by: .milliseconds(1))
      try await taken(rig)
    }
    _ = try await starting
    let camera = try await rig.stop().cameras[0]
    #expect(camera.lost.isEmpty)
    #expect(camera.clips.map(\.frames) == [64])
  }

  /// The writer has taken what waited.
  private func taken(_ rig: TestRig) async throws {
    let now = rig.clock.now
    while rig.recorder.progressMarks.contains(where: { $0.lastMoved < now }) {
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

@Suite("How long pictures gather for their writer")
struct GatheringPlanTests {
  private func at(_ milliseconds: Int64) -> MediaTime { MediaTime(nanoseconds: milliseconds * 1_000_000) }

  private func plan(_ bytes: Int = 64 << 20, _ length: Duration = .seconds(4)) -> GatheringPlan {
    GatheringPlan(capacity: length, capacityBytes: bytes)
  }

  @Test("is a fragment, where half of the queue holds it")
  func fragment() {
    var plan = plan()
    plan.took(bytes: 6_000_000, from: at(0), to: at(1000))
    #expect(plan.span(of: .milliseconds(950)) == .milliseconds(950))
    #expect(plan.span(of: .milliseconds(300)) == .milliseconds(300))
  }

  @Test("is short as long as nothing is known of the pictures")
  func unknown() {
    var plan = plan()
    #expect(plan.span(of: .milliseconds(950)) == .milliseconds(100))
    #expect(plan.span(of: .milliseconds(20)) == .milliseconds(20))
    plan.took(bytes: 100_000, from: at(0), to: at(0))
    #expect(plan.span(of: .milliseconds(950)) == .milliseconds(100))
    // One every two seconds is known by the time since the one before.
    plan.took(bytes: 100_000, from: at(2000), to: at(2000))
    #expect(plan.span(of: .milliseconds(950)) == .milliseconds(950))
  }

  @Test("is less where pictures are large, at once where they become so, and more again slowly")
  func large() {
    var plan = plan()
    plan.took(bytes: 6_000_000, from: at(0), to: at(1000))
    plan.took(bytes: 64 << 20, from: at(1033), to: at(1500))
    #expect(plan.span(of: .milliseconds(950)) <= .milliseconds(250))
    #expect(plan.span(of: .milliseconds(950)) > .milliseconds(240))
    plan.took(bytes: 3_000_000, from: at(1533), to: at(2000))
    let span = plan.span(of: .milliseconds(950))
    #expect(span > .milliseconds(250) && span < .milliseconds(950))
    for number in Int64(4)..<24 { plan.took(bytes: 3_000_000, from: at(number * 500 + 33), to: at(number * 500 + 500)) }
    #expect(plan.span(of: .milliseconds(950)) == .milliseconds(950))
  }

  @Test("is half of what the queue may span at most")
  func short() {
    var plan = plan(1 << 30, .milliseconds(500))
    plan.took(bytes: 6_000_000, from: at(0), to: at(1000))
    #expect(plan.span(of: .milliseconds(950)) == .milliseconds(250))
  }

  @Test("is not concerned by a pause")
  func pause() {
    var plan = plan()
    plan.interrupted()
    for number in Int64(0)..<20 {
      plan.took(bytes: 64 << 20, from: at(number * 1000), to: at(number * 1000 + 500))
      plan.interrupted()
    }
    #expect(plan.span(of: .milliseconds(950)) <= .milliseconds(250))
  }
}
