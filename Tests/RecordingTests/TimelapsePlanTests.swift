import CamrigModel
import Recording
import TestSupport
import Testing

@Suite("When a timelapse takes its pictures")
struct TimelapsePlanTests {
  private let began = MediaTime(seconds: 1000, microseconds: 0)
  private let wall = WallTime(rfc3339: "2026-11-30T09:05:00Z")!

  private func at(_ seconds: Double) -> MediaTime { began + .milliseconds(Int64(seconds * 1000)) }

  private func anchor(_ seconds: Double, wallSeconds: Double? = nil) -> ClockAnchor {
    let wall = wall.nanoseconds + Int64((wallSeconds ?? seconds) * 1_000_000_000)
    return ClockAnchor(media: at(seconds), wall: WallTime(nanoseconds: wall), sync: .synchronised)
  }

  @Test("the first at once, then one each interval, on a grid that a late picture does not move")
  func grid() {
    var plan = TimelapsePlan(interval: .seconds(10), now: began)
    #expect(plan.next(now: began) == .open)
    #expect(plan.next(now: began) == .expose(number: 1))
    let mayClose = plan.exposed()
    #expect(!mayClose && plan.keepsOpen)
    #expect(plan.next(now: at(3)) == .wait(until: at(10)))
    #expect(plan.next(now: at(12)) == .expose(number: 2))
    _ = plan.exposed()
    #expect(plan.next(now: at(13)) == .wait(until: at(20)))
  }

  @Test("with a long interval the cameras are open from five seconds before each picture only")
  func opens() {
    var plan = TimelapsePlan(interval: .seconds(60), now: began)
    #expect(plan.next(now: began) == .open)
    #expect(plan.next(now: began) == .expose(number: 1))
    let mayClose = plan.exposed()
    #expect(mayClose && !plan.keepsOpen)
    #expect(plan.next(now: at(1)) == .wait(until: at(55)))
    #expect(plan.next(now: at(55)) == .open)
    #expect(plan.next(now: at(55)) == .wait(until: at(60)))
    #expect(plan.next(now: at(60)) == .expose(number: 2))
  }

  @Test("what could not be taken within its interval is missed, and its number stays free")
  func misses() {
    var plan = TimelapsePlan(interval: .seconds(10), now: began)
    _ = plan.next(now: began)
    _ = plan.exposed()
    #expect(plan.next(now: at(19.9)) == .expose(number: 2))
    #expect(plan.next(now: at(45)) == .expose(number: 5))
    _ = plan.exposed()
    #expect(plan.due == at(50))
  }

  @Test("after a restart the grid and the numbers go on; what was due meanwhile is missed")
  func restarts() {
    var plan = TimelapsePlan(interval: .seconds(10), began: wall, last: 3, now: anchor(64))
    #expect(plan.number == 8 && plan.due == at(70))
    #expect(plan.next(now: at(64)) == .open)
    #expect(plan.next(now: at(64)) == .wait(until: at(70)))
    // Restarted between two pictures: nothing is missed.
    #expect(TimelapsePlan(interval: .seconds(10), began: wall, last: 3, now: anchor(25)).number == 4)
  }

  @Test("a clock that was set back does not bring a number twice")
  func clockSetBack() {
    let plan = TimelapsePlan(interval: .seconds(10), began: wall, last: 30, now: anchor(400, wallSeconds: 100))
    #expect(plan.number == 31 && plan.due == at(400))
    let before = TimelapsePlan(interval: .seconds(10), began: wall, last: 30, now: anchor(400, wallSeconds: -5000))
    #expect(before.number == 31 && before.due == at(400))
  }

  @Test("it ends where six digits end")
  func bounded() {
    var plan = TimelapsePlan(interval: .seconds(1), began: wall, last: 999_999, now: anchor(999_999))
    #expect(plan.next(now: at(999_999)) == .done)
    var running = TimelapsePlan(interval: .seconds(1), now: at(0))
    #expect(running.next(now: at(999_999)) == .done)
  }

  @Test("a clock that was set far ahead does not end it")
  func clockSetAhead() {
    let plan = TimelapsePlan(
      interval: .seconds(60), began: wall, last: 5, now: anchor(400, wallSeconds: 56 * 365 * 86_400))
    #expect(plan.number == 6 && plan.due == at(400))
  }
}
