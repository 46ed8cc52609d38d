import CamrigModel
import Recording
import TestSupport
import Testing

@Suite("Before one picture of a camera is shown", .timeLimit(.minutes(5)))
struct CameraSettlingTests {
  private let clock = TestClock()
  private let settling: CameraSettling
  private let left: TestStream
  private let opened = Count()

  private final class Count: Sendable {
    let times = Guarded(0)
    var value: Int { times.withLock { $0 } }
  }

  init() {
    settling = CameraSettling(clock: clock)
    left = TestStream("left", clock: clock)
  }

  private func camera(problem: @escaping @Sendable () -> String? = { nil }) -> PhotoCamera {
    var camera = left.photoCamera(problem: problem)
    let demand = camera.demand
    camera.demand = { [opened] in
      opened.times.withLock { $0 += 1 }
      demand()
    }
    return camera
  }

  private var isOpen: Bool { left.demands.withLock { $0 } == 1 }

  @Test("one that was idle is passed over while it wakes up, in one look for all who ask at once")
  func dark() async throws {
    let ended = Count()
    let (settling, camera) = (settling, camera())
    let looks = (0..<3).map { _ in
      Task.immediate {
        let problem = await settling.settle(camera)
        ended.times.withLock { $0 += 1 }
        return problem
      }
    }
    await eventually { [left] in left.demands.withLock { $0 } == 1 }
    left.begin()
    for number in 0..<20 {
      left.frame(TestStream.jpeg(UInt8(number * 3 / 2)))
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(isOpen && ended.value == 0)
    let bright = TestStream.jpeg(120)
    while ended.value < looks.count {
      left.frame(bright)
      try await Task.sleep(for: .milliseconds(1))
    }
    for look in looks { #expect(await look.value == nil) }
    #expect(opened.value == 1 && !isOpen)
  }

  @Test("one that has been running is neither waited for nor looked at")
  func running() async {
    left.begin()
    left.frames(60)
    #expect(await settling.settle(camera()) == nil)
    #expect(opened.value == 0)
  }

  @Test("one that gives a picture and then nothing has its two seconds, and its reason is known")
  func one() async {
    let silent = Count()
    let (settling, camera) = (settling, camera { silent.value > 0 ? "left has stalled." : nil })
    let look = Task { await settling.settle(camera) }
    await eventually { [left] in left.demands.withLock { $0 } == 1 }
    left.begin()
    left.frame(TestStream.jpeg(5))
    silent.times.withLock { $0 = 1 }
    clock.advance(by: WarmUp.longest)
    #expect(await look.value == "left has stalled.")
    #expect(!isOpen)
  }

  @Test("one that cannot give any says so at once")
  func busy() async {
    #expect(await settling.settle(camera { "left is in use." }) == "left is in use.")
    #expect(opened.value == 1 && !isOpen)
  }
}
