import CamrigModel
import Capture
import CaptureSupport
import Glibc
import Settings
import TestSupport
import Testing
import V4L2

/// All there is, at once.
private struct SettledFinder: CameraFinder {
  let nodes: [FoundNode]
  func start(_ observer: @escaping @Sendable (FinderEvent) -> Void) throws(FinderError) { observer(.all(nodes)) }
  func stop() {}
}

@Suite("The lights of a camera", .timeLimit(.minutes(5)))
struct CameraLightsTests {
  private static let torch: [ControlDescription] = [
    ControlDescription(
      key: "led_mode", id: 0x009c_0901, name: "LED Mode", group: "flash", type: .menu, defaultValue: .number(0),
      value: .number(0), items: [0: "Off", 1: "Flash", 2: "Torch"]),
    ControlDescription(
      key: "intensity_torch_mode", id: 0x009c_0908, name: "Intensity, Torch Mode", group: "flash", type: .integer,
      minimum: 25, maximum: 200, step: 25, defaultValue: .number(25), value: .number(25)),
    ControlDescription(
      key: "faults", id: 0x009c_090a, name: "Faults", group: "flash", type: .bitmask, value: .number(0),
      flags: [.readOnly, .volatile]),
  ]

  private final class Bench: Sendable {
    let fake: FakeControls
    let camera: Camera
    private let told = Told()
    let timer = ManualTimer()

    init(_ controls: [ControlDescription] = torch + FakeControls.webcam, kept: [String: KeptControl] = [:]) throws {
      fake = try FakeControls(controls)
      let told = told
      camera = Camera(
        id: CameraID("test"), configuration: CaptureConfiguration(), clock: SystemClock(),
        log: RecordingLogSink().log, timer: timer, controlsChanged: { one in told.news.withLock { $0.append(one) } },
        changed: { _ in })
      camera.setKept(kept)
      camera.controls.showLights()
    }

    private final class Told: Sendable { let news = Guarded<[ControlNews]>([]) }

    var news: [ControlNews] { told.news.withLock { $0 } }

    func plug() { camera.attach(ControlledDevice(controls: fake)) }

    deinit {
      timer.expireAll()
      camera.shutdown()
    }

    var lights: [CameraLight] { camera.controls.lights }
  }

  private func on(_ level: Int64) -> [ControlDescription] {
    var controls = Self.torch
    controls[0].value = .number(2)
    controls[1].value = .number(level * 25)
    return controls
  }

  @Test("are found when the camera comes")
  func found() async throws {
    let bench = try Bench()
    #expect(bench.lights == [])
    bench.plug()
    await eventually { bench.lights.map(\.maxLevel) == [8] }
    await eventually { bench.news == [.listed] }
    #expect(bench.fake.writes == [])
  }

  @Test("a camera without any is looked at once, and closed again")
  func none() async throws {
    let bench = try Bench(FakeControls.webcam)
    bench.plug()
    await eventually { bench.fake.listed == 1 && !bench.fake.isOpen }
    #expect(bench.lights == [])
  }

  @Test("one that is on when the camera is found goes off, and is not put on by what was kept")
  func offAtFirst() async throws {
    let bench = try Bench(on(4), kept: ["led_mode": KeptControl(id: 0x009c_0901, value: .number(2))])
    bench.plug()
    await eventually { bench.lights.map(\.level) == [0] && bench.fake.writes.contains("led_mode=0") }
    #expect(bench.camera.controls.hints == [])
  }

  @Test("the brightness is set before the light is on, and the level is what the camera has granted")
  func set() async throws {
    let bench = try Bench()
    bench.plug()
    await eventually { !bench.lights.isEmpty }
    #expect(try await bench.camera.controls.set(light: "torch", 6) == 6)
    #expect(bench.fake.writes == ["intensity_torch_mode=150", "led_mode=2"])
    #expect(try await bench.camera.controls.set(light: "torch", 0) == 0)
    #expect(bench.fake.writes.last == "led_mode=0")
    // The mode is nobody's choice for the next start.
    #expect(
      bench.news.allSatisfy { news in
        if case .chosen(let kept) = news { kept.keys.elementsEqual(["intensity_torch_mode"]) } else { true }
      })
  }

  @Test("its controls stay open: what somebody else switches is told, and what fails")
  func foreign() async throws {
    let bench = try Bench()
    bench.plug()
    await eventually { !bench.lights.isEmpty }
    bench.fake.turn("led_mode", .number(2))
    await eventually { bench.lights.map(\.level) == [1] }
    bench.fake.turn("faults", .number(4))
    await eventually { bench.lights.map(\.faults) == [["over-temperature"]] }
    await eventually {
      bench.news.contains { news in
        if case .changed(let controls) = news { controls.contains(where: CameraLight.concerns) } else { false }
      }
    }
  }

  @Test("a camera that forgets its light when its stream is started again gets it back")
  func restarted() async throws {
    let bench = try Bench()
    bench.plug()
    await eventually { !bench.lights.isEmpty }
    _ = try await bench.camera.controls.set(light: "torch", 2)
    bench.fake.forget()
    bench.camera.controls.pictureCame()
    await eventually { bench.fake.writes == ["intensity_torch_mode=50", "led_mode=2"] }
  }

  @Test("one that refuses says why, and one that is gone too")
  func refused() async throws {
    let bench = try Bench()
    bench.plug()
    await eventually { !bench.lights.isEmpty }
    bench.fake.fail("led_mode", EBUSY)
    let why = "led_mode was refused: the camera is busy with something else (errno 16)."
    await #expect(throws: CameraLightTrouble.refused(why)) {
      try await bench.camera.controls.set(light: "torch", 1)
    }
    bench.camera.detach()
    await #expect(throws: CameraLightTrouble.gone) { try await bench.camera.controls.set(light: "torch", 1) }
  }

  @Test("after a crash a camera that refuses, or cannot be opened, is named, and keeps no other one lit")
  func lightsThatStay() throws {
    let nodes = ["/dev/video0", "/dev/video1", "/dev/video2"]
    let finder = SettledFinder(nodes: nodes.map { FoundNode(sysPath: "/sys/a", node: $0) })
    let fakes = ["/dev/video1": try FakeControls(on(3)), "/dev/video2": try FakeControls(on(3))]
    fakes["/dev/video1"]?.fail("led_mode", EBUSY)
    let (done, failed) = try LightsOff(finder: finder) { path throws(V4L2Error) in
      guard let fake = fakes[path] else { throw .missing(path: path) }
      return OpenFakeControls(fake)
    }.run()
    #expect(done == ["/dev/video2: torch switched off"])
    #expect(failed.count == 2 && failed[0].contains("/dev/video0") && failed[1].contains("/dev/video1"))
  }

  @Test("after a crash all that are on go off, and nothing else is touched")
  func lightsOff() throws {
    let finder = SettledFinder(nodes: ["/dev/video0", "/dev/video1"].map { FoundNode(sysPath: "/sys/a", node: $0) })
    let fakes = [
      "/dev/video0": try FakeControls(on(3) + FakeControls.webcam), "/dev/video1": try FakeControls(),
    ]
    let (done, failed) = try LightsOff(finder: finder) { path throws(V4L2Error) in
      guard let fake = fakes[path] else { throw .missing(path: path) }
      return OpenFakeControls(fake)
    }.run()
    #expect(done == ["/dev/video0: torch switched off"])
    #expect(failed == [])
    #expect(fakes["/dev/video0"]?.writes == ["led_mode=0"])
    #expect(fakes["/dev/video1"]?.writes == [])
    #expect(fakes.values.allSatisfy { !$0.isOpen })
  }
}
