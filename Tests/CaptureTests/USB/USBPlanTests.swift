import CamrigModel
import Capture
import Testing

@Suite("What fits on a USB bus")
struct USBPlanTests {
  private let link = USBVideoLink(interface: 1, settings: [1: 192, 2: 384, 3: 1024, 4: 1536, 5: 3072])
  private let large = VideoFormat(.mjpeg, PixelSize(width: 1920, height: 1080), rate: FrameRate(30))
  private let small = VideoFormat(.yuyv, PixelSize(width: 320, height: 240), rate: FrameRate(30))

  private func stream(
    _ name: String, bus: Int = 1, _ format: VideoFormat, reserved: Int? = nil, megabits: Int = 480
  ) -> USBPlan.Stream {
    USBPlan.Stream(
      camera: CameraID(name), name: name, bus: bus, link: link, speed: USBBus(megabits: megabits), format: format,
      reserved: reserved, model: "046d:0825")
  }

  @Test("by the kernel's reckoning: one camera that takes all it can, and not a second")
  func greedy() throws {
    let bus = try #require(USBPlan([stream("left", large), stream("right", large)]).answer.buses.first)
    #expect(bus.cameras.map(\.bytesPerInterval) == [3072, 3072])
    // 3 transactions of 1024 bytes take 62 of the 100 µs that may be reserved in a microframe.
    #expect(bus.cameras.map(\.percent) == [62, 62])
    #expect(bus.cameras.map(\.fits) == [true, false])
    #expect((bus.percent, bus.fits) == (124, false))
    #expect(bus.advice.contains { $0.hasPrefix("left reserves the most that it can, although") })
  }

  @Test("a smaller one behind one without room fits all the same, and other buses are other buses")
  func order() {
    let plan = USBPlan([
      stream("a", large), stream("b", large), stream("c", small), stream("d", bus: 3, large),
    ]).answer
    #expect(plan.buses.map(\.bus) == [1, 3])
    #expect(plan.buses[0].cameras.map(\.fits) == [true, false, true])
    #expect(plan.buses[1].fits && plan.buses[1].advice.isEmpty)
  }

  @Test("what a running camera has reserved counts, not what is reckoned")
  func measured() {
    let plan = USBPlan([stream("left", large, reserved: 1024), stream("right", large, reserved: 1536)]).answer
    #expect(plan.buses[0].cameras.map(\.bytesPerInterval) == [1024, 1536])
    #expect(plan.buses[0].cameras.allSatisfy { $0.isMeasured && $0.fits })
  }

  @Test("raw pictures: the module's option is named with the model, and only where they do not fit")
  func quirk() {
    let raw = VideoFormat(.yuyv, PixelSize(width: 640, height: 480), rate: FrameRate(30))
    #expect(USBPlan([stream("a", raw)]).answer.buses[0].advice == [])
    let advice = USBPlan([stream("a", raw), stream("b", raw)]).answer.buses[0].advice
    #expect(advice.contains { $0.contains("quirks=128 (FIX_BANDWIDTH)") && $0.contains("046d:0825") })
  }

  @Test("full speed and SuperSpeed have other clocks")
  func speeds() {
    #expect(USBBus(megabits: 12).share(bytesPerInterval: 1023) > 0.8)
    #expect(USBBus(megabits: 12).intervalsPerSecond == 1000)
    let fast = USBBus(megabits: 5000).share(bytesPerInterval: 48 * 1024)
    #expect(fast > 0.8 && fast < 1)
    #expect(USBBus(megabits: 480).share(bytesPerInterval: 0) == 0)
  }
}
