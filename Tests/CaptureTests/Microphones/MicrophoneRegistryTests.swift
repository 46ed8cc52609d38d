import CamrigModel
import Capture
import CaptureSupport
import DaemonKit
import Settings
import Sound
import TestSupport
import Testing

@Suite("The rig's microphones", .timeLimit(.minutes(5)))
struct MicrophoneRegistryTests {
  private let directory = TemporaryDirectory()
  private let finder = FakeFinder()
  private let device = FakeSoundDevice()
  private let sink = RecordingLogSink()

  private func registry() async throws -> MicrophoneRegistry {
    let device = device
    var parts = MicrophoneRegistry.Parts(
      finder: finder, store: SettingsStore(path: directory.path + "/settings.json", log: sink.log),
      configuration: CaptureConfiguration(), log: sink.log, observer: { _ in })
    parts.device = { node in device.node == node ? device : FakeSoundDevice(node) }
    let registry = MicrophoneRegistry(parts)
    try await registry.start()
    return registry
  }

  private func mic(_ port: String, serial: String = "", card: Int, id: String = "Webcam") -> FoundNode {
    .microphone(port, serial: serial, card: card, id: id)
  }

  private func videoPath(_ port: String, _ number: Int) -> String {
    "/sys/devices/usb1/1-\(port)/1-\(port):1.0/video4linux/video\(number)"
  }

  private func mic(at port: String) -> MicrophoneID { MicrophoneID("port-pci-usb-0:\(port):1.2-02") }

  @Test("each belongs to the camera of its own USB device, whatever order and numbers they came in")
  func crossedPairing() async throws {
    let registry = try await registry()
    // The first camera's microphone is the second card.
    finder.tell(.all([mic("2", card: 0, id: "C920"), mic("3", card: 1, id: "C920_1")]))
    await registry.camerasAre([portID("3"): videoPath("3", 0), portID("2"): videoPath("2", 2)])
    await eventually { await registry.microphones.compactMap(\.camera).count == 2 }
    #expect(await registry.description(mic(at: "2"))?.camera == portID("2"))
    #expect(await registry.description(mic(at: "3"))?.camera == portID("3"))
    #expect(await registry.microphones(of: portID("3")).map(\.id) == [mic(at: "3")])
  }

  @Test("a socket 1-1 is not the socket 1-11")
  func similarPaths() async throws {
    let found = PresentMicrophone(mic("1", card: 0))
    #expect(found.companion(among: [portID("11"): videoPath("11", 0)]) == nil)
    #expect(found.companion(among: [portID("1"): videoPath("1", 0)]) == portID("1"))
  }

  @Test("another number after the next boot is the same microphone, with its settings")
  func numbersChange() async throws {
    let id = MicrophoneID("usb-046d-0825-ABC123-02")
    do {
      let registry = try await registry()
      finder.tell(.all([mic("2", serial: "ABC123", card: 1)]))
      await eventually { await registry.description(id)?.state == .idle }
      var wish = MicrophoneRegistry.Wish()
      (wish.name, wish.offsetMilliseconds, wish.camera) = ("Desk", -40, .cameras([CameraID("front")]))
      try await registry.set(id, wish)
      await registry.stop()
    }
    let registry = try await registry()
    #expect(await registry.description(id)?.state == .offline)
    // In another socket, and another card.
    finder.tell(.all([mic("3", serial: "ABC123", card: 4)]))
    await eventually { await registry.description(id)?.state == .idle }
    let again = try #require(await registry.description(id))
    #expect(again.name == "Desk" && again.offsetMilliseconds == -40)
    #expect(again.camera == CameraID("front") && again.pairing == .chosen)
    #expect(await registry.microphones.count == 1)
  }

  @Test("several cameras may share one, and one that is off is never opened: both are kept")
  func sharedAndOff() async throws {
    do {
      let registry = try await registry()
      finder.tell(.all([mic("2", card: 1)]))
      await eventually { await registry.description(mic(at: "2"))?.state == .idle }
      var wish = MicrophoneRegistry.Wish()
      wish.camera = .cameras([CameraID("side"), CameraID("front")])
      wish.enabled = false
      try await registry.set(mic(at: "2"), wish)
      await registry.stop()
    }
    let registry = try await registry()
    finder.tell(.all([mic("2", card: 1)]))
    await eventually { await registry.description(mic(at: "2"))?.state == .disabled }
    let again = try #require(await registry.description(mic(at: "2")))
    #expect(again.cameras == ["front", "side"].map { CameraID($0) } && !again.enabled)
    #expect(await registry.microphones(of: CameraID("side")).isEmpty)
    var wish = MicrophoneRegistry.Wish()
    wish.enabled = true
    try await registry.set(mic(at: "2"), wish)
    #expect(await registry.description(mic(at: "2"))?.state == .idle)
    #expect(await registry.microphones(of: CameraID("side")).map(\.id) == [mic(at: "2")])
  }

  @Test("one that is missing is offline, and no other takes its place")
  func missing() async throws {
    let registry = try await registry()
    finder.tell(.all([mic("2", card: 1)]))
    await registry.camerasAre([portID("2"): videoPath("2", 0)])
    await eventually { await registry.description(mic(at: "2"))?.camera != nil }
    // Its card's number goes to another one.
    finder.tell(.removed(sysPath: mic("2", card: 1).sysPath))
    finder.tell(.present(mic("5", card: 1)))
    await eventually { await registry.description(mic(at: "5")) != nil }
    await eventually { await registry.description(mic(at: "2"))?.state == .offline }
    // It still belongs to its camera: the next take has its silence, and its sound when it comes back.
    #expect(await registry.microphones(of: portID("2")).map(\.id) == [mic(at: "2")])
    #expect(await registry.description(mic(at: "5"))?.camera == nil)
  }

  @Test("it may come seconds after its camera, and go and come back")
  func late() async throws {
    let registry = try await registry()
    await registry.camerasAre([portID("2"): videoPath("2", 0)])
    finder.tell(.all([]))
    finder.tell(.present(mic("2", card: 1)))
    await eventually { await registry.description(mic(at: "2"))?.camera == portID("2") }
    let microphone = try #require(await registry.microphone(mic(at: "2")))
    finder.tell(.removed(sysPath: mic("2", card: 1).sysPath))
    await eventually { microphone.status.state == .offline }
    finder.tell(.present(mic("2", card: 2)))
    await eventually { microphone.status.state == .idle }
    #expect(await registry.microphone(mic(at: "2")) === microphone)
  }

  @Test("a gain is set on the device, what it grants is kept, and set again when it is plugged in")
  func gain() async throws {
    device.have(SoundGain(minimum: 0, maximum: 20, step: 1, value: 5))
    let registry = try await registry()
    finder.tell(.all([mic("2", card: 1)]))
    await eventually { await registry.description(mic(at: "2"))?.gain?.value == 5 }
    var wish = MicrophoneRegistry.Wish()
    (wish.gain, wish.muted) = (7.4, true)
    try await registry.set(mic(at: "2"), wish)
    #expect(await registry.description(mic(at: "2"))?.gain?.value == 7)
    #expect(await registry.description(mic(at: "2"))?.muted == true)
    device.turn(3)
    await registry.refreshGains()
    #expect(await registry.description(mic(at: "2"))?.gain?.value == 3, "another program has turned it")
    finder.tell(.removed(sysPath: mic("2", card: 1).sysPath))
    finder.tell(.present(mic("2", card: 1)))
    await eventually { device.mixed.count == 4 }
    #expect(device.mixed.last?.gain == 7 && device.mixed.last?.muted == true)
    await registry.stop()
  }

  @Test("what cannot be is refused in words")
  func refusals() async throws {
    let registry = try await registry()
    finder.tell(.all([mic("2", card: 1), mic("3", card: 2)]))
    await eventually { await registry.microphones.count == 2 }
    var wish = MicrophoneRegistry.Wish()
    wish.gain = 3
    await #expect(throws: MicrophoneRegistryError.noGain(name: "Webcam")) { try await registry.set(mic(at: "2"), wish) }
    var late = MicrophoneRegistry.Wish()
    late.offsetMilliseconds = 3000
    await #expect(throws: MicrophoneRegistryError.badOffset(3000)) { try await registry.set(mic(at: "2"), late) }
    await #expect(throws: MicrophoneRegistryError.stillOnline(name: "Webcam")) {
      try await registry.forget(mic(at: "2"))
    }
    await #expect(throws: MicrophoneRegistryError.self) { try await registry.find("nobody") }
    #expect(try await registry.find("webcam 2") == mic(at: "3"))
  }
}
