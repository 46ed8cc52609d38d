import CamrigModel
import Capture
import Settings
import TestSupport
import Testing

@Suite("A camera that flips its H.264 itself", .timeLimit(.minutes(1)))
struct CameraFlipTests {
  /// Its controls are there whatever its stream does.
  private struct FlippingDevice: CameraDevice {
    let stream: FakeCameraDevice
    let controls: FakeControls

    var node: String { stream.node }
    func describe() throws(CaptureError) -> DeviceDescription { try stream.describe() }
    func isHeldByAnotherProgram() -> Bool { false }
    func open(_ wish: FormatWish, bufferCount: Int) throws(CaptureError) -> any OpenCameraDevice {
      try stream.open(wish, bufferCount: bufferCount)
    }
    func letGo() {}
    func openControls() throws(CaptureError) -> (any OpenControls)? { OpenFakeControls(controls) }
  }

  private static let keys = ["horizontal_flip", "vertical_flip"]

  private func make() throws -> FakeControls {
    try FakeControls(
      zip(Self.keys, [UInt32(0x0098_0914), 0x0098_0915]).map { key, id -> ControlDescription in
        ControlDescription(
          key: key, id: id, name: key, type: .boolean, minimum: 0, maximum: 1, step: 1, defaultValue: .bool(false),
          value: .bool(false))
      })
  }

  private func run(_ bench: CameraBench, _ controls: FakeControls, _ choice: PictureChoice) {
    bench.device.offer([FakeH264.format(30)])
    bench.camera.setPicture(PictureSetting(kept: choice))
    bench.device.push(.picture(0, bytes: FakeH264.keyframe))
    bench.camera.demand(.take)
    bench.camera.attach(FlippingDevice(stream: bench.device, controls: controls))
  }

  /// Time passes meanwhile: two writes of one control keep a distance.
  private func become(_ horizontal: Bool, _ vertical: Bool, _ controls: FakeControls, _ bench: CameraBench) async {
    await eventually {
      bench.clock.advance(by: .milliseconds(5))
      return Self.keys.map { controls.value($0) } == [.bool(horizontal), .bool(vertical)]
    }
  }

  @Test("mirrors and turns it by 180 degrees by its controls, and sets them back; the stream goes on")
  func flips() async throws {
    let bench = try CameraBench { ($0.stall.stalledAfter, $0.stall.restartAfter) = (.seconds(1000), .seconds(2000)) }
    let controls = try make()
    run(bench, controls, PictureChoice(mirror: true))
    await become(true, false, controls, bench)
    bench.camera.setPicture(PictureSetting(kept: PictureChoice(rotate: 180)))
    await become(true, true, controls, bench)
    bench.camera.setPicture(PictureSetting(kept: PictureChoice(mirror: true, rotate: 180)))
    await become(false, true, controls, bench)
    #expect(bench.camera.status.turnRefusal == nil)
    bench.camera.setPicture(PictureSetting(kept: PictureChoice(rotate: 90)))
    await become(false, false, controls, bench)
    #expect(bench.camera.status.turnRefusal == .h264Quarter)
    bench.camera.setPicture(PictureSetting())
    bench.device.push(.picture(1, bytes: FakeH264.keyframe))
    #expect(words(try bench.items(3)) == ["start 1", "frame 0", "frame 1"])
  }

  @Test(
    "the driver has what comes of both, users see and keep what they chose", arguments: [false, true], [false, true])
  func values(chosen: Bool, flips: Bool) throws {
    let controls = try make().state.withLock { $0.controls }
    let both = CameraFlips(horizontal: flips)
    let id = controls[0].id
    #expect(both.turned(.bool(chosen), of: id) == .bool(chosen != flips))
    #expect(both.turned(both.turned(.bool(chosen), of: id), of: id) == .bool(chosen))
    #expect(both.turned(controls[0]).value == .bool(flips))
    #expect(both.turned(.number(7), of: 0x0098_0900) == .number(7))
    let lasting = both.lasting(["hflip": KeptControl(id: id, value: .bool(chosen))], among: controls)
    #expect(lasting["horizontal_flip"] == KeptControl(id: id, value: .bool(chosen)))
    #expect(lasting["vertical_flip"]?.value == .bool(false) && lasting.count == 2)
  }

  @Test("what a user chooses while it is mirrored is the user's own, now and at the next start")
  func chosenMeanwhile() async throws {
    let bench = try CameraBench { ($0.stall.stalledAfter, $0.stall.restartAfter) = (.seconds(1000), .seconds(2000)) }
    let controls = try make()
    run(bench, controls, PictureChoice(mirror: true))
    await become(true, false, controls, bench)
    let shown = try await bench.camera.controls.list()
    #expect(shown.first { $0.key == "horizontal_flip" }?.value == .bool(false))
    let wish = bench.camera.controls.begin(["horizontal_flip": .bool(true)])
    await become(false, false, controls, bench)
    // It may have to keep its distance to a write that came between.
    let passing = Task {
      while !Task.isCancelled {
        bench.clock.advance(by: .milliseconds(5))
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    let outcome = try await wish.outcome()
    passing.cancel()
    #expect(outcome.granted == ["horizontal_flip": .bool(true)] && outcome.refused.isEmpty, "\(outcome)")
    // It comes anew, as it was made. The same node attached once more would be the same camera.
    bench.camera.detach()
    await eventually { !controls.isOpen }
    controls.turn("horizontal_flip", .bool(true))
    bench.camera.attach(FlippingDevice(stream: bench.device, controls: controls))
    await become(false, false, controls, bench)
    bench.camera.setPicture(PictureSetting())
    await become(true, false, controls, bench)
  }

  @Test("on top of what a user chose for these controls")
  func onTop() async throws {
    let bench = try CameraBench { ($0.stall.stalledAfter, $0.stall.restartAfter) = (.seconds(1000), .seconds(2000)) }
    let controls = try make()
    bench.camera.setKept(["horizontal_flip": KeptControl(id: 0x0098_0914, value: .bool(true))])
    run(bench, controls, PictureChoice(rotate: 180))
    await become(false, true, controls, bench)
    bench.camera.setPicture(PictureSetting())
    await become(true, false, controls, bench)
  }
}
