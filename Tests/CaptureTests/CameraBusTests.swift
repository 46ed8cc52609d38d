import CamrigModel
import Capture
import Frames
import Testing

@Suite("Cameras on one bus", .timeLimit(.minutes(5)))
struct CameraBusTests {
  /// Two cameras on one clock, each with a picture; the second on the bus named.
  private func pair(_ bus: String) throws -> (CameraBench, CameraBench) {
    let one = try CameraBench(steps: [.picture(0), .picture(1)])
    let two = try CameraBench(beside: one, bus: bus, steps: [.picture(0), .picture(1)])
    return (one, two)
  }

  @Test(
    "that stall together start again one after another, and it is said; on two buses they do not wait",
    arguments: [("usb-1-2", true), ("usb-2-1", false)])
  func stallTogether(_ bus: String, _ isShared: Bool) throws {
    let (one, two) = try pair(bus)
    one.run()
    two.run()
    _ = try one.items(3)
    _ = try two.items(3)
    one.device.push(.silence(.milliseconds(3100)), .picture(0))
    #expect(words(try one.items(3)) == ["end stalled", "start 2", "frame 0"])
    // The clock has gone on for it, too.
    two.device.push(.silence(.milliseconds(600)), .picture(0))
    #expect(words(try two.items(3)) == ["end stalled", "start 2", "frame 0"])
    let (first, second) = (one.device.openedAt, two.device.openedAt)
    #expect(first.count == 2 && second.count == 2)
    #expect((second[1] - first[1] >= .milliseconds(700)) == isShared)
    #expect(two.lines.contains { $0.contains("the bus usb-1 is overloaded") } == isShared)
  }

  @Test("that has no room for them step down one after another")
  func fullTogether() throws {
    let (one, two) = try pair("usb-1-2")
    let formats = [
      FormatDescription(
        fourcc: "GREY", label: "", pixelFormat: .grey,
        sizes: [SizeDescription(size: FakeCameraDevice.size, rates: [FrameRate(30), FrameRate(15)])])
    ]
    for bench in [one, two] {
      bench.device.offer(formats)
      bench.device.failStarting(FakeTrouble.noBandwidth)
    }
    one.run()
    _ = try one.items(3)
    two.run()
    _ = try two.items(3)
    #expect(two.device.openedAt[1] - one.device.openedAt[1] >= .seconds(2))
    #expect(two.camera.status.granted?.rate == FrameRate(15))
  }

  private static let stalls = FakeCameraDevice.Step.silence(.milliseconds(3100))
  private let twoRates = [
    FormatDescription(
      fourcc: "GREY", label: "", pixelFormat: .grey,
      sizes: [SizeDescription(size: FakeCameraDevice.size, rates: [FrameRate(30), FrameRate(15)])])
  ]

  @Test(
    "that works for minutes and then stalls again and again: each camera takes less, which is said, if it may",
    arguments: [true, false])
  func overloadedUnderLoad(_ mayTakeLess: Bool) throws {
    let one = try CameraBench({ $0.allowSmallerFormats = mayTakeLess }, steps: [.picture(0)])
    let two = try CameraBench(
      beside: one, bus: "usb-1-2", { $0.allowSmallerFormats = mayTakeLess }, steps: [.picture(0)])
    for bench in [one, two] {
      bench.device.offer(twoRates)
      bench.run()
      _ = try bench.items(2)
    }
    for _ in 0..<2 {
      for bench in [one, two] {
        bench.device.push(Self.stalls, .picture(0))
        _ = try bench.items(3)
      }
    }
    for bench in [one, two] {
      // Its stream tells of the new run before its state does.
      try bench.wait("it streams at its new rate") {
        bench.camera.status.state == .streaming
          && bench.camera.status.granted?.rate == FrameRate(mayTakeLess ? 15 : 30)
      }
      let status = bench.camera.status
      #expect(status.isBusFull == mayTakeLess)
      #expect(
        status.message
          == (mayTakeLess
            ? "streams GREY 8x8 at 15 instead of GREY 8x8 at 30: cameras on the USB bus usb-1 stalled again and again, "
              + "since it carries too much" : ""))
      // The smallest format is kept, whatever happens.
      for _ in 0..<4 {
        bench.device.push(Self.stalls, .picture(0))
        _ = try bench.items(3)
      }
      try bench.wait("its rate is the same") {
        bench.camera.status.granted?.rate == FrameRate(mayTakeLess ? 15 : 30)
      }
    }
    #expect(two.lines.contains { $0.contains("the bus usb-1 is overloaded") })
  }

  @Test("a camera that stalls alone keeps its format")
  func stallsAlone() throws {
    let (one, two) = try pair("usb-1-2")
    one.device.offer(twoRates)
    for bench in [one, two] {
      bench.run()
      _ = try bench.items(3)
    }
    for _ in 0..<6 {
      one.device.push(Self.stalls, .picture(0))
      _ = try one.items(3)
    }
    #expect(one.camera.status.granted?.rate == FrameRate(30))
    #expect(one.camera.status.message.isEmpty)
  }
}
