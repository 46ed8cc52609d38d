import CamrigModel
import Capture
import CaptureSupport
import DaemonKit
import Glibc
import Settings
import TestSupport
import Testing

@Suite("The controls of a camera", .timeLimit(.minutes(5)))
struct CameraControlsTests {
  /// A camera with nothing but controls, and what they have told.
  private final class Bench: Sendable {
    let fake: FakeControls
    let timer = ManualTimer()
    let sink = RecordingLogSink()
    let camera: Camera
    private let told = Told()

    private final class Told: Sendable { let news = Guarded<[ControlNews]>([]) }

    init(kept: [String: KeptControl] = [:], plugged: Bool = true) throws {
      fake = try FakeControls()
      let told = told
      camera = Camera(
        id: CameraID("test"), configuration: CaptureConfiguration(), clock: SystemClock(), log: sink.log, timer: timer,
        controlsChanged: { news in told.news.withLock { $0.append(news) } }, changed: { _ in })
      camera.setKept(kept)
      if plugged { plug() }
    }

    func plug() { camera.attach(ControlledDevice(controls: fake)) }

    deinit {
      timer.expireAll()
      camera.shutdown()
    }

    var controls: CameraControls { camera.controls }
    var news: [ControlNews] { told.news.withLock { $0 } }
    var chosen: [String: KeptControl] {
      news.reduce(into: [:]) { all, news in
        if case .chosen(let chosen) = news { all.merge(chosen) { $1 } }
      }
    }

    func set(_ values: [String: ControlValue]) async throws -> ControlOutcome { try await controls.set(values) }
  }

  @Test("are listed with queries only, and nothing is open when nobody wants anything")
  func lists() async throws {
    let bench = try Bench()
    #expect(!bench.fake.isOpen)
    for _ in 0..<100 { #expect(try await bench.controls.list().map(\.key) == FakeControls.webcam.map(\.key)) }
    #expect(bench.fake.writes == [])
    await eventually { !bench.fake.isOpen }
    #expect(bench.controls.known == nil)
  }

  @Test("an automatic that was switched a moment ago is still switched before what it works")
  func keepsOrder() async throws {
    let bench = try Bench()
    for time in [100, 200] {
      _ = try await bench.set(["exposure-auto": .bool(true)])
      let outcome = try await bench.set(["auto_exposure": .number(1), "exposure_time_absolute": .number(Int64(time))])
      #expect(outcome.refused.isEmpty, "\(outcome.refused)")
      #expect(outcome.granted["exposure_time_absolute"] == .number(Int64(time)))
    }
  }

  @Test("a dependent switches its automatic off first, and both are granted and kept")
  func pairs() async throws {
    let bench = try Bench()
    let outcome = try await bench.set(["exposure": .number(100)])
    #expect(bench.fake.writes == ["auto_exposure=1", "exposure_time_absolute=100"])
    #expect(
      outcome == ControlOutcome(granted: ["auto_exposure": .number(1), "exposure_time_absolute": .number(100)]))
    // Kept just after whoever asked has his answer.
    await eventually { Set(bench.chosen.keys) == ["auto_exposure", "exposure_time_absolute"] }
    #expect(bench.chosen["auto_exposure"] == KeptControl(id: 0x009a_0901, value: .number(1)))
  }

  @Test("whoever wants the automatic and its dependent at once gets the automatic, and is told why")
  func contradicts() async throws {
    let bench = try Bench()
    let outcome = try await bench.set(["exposure_auto": .bool(true), "exposure": .number(100), "zoom": .number(7000)])
    #expect(outcome.granted == ["auto_exposure": .number(3), "zoom_absolute": .number(500)])
    #expect(
      outcome.refused == [
        "exposure_time_absolute":
          "exposure_time_absolute has no effect just now, since auto_exposure is Aperture Priority Mode."
      ])
  }

  @Test("one that fails or is unknown costs none of the others")
  func reportsEach() async throws {
    let bench = try Bench()
    bench.fake.fail("zoom_absolute", EIO)
    let outcome = try await bench.set(["zoom": .number(200), "brightness": .number(3), "brightnes": .number(1)])
    #expect(outcome.granted == ["brightness": .number(0)])
    #expect(outcome.refused["zoom_absolute"] == "zoom_absolute was refused: Input/output error (errno 5).")
    #expect(outcome.refused["brightnes"] == "This camera has no control brightnes. Is brightness meant?")
  }

  @Test("what uvcvideo means by its errors is told in words")
  func wordsForErrors() async throws {
    let bench = try Bench()
    bench.fake.fail("zoom_absolute", EILSEQ)
    let outcome = try await bench.set(["zoom": .number(200)])
    #expect(
      outcome.refused["zoom_absolute"]
        == "zoom_absolute was refused: the camera cannot do that as it is set just now (errno 84).")
  }

  @Test("keeping the rate is the driver's control the other way round")
  func keepsRate() async throws {
    let bench = try Bench()
    #expect(
      try await bench.set(["keep-frame-rate": .text("on")]).granted == ["exposure_dynamic_framerate": .bool(false)])
    #expect(
      try await bench.set(["exposure_auto_priority": .bool(true)]).granted["exposure_dynamic_framerate"] == .bool(true))
  }

  @Test("a flood of values is few writes, and the last one counts")
  func floods() async throws {
    let bench = try Bench()
    bench.fake.gate("zoom_absolute")
    async let first = bench.set(["zoom": .number(100)])
    await eventually { bench.fake.isInGate("zoom_absolute") }
    // All are asked while the camera is still at the first.
    let answers = await withTaskGroup(of: ControlOutcome?.self) { group in
      for value in Int64(101)...200 {
        group.addTask { try? await bench.set(["zoom": .number(value)]) }
      }
      await eventually { bench.controls.waiting == 101 }
      bench.fake.open("zoom_absolute")
      return await group.reduce(into: [ControlOutcome?]()) { $0.append($1) }
    }
    _ = try await first
    #expect(bench.fake.writes.count == 2)
    #expect(answers.allSatisfy { $0?.granted["zoom_absolute"] == bench.fake.value("zoom_absolute") })
  }

  @Test("a camera that takes too long: the client is told, others get their answers, the value is set all the same")
  func late() async throws {
    let bench = try Bench()
    bench.fake.gate("zoom_absolute")
    async let answer = bench.set(["zoom": .number(300), "brightness": .number(8)])
    await eventually { bench.fake.isInGate("zoom_absolute") }
    await bench.timer.expire(CameraControls.patience)
    let outcome = try await answer
    #expect(outcome.granted == ["brightness": .number(8)])
    #expect(outcome.refused["zoom_absolute"]?.hasPrefix("The camera has not answered within 2 s.") == true)
    #expect(bench.controls.known != nil, "what is known can be asked meanwhile")
    bench.fake.open("zoom_absolute")
    await eventually { bench.chosen["zoom_absolute"]?.value == .number(300) }
  }

  @Test("what somebody else turns is told while somebody watches")
  func watches() async throws {
    let bench = try Bench()
    bench.controls.watch()
    await eventually { bench.news.contains(.listed) }
    bench.fake.turn("brightness", .number(16))
    await eventually {
      bench.news.contains { news in
        guard case .changed(let controls) = news else { return false }
        return controls.map(\.key) == ["brightness"] && controls.first?.value == .number(16)
      }
    }
    #expect(bench.chosen == [:], "what others turn is not a choice of ours")
    bench.controls.unwatch()
    await eventually { !bench.fake.isOpen }
  }

  @Test("what was kept is set when the camera comes, automatics first; what an automatic works waits")
  func appliesAtPlugging() async throws {
    let bench = try Bench(
      kept: [
        "exposure_absolute": KeptControl(id: 0x009a_0902, value: .number(77)),
        "exposure_auto": KeptControl(id: nil, value: .number(1)),
        "zoom_absolute": KeptControl(id: 0x009a_090d, value: .number(150)),
        "made_up": KeptControl(id: nil, value: .number(1)),
      ])
    await eventually { bench.fake.writes.count == 3 }
    #expect(bench.fake.writes == ["auto_exposure=1", "exposure_time_absolute=77", "zoom_absolute=150"])
    await eventually {
      bench.camera.status.hints == [
        "made_up could not be set to 1 as it was kept: This camera has no control made_up. What it has shows: camrigctl controls CAMERA"
      ]
    }
    await eventually { !bench.fake.isOpen }
    _ = try await bench.set(["auto_exposure": .bool(true)])
    bench.camera.detach()
    bench.fake.forget()
    bench.plug()
    await eventually { bench.fake.writes.count == 2 }
    #expect(bench.fake.writes == ["auto_exposure=3", "zoom_absolute=150"])
  }

  @Test("a kept value that the camera refuses is named, the others are set, and it is forgiven once it works")
  func namesFailing() async throws {
    let kept = [
      "brightness": KeptControl(id: 0x0098_0900, value: .number(8)),
      "zoom_absolute": KeptControl(id: 0x009a_090d, value: .number(150)),
    ]
    let bench = try Bench(kept: kept, plugged: false)
    bench.fake.fail("brightness", EIO)
    bench.plug()
    let hint = "brightness could not be set to 8 as it was kept: brightness was refused: Input/output error (errno 5)."
    await eventually { bench.camera.status.hints == [hint] }
    await eventually { bench.fake.value("zoom_absolute") == .number(150) }
    bench.fake.fail("brightness", nil)
    _ = try await bench.set(["brightness": .number(16)])
    #expect(bench.camera.status.hints == [])
  }

  @Test("reset sets defaults, the automatics last, and nothing is kept any more")
  func resets() async throws {
    let bench = try Bench()
    _ = try await bench.set(["exposure": .number(100), "zoom": .number(200)])
    bench.fake.forget()
    let outcome = try await bench.controls.reset(nil)
    #expect(outcome.refused == [:])
    #expect(bench.fake.writes.last == "auto_exposure=3")
    #expect(bench.fake.value("exposure_time_absolute") == .number(250))
    #expect(bench.fake.value("zoom_absolute") == .number(100))
    await eventually {
      let forgotten = bench.news.flatMap { news -> [String] in
        guard case .forgotten(let names) = news else { return [] }
        return names
      }
      return Set(forgotten) == ["auto_exposure", "exposure_time_absolute", "zoom_absolute"]
    }
  }

  @Test("reset forgets also what an automatic works just now, which would be back once that is off")
  func resetsInactive() async throws {
    let bench = try Bench()
    _ = try await bench.set(["exposure": .number(100)])
    _ = try await bench.set(["exposure-auto": .bool(true)])
    bench.fake.forget()
    #expect(try await bench.controls.reset(nil).refused == [:])
    #expect(!bench.fake.writes.contains { $0.hasPrefix("exposure_time_absolute") })
    await eventually {
      bench.news.contains { news in
        if case .forgotten(let names) = news { names.contains("exposure_time_absolute") } else { false }
      }
    }
  }

  @Test("a camera that goes lets go of its node, and who waits is told")
  func unplugged() async throws {
    let bench = try Bench()
    bench.controls.watch()
    await eventually { bench.fake.isOpen }
    bench.fake.unplug()
    await eventually { !bench.fake.isOpen }
    bench.camera.detach()
    await #expect(throws: ControlTrouble.offline) { try await bench.controls.list() }
    bench.fake.state.withLock { $0.isGone = false }
    bench.plug()
    await eventually { bench.fake.isOpen }
    bench.controls.unwatch()
  }

  @Test("a node that is not ours yet is tried again")
  func opensLater() async throws {
    let bench = try Bench(plugged: false)
    bench.fake.failOpening(.device(.permission(path: "/dev/fake0")))
    bench.camera.setKept(["zoom_absolute": KeptControl(id: 0x009a_090d, value: .number(150))])
    bench.plug()
    await eventually { bench.fake.writes == ["zoom_absolute=150"] }
  }

  @Test("a disabled camera is left alone")
  func disabled() async throws {
    let bench = try Bench()
    bench.camera.setEnabled(false)
    await #expect(throws: ControlTrouble.disabled) { try await bench.controls.list() }
    #expect(bench.fake.listed == 0)
  }
}
