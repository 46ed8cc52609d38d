import CamrigModel
import Capture
import Testing

private func at(_ milliseconds: Int64) -> MediaTime { MediaTime(nanoseconds: milliseconds * 1_000_000) }

@Suite("The turns of cameras on one bus")
struct BusTurnsTests {
  private let a = CameraID("a")
  private let b = CameraID("b")
  private let c = CameraID("c")
  private let usb = "usb-0000:00:14.0-"

  @Test("the first that stalls starts at once, those that stall with it 0.7 s apart")
  func stalls() {
    var turns = BusTurns()
    #expect(turns.next(.stalled, of: a, bus: usb + "1", at: at(0)) == .init(at(0), isOverloaded: false))
    #expect(turns.next(.stalled, of: b, bus: usb + "2", at: at(0)) == .init(at(700), isOverloaded: true))
    #expect(turns.next(.stalled, of: c, bus: usb + "3.4", at: at(100)) == .init(at(1400), isOverloaded: true))
    // Once all have had their turn nobody waits, and what is long ago is no sign of anything.
    #expect(
      turns.next(.stalled, of: CameraID("d"), bus: usb + "5", at: at(7000)) == .init(at(7000), isOverloaded: true))
    #expect(turns.next(.stalled, of: a, bus: usb + "1", at: at(200_000)) == .init(at(200_000), isOverloaded: false))
  }

  @Test("who stalls again on a bus where others do is asked to take less, once for each repetition, and waits 2 s")
  func again() {
    var turns = BusTurns()
    for (camera, time) in [(a, 0), (b, 60_000)] {
      #expect(!turns.next(.stalled, of: camera, bus: usb + "1", at: at(Int64(time))).asksForLess)
    }
    #expect(
      turns.next(.stalled, of: a, bus: usb + "1", at: at(130_000))
        == .init(at(130_000), isOverloaded: true, asksForLess: true))
    #expect(
      turns.next(.stalled, of: b, bus: usb + "2", at: at(130_100))
        == .init(at(132_000), isOverloaded: true, asksForLess: true))
    // With less they may be content: that shows only once they have stalled twice more.
    #expect(!turns.next(.stalled, of: a, bus: usb + "1", at: at(200_000)).asksForLess)
    #expect(turns.next(.stalled, of: a, bus: usb + "1", at: at(260_000)).asksForLess)
  }

  @Test("restarts in vain behind a silent hub are one stall; of a camera that never worked each counts")
  func silent() {
    var turns = BusTurns()
    for camera in [a, b] { _ = turns.next(.stalled, of: camera, bus: usb + "1", at: at(0)) }
    for second in [3, 6, 12, 24] {
      for camera in [a, b] {
        #expect(!turns.next(.silent, of: camera, bus: usb + "1", at: at(Int64(second) * 1000)).asksForLess)
      }
    }
    #expect(turns.next(.stalled, of: a, bus: usb + "1", at: at(40_000)).asksForLess)
    // The other one finds no room beside it.
    #expect(turns.next(.silent, of: b, bus: usb + "1", at: at(41_000)).asksForLess)
    #expect(!turns.next(.silent, of: c, bus: usb + "2", at: at(151_000)).asksForLess)
    #expect(turns.next(.silent, of: c, bus: usb + "2", at: at(154_000)).asksForLess)
  }

  @Test("a camera that stalls alone, however often, is not the bus's fault")
  func alone() {
    var turns = BusTurns()
    for second in 0..<20 {
      let turn = turns.next(.stalled, of: a, bus: usb + "1", at: at(Int64(second) * 10_000))
      #expect(!turn.asksForLess && !turn.isOverloaded)
      #expect(!turns.next(.stalled, of: b, bus: "usb-0000:00:15.0-1", at: at(Int64(second) * 10_000)).asksForLess)
    }
  }

  @Test("a bus that is full has turns at once, and whoever has its turn steps down without waiting")
  func full() {
    var turns = BusTurns()
    #expect(turns.next(.full, of: a, bus: usb + "1", at: at(0)) == .init(at(0), isOverloaded: true))
    #expect(turns.next(.full, of: b, bus: usb + "2", at: at(10)).time == at(2000))
    for time in [at(20), at(500), at(1900)] {
      #expect(turns.next(.full, of: a, bus: usb + "1", at: time).time <= time)
    }
    // Its turn is over, and that of the other one has begun.
    #expect(turns.next(.full, of: a, bus: usb + "1", at: at(2500)).time == at(4000))
  }

  @Test("cameras on another controller, or on none that is known, are not concerned")
  func otherBuses() {
    var turns = BusTurns()
    _ = turns.next(.full, of: a, bus: usb + "1", at: at(0))
    #expect(turns.next(.full, of: b, bus: "usb-0000:00:15.0-1", at: at(0)).time == at(0))
    #expect(turns.next(.stalled, of: c, bus: "platform:vivid-000", at: at(0)) == .init(at(0), isOverloaded: false))
    for camera in [a, b] {
      #expect(turns.next(.full, of: camera, bus: "", at: at(0)) == .init(at(0), isOverloaded: false))
    }
  }
}
