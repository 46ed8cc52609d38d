import CamrigModel
import Capture
import DaemonKit
import Sound
import TestSupport
import Testing

@Suite("A microphone", .timeLimit(.minutes(5)))
struct MicrophoneTests {
  private let device = FakeSoundDevice()
  private let clock = TestClock()
  private let sink = RecordingLogSink()
  private let microphone: Microphone
  private let words: SoundWords

  init() {
    microphone = Self.microphone(clock, sink, pauses: 0)
    words = SoundWords(microphone.hub)
  }

  /// - Parameter pauses: so many waits are over at once.
  private static func microphone(_ clock: TestClock, _ sink: RecordingLogSink, pauses: Int) -> Microphone {
    var configuration = CaptureConfiguration()
    configuration.graceTime = .zero
    return Microphone(
      id: MicrophoneID("mic"), configuration: configuration, clock: clock, log: sink.log,
      sleeper: TestSleeper(clock, pauses: pauses), changed: {})
  }

  private func becomes(_ state: MicrophoneState) async { await eventually { microphone.status.state == state } }

  @Test("nobody wants it: it is closed, and there is no thread")
  func idle() async {
    microphone.attach(device)
    #expect(microphone.status.state == .idle)
    #expect(device.opened == 0)
    microphone.demand(.preview)
    device.sound(20, end: 1020)
    await becomes(.streaming)
    #expect(microphone.status.format == device.format)
    microphone.release(.preview)
    await becomes(.idle)
    await eventually { !device.isOpen }
    #expect(words.all == ["started 1: 1000 Hz, 1 ch", "block 0+20 at 1000.0", "ended stopped"])
  }

  @Test("sound is dated by the driver's time, not by when it was fetched")
  func time() async {
    microphone.attach(device)
    microphone.demand(.take)
    for block in 1...4 { device.sound(20, end: 5000 + Int64(block) * 20) }
    await eventually { words.sound.count == 4 }
    #expect(
      words.all.dropFirst() == [
        "block 0+20 at 5000.0", "block 20+20 at 5020.0", "block 40+20 at 5040.0", "block 60+20 at 5060.0",
      ])
    microphone.shutdown()
  }

  @Test("what was lost in an overrun is one loss of the exact length, and the run goes on")
  func overrun() async {
    microphone.attach(device)
    microphone.demand(.take)
    device.sound(20, end: 1020)
    device.sound(20, end: 1040)
    device.give(.success(.interrupted))
    // Runs again, and its first 20 sample frames were there at 1540.
    device.sound(20, end: 1560)
    await eventually { words.sound.count == 3 }
    #expect(
      words.all == [
        "started 1: 1000 Hz, 1 ch", "block 0+20 at 1000.0", "block 20+20 at 1020.0", "lost 40+500",
        "block 540+20 at 1540.0",
      ])
    #expect(microphone.status.xruns == 1)
    microphone.shutdown()
  }

  @Test("the whole program stood still for longer than a microphone may be silent: that is an overrun")
  func stoppedProgram() async {
    microphone.attach(device)
    microphone.demand(.take)
    device.sound(20, end: 1020)
    await eventually { words.sound.count == 1 }
    clock.advance(by: .seconds(5))
    device.give(.success(.interrupted))
    device.sound(20, end: 6020)
    await eventually { words.sound.count == 2 }
    #expect(
      words.all == ["started 1: 1000 Hz, 1 ch", "block 0+20 at 1000.0", "lost 20+4980", "block 5000+20 at 6000.0"])
    #expect(microphone.status.state == .streaming && microphone.status.xruns == 1)
    microphone.shutdown()
  }

  @Test("open, and nothing comes: it says so after 3 s")
  func silent() async {
    microphone.attach(device)
    microphone.demand(.take)
    device.sound(20, end: 1020)
    await eventually { words.sound.count == 1 }
    device.give(.success(.timeout))
    clock.advance(by: .seconds(3))
    device.give(.success(.timeout))
    await becomes(.failed)
    #expect(microphone.status.message.contains("no sound comes"))
    microphone.shutdown()
  }

  @Test("unplugged while it is open: the run ends once, and nothing is tried as long as udev may yet tell")
  func unplugged() async {
    microphone.attach(device)
    microphone.demand(.take)
    device.sound(20, end: 1020)
    device.give(.failure(.unplugged(device: "hw:1,0")))
    await becomes(.offline)
    await eventually { !device.isOpen }
    #expect(device.opened == 1)
    #expect(words.all.last == "ended unplugged")
    #expect(sink.lines.filter { $0.message.contains("unplugged") }.count <= 1)
    microphone.detach()
    device.sound(20, end: 9020)
    microphone.attach(device)
    await eventually { words.sound.count == 2 }
    #expect(words.all.suffix(2) == ["started 2: 1000 Hz, 1 ch", "block 0+20 at 9000.0"])
    microphone.shutdown()
  }

  @Test("gone without a word from udev: it is tried again after 2 s, and then ever more rarely")
  func comesBack() async {
    let microphone = Self.microphone(clock, sink, pauses: 3)
    let words = SoundWords(microphone.hub)
    microphone.attach(device)
    microphone.demand(.take)
    let start = clock.now
    device.sound(20, end: 1020)
    device.give(.failure(.unplugged(device: "hw:1,0")), .failure(.unplugged(device: "hw:1,0")))
    device.give(.failure(.unplugged(device: "hw:1,0")))
    device.sound(20, end: 9020)
    await eventually { words.sound.count == 2 }
    #expect(words.all.suffix(2) == ["started 2: 1000 Hz, 1 ch", "block 0+20 at 9000.0"])
    #expect(device.opened == 4)
    #expect(clock.now - start == .seconds(2 + 4 + 8))
    #expect(microphone.status.state == .streaming && microphone.status.message == "")
    microphone.shutdown()
  }

  @Test("one that nobody waits for is tried when the next one wants it")
  func wantedAgain() async {
    microphone.attach(device)
    microphone.demand(.meter)
    device.sound(20, end: 1020)
    device.give(.failure(.unplugged(device: "hw:1,0")))
    await becomes(.offline)
    microphone.release(.meter)
    device.sound(20, end: 9020)
    microphone.demand(.take)
    await becomes(.streaming)
    microphone.shutdown()
  }

  @Test("one that its user has switched off is closed whoever wants it, and says so")
  func disabled() async {
    microphone.attach(device)
    microphone.demand(.take)
    device.sound(20, end: 1020)
    await becomes(.streaming)
    microphone.setEnabled(false)
    await becomes(.disabled)
    await eventually { !device.isOpen }
    #expect(words.all.last == "ended stopped")
    #expect(microphone.status.message.contains("camrigctl mics set"))
    microphone.demand(.meter)
    #expect(device.opened == 1)
    device.sound(20, end: 9020)
    microphone.setEnabled(true)
    await becomes(.streaming)
    microphone.shutdown()
  }

  @Test("in use by another program: it says so, and works when that has ended")
  func busy() async {
    device.refuse(.busy(device: "hw:1,0"))
    microphone.attach(device)
    microphone.demand(.take)
    await becomes(.busy)
    #expect(microphone.status.message.contains("fuser"))
    device.refuse(nil)
    device.sound(20, end: 1020)
    microphone.retryNow()
    await becomes(.streaming)
    microphone.shutdown()
  }

  @Test("muted it gives silence of the same length")
  func muted() async {
    microphone.attach(device)
    microphone.setMuted(true)
    microphone.demand(.take)
    device.sound(20, end: 1020)
    await eventually { words.sound.count == 1 }
    #expect(words.sound.first?.samples == [Float](repeating: 0, count: 20))
    microphone.shutdown()
  }
}
