import CamrigModel
import Dispatch
import Glibc
import Recording
import TestSupport
import Testing

@Suite("How full a volume is", .timeLimit(.minutes(5)))
struct VolumeSpaceTests {
  private let some = DiskState.present(DiskSpace(freeBytes: 5, totalBytes: 10))

  @Test("is asked anew each time")
  func asks() async {
    let count = Guarded(0)
    let space = VolumeSpace {
      count.withLock { $0 += 1 }
      return .missing
    }
    #expect(await space.ask() == .missing)
    #expect(await space.ask() == .missing)
    #expect(count.withLock { $0 } == 2)
  }

  @Test("a volume that hangs is asked once, keeps nobody waiting, and is believed again when it answers")
  func hangs() async {
    let gate = DispatchSemaphore(value: 0)
    let count = Guarded(0)
    let some = some
    let space = VolumeSpace(patience: .milliseconds(20)) {
      if count.withLock({
        $0 += 1
        return $0
      }) == 1 {
        gate.wait()
      }
      return some
    }
    #expect(await space.ask() == .failed(ETIMEDOUT))
    for _ in 0..<100 { #expect(await space.ask() == .failed(ETIMEDOUT)) }
    #expect(count.withLock { $0 } == 1)
    gate.signal()
    var answer = await space.ask()
    while answer != some { answer = await space.ask() }
    #expect(count.withLock { $0 } >= 2)
  }
}
