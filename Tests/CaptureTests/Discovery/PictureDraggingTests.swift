import CamrigModel
import Capture
import CaptureSupport
import Settings
import TestSupport
import Testing

@Suite("A camera's picture under a finger", .timeLimit(.minutes(1)))
struct PictureDraggingTests {
  private let bench = RegistryBench()
  private let a = webcamID("A1")

  private func zoomed(_ zoom: Double) -> PictureSetting { PictureSetting(kept: PictureChoice(zoom: zoom)) }

  private var shown: [String] { bench.camera(a)?.calls.filter { $0.hasPrefix("zoom") } ?? [] }

  private func drag() async throws {
    for step in 1...40 { try await bench.registry.setPicture(a, zoomed(1 + Double(step) / 20)) }
  }

  @Test("of forty values two show, the first at once and the last when it calms; then it is on the disk")
  func coalesced() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    let disk = await bench.holdDisk()
    try await drag()
    disk.open()
    #expect(shown == ["zoom 1.05"], "and no answer has waited for the disk")
    #expect(await bench.registry.description(a)?.picture?.zoom == 3, "whoever asks is told the latest")
    await bench.timer.expire(PictureBurst.calm)
    await eventually { bench.timer.isWaiting(PictureBurst.calm) }
    // The finger still moves.
    try await bench.registry.setPicture(a, zoomed(3.5))
    await bench.timer.expire(PictureBurst.calm)
    await bench.timer.expire(PictureBurst.calm)
    await eventually { shown == ["zoom 1.05", "zoom 3.5"] }
    await eventually { bench.kept.cameras[a]?.picture.zoom == 3.5 }
    // The next one shows at once again.
    try await bench.registry.setPicture(a, zoomed(4))
    #expect(shown.last == "zoom 4.0")
  }

  @Test("a rig that is stopped in the middle keeps the latest")
  func stopped() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    try await drag()
    await bench.registry.stop()
    #expect(bench.kept.cameras[a]?.picture.zoom == 3)
    #expect(shown == ["zoom 1.05"])
  }

  @Test("a take that begins in the middle records the latest, and nothing changes after that")
  func recorded() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    try await drag()
    await bench.registry.setRecorded([a])
    #expect(shown == ["zoom 1.05", "zoom 3.0"])
    await #expect(throws: CameraRegistryError.self) { try await bench.registry.setPicture(a, zoomed(4)) }
    await bench.timer.expire(PictureBurst.calm)
    await eventually { bench.kept.cameras[a]?.picture.zoom == 3 }
    #expect(shown == ["zoom 1.05", "zoom 3.0"])
  }
}
