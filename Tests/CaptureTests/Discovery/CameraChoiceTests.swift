import CamrigModel
import Capture
import CaptureSupport
import Settings
import TestSupport
import Testing

@Suite("What users choose of a camera", .timeLimit(.minutes(5)))
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

  private typealias Change = @Sendable (RegistryBench) async throws -> Void

  /// What was refused of several changes at once. Nothing depends on the pause: it only lets all of them look at the
  /// names before the first one is on the disk.
  private func refused(_ changes: Change...) async throws -> [CameraRegistryError] {
    let bench = bench
    let gate = await bench.holdDisk()
    let underWay = changes.map { change in
      Task { () -> CameraRegistryError? in
        do {
          try await change(bench)
          return nil
        } catch {
          return error as? CameraRegistryError
        }
      }
    }
    try await Task.sleep(for: .milliseconds(30))
    gate.open()
    var errors: [CameraRegistryError] = []
    for change in underWay {
      if let error = await change.value { errors.append(error) }
    }
    return errors
  }

  private var names: [String] { get async { await bench.registry.cameras.map(\.name) } }

  @Test("of two that are given one name at the same time one gets it, and the other is refused")
  func renamedAtOnce() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0), bench.webcam("2", serial: "B2", node: 2)])
    let (a, b) = (a, b)
    let errors = try await refused(
      { try await $0.registry.rename(a, "Front") }, { try await $0.registry.rename(b, "front") })
    #expect(Set(await names.map { $0.lowercased() }).count == 2)
    #expect(errors.count == 1)
    switch errors.first {
    case .nameTaken(let name, _), .namePromised(let name): #expect(name.lowercased() == "front")
    default: Issue.record("one is refused for its name: \(errors)")
    }
    // What nobody is called any more is free.
    try await bench.registry.rename(a, "Left")
    try await bench.registry.rename(b, "Front")
    try await bench.registry.rename(a, "Webcam")
  }

  @Test("a camera that comes while another is given its name is called otherwise")
  func comesWhileRenamed() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    let (a, b) = (a, b)
    _ = try await refused(
      { try await $0.registry.rename(a, "Webcam 2") },
      { bench in
        try? await Task.sleep(for: .milliseconds(5))
        bench.finder.tell(.present(bench.webcam("2", serial: "B2", node: 2)))
        await bench.hear(.online(b))
      })
    #expect(Set(await names).count == 2)
  }

  @Test("a test pattern that comes back finds its name with another camera, and gets another one")
  func builtInNameTaken() async throws {
    let id = CameraID("test-1")
    await bench.registry.addBuiltIn(id: id, name: "Bars", device: FakeDevice(node: "test-pattern-1"))
    try await bench.registry.rename(id, "Front")
    let second = RegistryBench(settings: bench.settingsPath)
    try await second.start([second.webcam("1", serial: "A1", node: 0)])
    try await second.registry.rename(a, "Front")
    await second.registry.addBuiltIn(id: id, name: "Bars", device: FakeDevice(node: "test-pattern-1"))
    #expect(await second.registry.cameras.map(\.name) == ["Front", "Front 2"])
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
