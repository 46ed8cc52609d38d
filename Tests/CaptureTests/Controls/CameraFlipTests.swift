import CamrigModel
import Capture
import Settings
import TestSupport
import Testing

@Suite("A camera that flips its H.264 itself", .timeLimit(.minutes(5)))
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
