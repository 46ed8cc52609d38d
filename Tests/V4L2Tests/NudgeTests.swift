import CamrigModel
import Testing
import V4L2

@Suite("A value beside the one that is wanted")
struct NudgeTests {
  private func control(
    _ type: ControlType, _ range: ClosedRange<Int64>? = nil, step: UInt64? = nil, items: [Int64: String]? = nil
  ) -> ControlDescription {
    ControlDescription(
      key: "it", id: 1, name: "It", type: type, minimum: range?.lowerBound, maximum: range?.upperBound, step: step,
      items: items)
  }

  @Test("is a step away, within the range")
  func numbers() {
    let one = control(.integer, -64...64, step: 8)
    #expect(one.nearest(otherThan: .number(0)) == .number(8))
    #expect(one.nearest(otherThan: .number(64)) == .number(56))
    #expect(control(.integer, 5...5, step: 1).nearest(otherThan: .number(5)) == nil)
    #expect(control(.integer64, Int64.min...Int64.max).nearest(otherThan: .number(.max)) == .number(.max - 1))
  }

  @Test("is the other of a switch, and another item of a menu")
  func choices() {
    #expect(control(.boolean).nearest(otherThan: .bool(true)) == .bool(false))
    #expect(control(.menu, items: [1: "a", 3: "b"]).nearest(otherThan: .number(1)) == .number(3))
    #expect(control(.menu, items: [1: "a"]).nearest(otherThan: .number(1)) == nil)
    #expect(control(.button).nearest(otherThan: .number(1)) == nil)
  }
}
