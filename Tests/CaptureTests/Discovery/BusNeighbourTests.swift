import CamrigModel
import Capture
import CaptureSupport
import Testing

@Suite("A camera that finds no room on its bus", .timeLimit(.minutes(5)))
struct BusNeighbourTests {
  private let bench = RegistryBench()
  private let a = webcamID("A1")

  private func status(_ state: CameraState, bus: String, granted: VideoFormat? = nil) -> CameraStreamState {
    var status = CameraStreamState(state)
    status.device = DeviceDescription(driver: "uvcvideo", card: "Webcam", bus: bus, node: "", formats: [])
    status.granted = granted
    return status
  }

  /// Three webcams, the first of which got no room, and what it says.
  private func hints(_ second: CameraStreamState, _ third: CameraStreamState) async throws -> [String] {
    try await bench.start([
      bench.webcam("1", serial: "A1", node: 0), bench.webcam("2", serial: "B2", node: 2),
      bench.webcam("3", serial: "C3", node: 4),
    ])
    try await bench.registry.rename(webcamID("B2"), "Beside")
    try await bench.registry.rename(webcamID("C3"), "Other")
    var full = status(.failed, bus: "usb-0000:00:14.0-1.2")
    full.isBusFull = true
    for (id, status) in [(a, full), (webcamID("B2"), second), (webcamID("C3"), third)] {
      try #require(bench.camera(id)).report(status)
    }
    return await bench.registry.description(a)?.hints ?? []
  }

  private let granted = VideoFormat(.mjpeg, PixelSize(width: 1280, height: 720), rate: FrameRate(30))

  @Test("names who streams on the same controller, in what format, and nobody on another one")
  func named() async throws {
    let hints = try await hints(
      status(.streaming, bus: "usb-0000:00:14.0-3", granted: granted),
      status(.streaming, bus: "usb-0000:05:00.0-3", granted: granted))
    #expect(
      hints == [
        "Its USB bus carries Beside (MJPG 1280x720 at 30) already. A smaller size or rate for one of them makes room; "
          + "what fits shows: camrigctl bandwidth"
      ])
    // They have what they want.
    #expect(await bench.registry.description(webcamID("B2"))?.hints == nil)
  }

  @Test("names nobody where those beside it are closed")
  func nobody() async throws {
    let hints = try await hints(
      status(.idle, bus: "usb-0000:00:14.0-3"), status(.streaming, bus: "usb-0000:05:00.0-3", granted: granted))
    #expect(
      hints == [
        "No other camera of the rig streams on its USB bus: another device there does, or it asks for more than there is. "
          + "What it asks for shows: camrigctl bandwidth"
      ])
  }
}
