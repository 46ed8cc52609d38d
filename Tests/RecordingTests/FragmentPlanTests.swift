import CamrigModel
import Recording
import Testing

@Suite("Fragments of a clip")
struct FragmentPlanTests {
  private func ms(_ value: Int) -> MediaTime { MediaTime(nanoseconds: Int64(value) * 1_000_000) }

  @Test("are never longer than their length, at any rate and with jitter", arguments: [5, 15, 24, 30, 60, 120])
  func length(rate: Int) {
    var random = SeededGenerator(seed: UInt64(rate))
    var plan = FragmentPlan(length: .seconds(1), frameTime: .nanoseconds(1_000_000_000 / rate))
    var opened = MediaTime(nanoseconds: 0)
    var cuts = 0
    for index in 0..<(rate * 60) {
      let jitter = Int64.random(in: -500_000...500_000, using: &random)
      let time = MediaTime(nanoseconds: Int64(index) * 1_000_000_000 / Int64(rate) + (index == 0 ? 0 : jitter))
      if plan.next(time) == .cut {
        // A fragment lasts until the picture that opens the next one; the jitter cannot be foreseen.
        #expect(time - opened <= .milliseconds(1002))
        opened = time
        cuts += 1
      }
    }
    #expect((58...76).contains(cuts))
  }

  @Test("wake nobody before the next cut can be due")
  func remaining() {
    var plan = FragmentPlan(length: .seconds(1), frameTime: .milliseconds(40))
    #expect(plan.remaining == .zero)
    _ = plan.next(ms(0))
    _ = plan.next(ms(40))
    // The queue's pictures span this from 80 to 960 or so; 1000 would be the first picture of the next one.
    #expect(plan.remaining == .milliseconds(880))
    var time = 80
    while plan.next(ms(time)) == .append { time += 40 }
    #expect(time == 1000)
  }

  @Test("hold a single picture that is longer than they may be")
  func slow() {
    var plan = FragmentPlan(length: .seconds(1), frameTime: .seconds(3))
    #expect(plan.next(ms(0)) == .append)
    #expect(plan.next(ms(3000)) == .cut)
    #expect(plan.next(ms(6000)) == .cut)
  }

  @Test("begin anew after a reset")
  func reset() {
    var plan = FragmentPlan(length: .seconds(1), frameTime: .milliseconds(40))
    _ = plan.next(ms(0))
    plan.reset()
    #expect(plan.next(ms(5000)) == .append)
    #expect(plan.next(ms(5960)) == .cut)
  }
}
