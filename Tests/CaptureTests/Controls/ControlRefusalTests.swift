import CamrigModel
import Capture
import CaptureSupport
import DaemonKit
import Glibc
import TestSupport
import Testing

@Suite("Why a control is refused", .timeLimit(.minutes(5)))
struct ControlRefusalTests {
  /// A webcam with one control more of each kind that refuses something.
  private static let controls: [ControlDescription] =
    FakeControls.webcam + [
      ControlDescription(
        key: "temperature", id: 0x0098_0a01, name: "Temperature", type: .integer, minimum: 0, maximum: 100,
        defaultValue: .number(20), value: .number(20), flags: [.readOnly]),
      ControlDescription(
        key: "hidden", id: 0x0098_0a02, name: "Hidden", type: .integer, minimum: 0, maximum: 1,
        defaultValue: .number(0), value: .number(0), flags: [.disabled]),
      ControlDescription(key: "table", id: 0x0098_0a03, name: "Table", type: .unsupported),
      ControlDescription(
        key: "bits", id: 0x0098_0a04, name: "Bits", type: .bitmask, maximum: 5, defaultValue: .number(0),
        value: .number(0)),
      ControlDescription(key: "word", id: 0x0098_0a05, name: "Word", type: .string, minimum: 2, maximum: 4),
      ControlDescription(
        key: "contrast", id: 0x0098_0901, name: "Contrast", type: .integer, minimum: 0, maximum: 9,
        defaultValue: .number(5), value: .number(5), flags: [.inactive]),
      ControlDescription(
        key: "size", id: 0x0098_0a06, name: "Size", type: .integer, minimum: 0, maximum: 9, defaultValue: .number(5),
        value: .number(5), flags: [.grabbed]),
      // Its default is one of its gaps.
      ControlDescription(
        key: "mains", id: 0x0098_0918, name: "Mains", type: .menu, minimum: 0, maximum: 3, defaultValue: .number(0),
        value: .number(1), items: [1: "50 Hz", 3: "60 Hz"]),
      // An automatic that nobody can switch off, and what it works.
      ControlDescription(
        key: "focus_auto", id: 0x009a_090c, name: "Focus, Auto", type: .boolean, defaultValue: .bool(true),
        value: .bool(true), flags: [.readOnly]),
      ControlDescription(
        key: "focus_absolute", id: 0x009a_090a, name: "Focus", type: .integer, minimum: 0, maximum: 9,
        defaultValue: .number(0), value: .number(0), flags: [.inactive]),
    ]

  private final class Bench: Sendable {
    let fake: FakeControls
    let timer = ManualTimer()
    let camera: Camera

    init() throws {
      fake = try FakeControls(ControlRefusalTests.controls)
      camera = Camera(
        id: CameraID("test"), configuration: CaptureConfiguration(), clock: SystemClock(),
        log: RecordingLogSink().log, timer: timer, controlsChanged: { _ in }, changed: { _ in })
      camera.attach(ControlledDevice(controls: fake))
    }

    deinit {
      timer.expireAll()
      camera.shutdown()
    }
  }

  /// What is asked, the key under which it is refused, and why.
  private static let vain: [(values: [String: ControlValue], key: String, reason: ControlReason)] = [
    (["zoomm": .number(1)], "zoomm", ControlReason(.unknown)),
    (["temperature": .number(1)], "temperature", ControlReason(.readOnly)),
    (["hidden": .number(1)], "hidden", ControlReason(.disabled)),
    (["table": .number(1)], "table", ControlReason(.listedOnly)),
    (["brightness": .text("much")], "brightness", ControlReason(.wrongType)),
    (["exposure_dynamic_framerate": .number(7)], "exposure_dynamic_framerate", ControlReason(.wrongType)),
    (["exposure-auto": .number(2)], "auto_exposure", ControlReason(.noSuchItem)),
    (["auto_exposure": .text("Shutter")], "auto_exposure", ControlReason(.noSuchItem)),
    (["mains": .number(0)], "mains", ControlReason(.noSuchItem)),
    (["mains": .number(2)], "mains", ControlReason(.noSuchItem)),
    (["bits": .number(8)], "bits", ControlReason(.unknownBits)),
    (["word": .text("x")], "word", ControlReason(.badLength)),
    (["contrast": .number(3)], "contrast", ControlReason(.inactive)),
    (["focus_absolute": .number(3)], "focus_absolute", ControlReason(.inactive, automatic: "focus_auto")),
    (["size": .number(3)], "size", ControlReason(.grabbed)),
  ]

  @Test("is a code beside the sentence, found without a write")
  func codes() async throws {
    let bench = try Bench()
    for (values, key, reason) in Self.vain {
      let outcome = try await bench.camera.controls.set(values)
      #expect(outcome.reasons == [key: reason], "\(values)")
      #expect(outcome.granted.isEmpty && outcome.refused[key]?.isEmpty == false, "\(values)")
    }
    for (key, code) in [
      "mains": ControlRefusalCode.noDefault, "temperature": .readOnly, "hidden": .disabled, "table": .listedOnly,
      "nothing": .unknown,
    ] {
      let outcome = try await bench.camera.controls.reset([key])
      #expect(outcome.reasons == [key: ControlReason(code)], "\(key)")
    }
    #expect(bench.fake.writes == [], "the camera was asked to set nothing")
  }

  @Test("names the automatic that was wished for beside it, which is set")
  func contradicts() async throws {
    let bench = try Bench()
    let outcome = try await bench.camera.controls.set(["auto_exposure": .number(3), "exposure": .number(100)])
    #expect(outcome.reasons == ["exposure_time_absolute": ControlReason(.inactive, automatic: "auto_exposure")])
    #expect(bench.fake.writes == ["auto_exposure=3"])
  }

  @Test("is the driver's word, by its name, and costs no other control")
  func device() async throws {
    let bench = try Bench()
    for (errno, name) in [(EIO, "EIO"), (EACCES, "EACCES"), (EBUSY, "EBUSY"), (EILSEQ, "EILSEQ")] {
      bench.fake.fail("zoom_absolute", errno)
      let outcome = try await bench.camera.controls.set(["zoom": .number(200), "brightness": .number(8)])
      #expect(outcome.reasons == ["zoom_absolute": ControlReason(.device, errno: name)])
      #expect(outcome.granted == ["brightness": .number(8)])
    }
    bench.fake.fail("zoom_absolute", nil)
    let granted = try await bench.camera.controls.set(["zoom": .number(200)])
    #expect(granted.reasons == nil && granted.refused.isEmpty)
  }

  @Test("tells a camera that is late from one that has gone")
  func lateOrGone() async throws {
    let bench = try Bench()
    bench.fake.gate("zoom_absolute")
    async let late = bench.camera.controls.set(["zoom": .number(300)])
    await eventually { bench.fake.isInGate("zoom_absolute") }
    await bench.timer.expire(CameraControls.patience)
    #expect(try await late.reasons == ["zoom_absolute": ControlReason(.late)])
    async let gone = bench.camera.controls.set(["brightness": .number(8)])
    await eventually { bench.camera.controls.waiting >= 1 }
    bench.camera.detach()
    #expect(try await gone.reasons == ["brightness": ControlReason(.unplugged)])
    bench.fake.open("zoom_absolute")
  }
}
