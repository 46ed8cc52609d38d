import CamrigModel
import Capture
import CaptureSupport
import Settings
import TestSupport
import Testing

@Suite("What users choose of a camera", .timeLimit(.minutes(1)))
struct CameraChoiceTests {
  private let bench = RegistryBench()
  private let a = webcamID("A1")
  private let b = webcamID("B2")

  @Test("a name is on the disk when it is answered, and holds over a restart")
  func renamed() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    try await bench.registry.rename(a, "  Front   left ")
    #expect(bench.kept.cameras[a]?.name == "Front left")
    #expect(await bench.registry.description(a)?.name == "Front left")
    let second = RegistryBench(settings: bench.settingsPath)
    #expect(await second.registry.cameras.map(\.name) == ["Front left"])
    #expect(await second.registry.cameras.map(\.state) == [.offline])
    try await second.start([second.webcam("4", serial: "A1", node: 3)])
    #expect(await second.registry.cameras.map(\.name) == ["Front left"])
    #expect(await second.registry.cameras.map(\.state) == [.idle])
  }

  @Test(
    "a name that says nothing or belongs to another camera is refused",
    arguments: [
      "", "   ", "a\nb", "\u{202E}abc", String(repeating: "x", count: 65), "webcam 2",
    ])
  func badNames(name: String) async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0), bench.webcam("2", serial: "B2", node: 2)])
    await #expect(throws: CameraRegistryError.self) { try await bench.registry.rename(a, name) }
    #expect(await bench.registry.description(a)?.name == "Webcam")
  }

  @Test("a camera is found by its ID, its name in any case, and not by a name that nobody has")
  func found() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0), bench.webcam("2", serial: "B2", node: 2)])
    #expect(try await bench.registry.find("usb-046d-0825-B2-00") == b)
    #expect(try await bench.registry.find("webcam 2") == b)
    await #expect(throws: CameraRegistryError.unknown("/dev/video0", cameras: ["Webcam (\(a))", "Webcam 2 (\(b))"])) {
      try await bench.registry.find("/dev/video0")
    }
  }

  @Test("format and switch are kept, and given to the camera before it is attached")
  func wishes() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    try await bench.registry.setWish(a, FormatWish(size: PixelSize(width: 640, height: 480)))
    try await bench.registry.setEnabled(a, false)
    let second = RegistryBench(settings: bench.settingsPath)
    try await second.start([second.webcam("1", serial: "A1", node: 0)])
    #expect(second.camera(a)?.calls == ["wish 640x480", "enabled false", "attach /dev/video0"])
  }

  @Test("what would break a take's files is refused while it goes on")
  func recording() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    await bench.registry.setRecorded([a])
    await #expect(throws: CameraRegistryError.recording(name: "Webcam")) {
      try await bench.registry.setWish(a, FormatWish())
    }
    await #expect(throws: CameraRegistryError.recording(name: "Webcam")) {
      try await bench.registry.setEnabled(a, false)
    }
    try await bench.registry.rename(a, "Front")
  }

  @Test("a change that the disk refuses does not hold, and the cameras work nevertheless")
  func diskRefuses() async throws {
    let bench = RegistryBench(settings: "/proc/camrig-cannot-be-here/settings.json")
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    await #expect(throws: CameraRegistryError.self) { try await bench.registry.rename(a, "Front") }
    #expect(await bench.registry.cameras.map(\.name) == ["Webcam"])
    #expect(bench.camera(a)?.node == "/dev/video0")
  }

  @Test("a new camera takes the place of an old one, with its ID and name")
  func replaced() async throws {
    let first = bench.webcam("1", serial: "A1", node: 0)
    try await bench.start([first])
    try await bench.registry.rename(a, "Front")
    let camera = await bench.registry.camera(a)
    bench.finder.tell(.removed(sysPath: first.sysPath))
    await bench.hear(.offline(a))
    bench.finder.tell(.present(bench.webcam("2", serial: "B2", node: 2)))
    await bench.hear(.online(b))
    try await bench.registry.replace(a, with: b)
    #expect(await bench.registry.cameras.map(\.id) == [a])
    #expect(await bench.registry.cameras.map(\.name) == ["Front"])
    #expect(await bench.registry.camera(a) === camera)
    #expect(camera?.node == "/dev/video2")
    #expect(try await bench.registry.find(b.rawValue) == a)
    #expect(bench.events.last == .replaced(old: a, with: b))
    await eventually { bench.camera(b)?.calls.suffix(2) == ["detach", "shutdown"] }
    #expect(bench.kept.cameras.keys.sorted() == [a])
  }

  @Test("replacing is refused while the old camera is there, and for a camera by itself")
  func replaceRefused() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0), bench.webcam("2", serial: "B2", node: 2)])
    await #expect(throws: CameraRegistryError.stillOnline(name: "Webcam", action: "replaced")) {
      try await bench.registry.replace(a, with: b)
    }
    await #expect(throws: CameraRegistryError.sameCamera(name: "Webcam")) {
      try await bench.registry.replace(a, with: a)
    }
    await #expect(throws: CameraRegistryError.self) { try await bench.registry.replace(CameraID("no"), with: a) }
  }

  @Test("a camera that is away can be forgotten, and comes back as a new one")
  func forgotten() async throws {
    let node = bench.webcam("1", serial: "A1", node: 0)
    try await bench.start([node])
    try await bench.registry.rename(a, "Front")
    await #expect(throws: CameraRegistryError.stillOnline(name: "Front", action: "forgotten")) {
      try await bench.registry.forget(a)
    }
    bench.finder.tell(.removed(sysPath: node.sysPath))
    await bench.hear(.offline(a))
    try await bench.registry.forget(a)
    #expect(await bench.registry.cameras.isEmpty)
    #expect(bench.kept.cameras.isEmpty)
    bench.finder.tell(.present(node))
    await bench.hear(.appeared(a), times: 2)
    #expect(await bench.registry.cameras.map(\.name) == ["Webcam"])
  }
}
