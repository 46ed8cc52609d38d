import CamrigModel
import Frames
import Testing

@Suite("A camera's hub")
struct FrameHubTests {
  private let hub = FrameHub(prerollLength: .seconds(1), prerollCapacityBytes: 1 << 20)

  private func reader() -> FrameQueue { FrameQueue(capacity: .seconds(60), capacityBytes: 1 << 20) }

  @Test("every reader gets every item in order")
  func sharesWithAll() {
    let readers = [reader(), reader()]
    for reader in readers { hub.add(reader) }
    for item in [start(), picture(0), gap(1, count: 2), picture(3), end()] { hub.publish(item) }
    for reader in readers {
      #expect(
        words(reader.take(timeout: .zero)) == ["start 1", "frame 0", "lost 1+2 driverGap", "frame 3", "end stopped"])
    }
  }

  @Test("readers share a picture and do not copy it")
  func sharesMemory() throws {
    let readers = [reader(), reader()]
    for reader in readers { hub.add(reader) }
    hub.publish(start())
    hub.publish(picture(7))
    let frames = readers.compactMap { $0.take(timeout: .zero)?.last?.frame }
    try #require(frames.count == 2)
    #expect(frames[0] === frames[1])
  }

  @Test("a reader that comes late is told of the run first and then gets what comes")
  func tellsRun() {
    hub.publish(start(3))
    hub.publish(picture(0, run: 3))
    let late = reader()
    hub.add(late)
    hub.publish(picture(1, run: 3))
    #expect(words(late.take(timeout: .zero)) == ["start 3", "frame 1"])
  }

  @Test("a camera that delivers nothing but spoilt pictures fills no memory")
  func boundsLosses() {
    hub.publish(start())
    hub.publish(picture(0))
    hub.publish(gap(1, count: 1))
    let early = reader()
    hub.add(early, preroll: .seconds(1))
    #expect(words(early.take(timeout: .zero)) == ["start 1", "frame 0", "lost 1+1 driverGap"])
    for sequence in UInt64(2)..<100_000 { hub.publish(gap(sequence, count: 1)) }
    let late = reader()
    hub.add(late, preroll: .seconds(1))
    #expect(words(late.take(timeout: .zero)) == ["start 1"])
    hub.publish(picture(100_000))
    let later = reader()
    hub.add(later, preroll: .seconds(1))
    #expect(words(later.take(timeout: .zero)) == ["start 1", "frame 100000"])
  }

  @Test("a reader that comes between runs is told of the next one")
  func waitsForRun() {
    let early = reader()
    hub.add(early)
    hub.publish(start(1))
    #expect(words(early.take(timeout: .zero)) == ["start 1"])
  }

  @Test("the pre-roll begins with a picture, goes back as far as asked, and carries its losses")
  func givesPreroll() {
    hub.publish(start())
    for sequence in UInt64(0)...5 { hub.publish(picture(sequence)) }
    hub.publish(gap(6, count: 1))
    for sequence in UInt64(7)...9 { hub.publish(picture(sequence)) }
    let late = reader()
    hub.add(late, preroll: .milliseconds(300))
    #expect(words(late.take(timeout: .zero)) == ["start 1", "frame 7", "frame 8", "frame 9"])
    let earlier = reader()
    hub.add(earlier, preroll: .milliseconds(400))
    #expect(
      words(earlier.take(timeout: .zero)) == ["start 1", "frame 5", "lost 6+1 driverGap"].map { $0 }
        + ["frame 7", "frame 8", "frame 9"])
  }

  @Test("the pre-roll is bounded in time and in bytes")
  func boundsPreroll() {
    hub.publish(start())
    for sequence in UInt64(0)...50 { hub.publish(picture(sequence)) }
    let late = reader()
    hub.add(late, preroll: .seconds(60))
    let kept = words(late.take(timeout: .zero))
    #expect(kept.count == 1 + 11)
    #expect(kept[1] == "frame 40")

    let small = FrameHub(prerollLength: .seconds(60), prerollCapacityBytes: 3500)
    small.publish(start())
    for sequence in UInt64(0)...50 { small.publish(picture(sequence)) }
    let other = reader()
    small.add(other, preroll: .seconds(60))
    #expect(words(other.take(timeout: .zero)) == ["start 1", "frame 48", "frame 49", "frame 50"])
  }

  @Test("a picture larger than the pre-roll's bound is still the newest one")
  func keepsNewest() {
    let small = FrameHub(prerollLength: .seconds(1), prerollCapacityBytes: 10)
    small.publish(start())
    small.publish(picture(0))
    small.publish(picture(1))
    #expect(small.newest?.sequence == 1)
  }

  @Test("nothing of an earlier run is in the pre-roll")
  func forgetsOldRun() {
    hub.publish(start(1))
    hub.publish(picture(0, run: 1))
    hub.publish(end(1))
    #expect(hub.newest == nil)
    #expect(hub.run == nil)
    hub.publish(start(2))
    hub.publish(picture(0, run: 2))
    let late = reader()
    hub.add(late, preroll: .seconds(60))
    #expect(words(late.take(timeout: .zero)) == ["start 2", "frame 0"])
  }

  @Test("a reader that was removed gets nothing more")
  func removes() {
    let reader = reader()
    hub.add(reader)
    hub.publish(start())
    hub.remove(reader)
    hub.publish(picture(0))
    #expect(words(reader.take(timeout: .zero)) == ["start 1"])
  }
}
