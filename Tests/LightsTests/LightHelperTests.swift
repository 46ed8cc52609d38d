import CLinux
import CamrigModel
import DaemonKit
import Glibc
import Lights
import TestSupport
import Testing

@Suite("The helper that switches lights")
struct LightHelperTests {
  /// A helper on a socket of its own, until it is stopped.
  private final class Running {
    let path: String
    private let stop = cl_eventfd()
    private let listener = cl_unix_socket()
    private let worker: Worker
    private let directory = TemporaryDirectory()

    init(_ leds: LEDClass, allowed: Set<LightPlace>) throws {
      path = directory.path + "/torch.sock"
      try #require(cl_unix_bind(listener, path) == 0 && listen(listener, 8) == 0)
      let (listener, stop) = (listener, stop)
      worker = try Worker("helper") {
        let board = Switchboard(leds: leds) { place, _ in allowed.contains(place) }
        var helper = LightHelper(
          listener: listener, board: board, patienceMilliseconds: 600_000, log: Log(StandardErrorSink(), lowest: .error)
        )
        helper.run(until: stop)
      }
    }

    func end() { eventfd_write(stop, 1); worker.join() }

    deinit {
      end()
      close(listener)
      close(stop)
    }
  }

  private static let torch = LightPlace.led("white:torch")

  @Test("a light goes on as asked, at most as bright as it can, and off")
  func switches() async throws {
    let folder = LEDFolder(["white:torch": 200])
    let helper = try Running(folder.leds, allowed: [Self.torch])
    let client = LightClient(path: helper.path, leds: folder.leds)
    #expect(await client.set(Self.torch, 120) == .success(120))
    #expect(folder.leds.level("white:torch") == 120)
    #expect(await client.set(Self.torch, 65535) == .success(200))
    #expect(await client.set(Self.torch, 0) == .success(0))
    #expect(folder.leds.level("white:torch") == 0)
  }

  @Test("when the helper goes while a light is on, its user is told")
  func goes() async throws {
    let folder = LEDFolder(["white:torch": 200])
    let helper = try Running(folder.leds, allowed: [Self.torch])
    let client = LightClient(path: helper.path, leds: folder.leds)
    let told = Guarded(0)
    client.onLoss { told.withLock { $0 += 1 } }
    #expect(await client.set(Self.torch, 120) == .success(120))
    helper.end()
    await eventually { told.withLock { $0 } == 1 }
  }

  @Test("a light that the configuration does not name is left alone")
  func refuses() async throws {
    let folder = LEDFolder(["white:torch": 200, "input3::capslock": 1])
    let helper = try Running(folder.leds, allowed: [Self.torch])
    let client = LightClient(path: helper.path, leds: folder.leds)
    let answer = await client.set(.led("input3::capslock"), 1)
    #expect(answer == .failure(.refused(LightError.notAllowed(.led("input3::capslock")).description)))
    #expect(folder.leds.level("input3::capslock") == 0)
  }

  @Test("when the program that switched a light on goes, the light goes off")
  func followsItsProgram() async throws {
    let folder = LEDFolder(["white:torch": 200])
    let helper = try Running(folder.leds, allowed: [Self.torch])
    let leds = folder.leds
    do {
      let client = LightClient(path: helper.path, leds: leds)
      #expect(await client.set(Self.torch, 50) == .success(50))
    }
    try await eventually { leds.level("white:torch") == 0 }
  }

  @Test("a helper that ends leaves no light on, and the rig finds the next one")
  func restarts() async throws {
    let folder = LEDFolder(["white:torch": 200])
    let first = try Running(folder.leds, allowed: [Self.torch])
    let client = LightClient(path: first.path, leds: folder.leds)
    #expect(await client.set(Self.torch, 50) == .success(50))
    first.end()
    #expect(folder.leds.level("white:torch") == 0)
  }

  @Test("an LED that shows something of the kernel's shows it again afterwards")
  func trigger() async throws {
    let folder = LEDFolder(["ACT": 255])
    folder.put("ACT", "trigger", "none [mmc0] timer\n")
    var board = Switchboard(leds: folder.leds) { _, _ in true }
    _ = try board.set(.led("ACT"), 255)
    // The kernel would mark the new one; a plain file holds what was written.
    #expect(folder.text("ACT", "trigger") == "none")
    _ = try board.set(.led("ACT"), 0)
    #expect(folder.text("ACT", "trigger") == "mmc0")
  }

  @Test("what is named no more may still go off, and nothing else")
  func namedNoMore() throws {
    let folder = LEDFolder(["white:torch": 200])
    let isNamed = Guarded(true)
    var board = Switchboard(leds: folder.leds) { _, _ in isNamed.withLock { $0 } }
    #expect(try board.set(Self.torch, 20) == 20)
    isNamed.withLock { $0 = false }
    #expect(throws: LightError.notAllowed(Self.torch)) { try board.set(Self.torch, 30) }
    #expect(try board.set(Self.torch, 0) == 0)
    #expect(folder.leds.level("white:torch") == 0)
    #expect(throws: LightError.notAllowed(Self.torch)) { try board.set(Self.torch, 0) }
  }

  @Test("a line that is named the other way round by now is let go of before it is taken again")
  func reversed() throws {
    final class Chip: Sendable {
      let held = Guarded(0)
    }
    final class Hold: Sendable {
      private let chip: Chip
      init(_ chip: Chip) {
        self.chip = chip
        chip.held.withLock { $0 += 1 }
      }
      deinit { chip.held.withLock { $0 -= 1 } }
    }
    let chip = Chip()
    let places = [false, true].map { LightPlace.gpio(chip: "gpiochip0", line: 17, activeLow: $0) }
    let named = Guarded(places[0])
    var board = Switchboard(
      leds: LEDFolder([:]).leds,
      open: { (_, _, activeLow) throws(LightError) in
        if chip.held.withLock({ $0 > 0 }) { throw .failed(places[activeLow ? 1 : 0], code: EBUSY) }
        let hold = Hold(chip)
        return { (_: Bool) throws(LightError) in withExtendedLifetime(hold) {} }
      }, isAllowed: { place, _ in place == named.withLock { $0 } })
    #expect(try board.set(places[0], 1) == 1)
    named.withLock { $0 = places[1] }
    #expect(try board.set(places[1], 1) == 1)
    #expect(chip.held.withLock { $0 } == 1)
  }

  @Test("a GPIO chip that was unplugged and is back is taken anew by the next wish")
  func replugged() throws {
    /// A chip as it is plugged in the nth time; a line of another time is dead.
    let plugged = Guarded<(time: Int, isThere: Bool)>((1, true))
    let writes = Guarded<[String]>([])
    let place = LightPlace.gpio(chip: "gpiochip4", line: 2, activeLow: false)
    var board = Switchboard(
      leds: LEDFolder([:]).leds,
      open: { (chip, _, _) throws(LightError) in
        let (time, isThere) = plugged.withLock { $0 }
        if !isThere { throw .noSuchChip(chip) }
        return { (on: Bool) throws(LightError) in
          guard plugged.withLock({ $0 == (time, true) }) else { throw .failed(place, code: ENODEV) }
          writes.withLock { $0.append("\(time) \(on)") }
        }
      }, isAllowed: { _, _ in true })
    #expect(try board.set(place, 1) == 1)
    plugged.withLock { $0.isThere = false }
    #expect(throws: LightError.noSuchChip("gpiochip4")) { try board.set(place, 0) }
    plugged.withLock { $0 = (2, true) }
    #expect(try board.set(place, 1) == 1)
    #expect(try board.set(place, 0) == 0)
    // Back before anybody wished anything.
    plugged.withLock { $0 = (3, true) }
    #expect(try board.set(place, 1) == 1)
    #expect(writes.withLock { $0 } == ["1 true", "2 true", "2 false", "3 true"])
  }

  @Test("nonsense gets an answer that says what a wish looks like, and switches nothing")
  func nonsense() throws {
    for text in [
      "{}", "null", #"{"place":"led:x"}"#, #"{"place":"led:../x","level":1}"#, #"{"place":"led:x","level":-1}"#,
    ] {
      #expect(throws: LightError.self) { try LightMessage.Wish(line: Array(text.utf8)) }
    }
    let wish = try LightMessage.Wish(line: Array(#"{"place":"led:white:torch","level":7}"#.utf8))
    #expect(wish == LightMessage.Wish(place: Self.torch, level: 7))
    #expect(String(decoding: wish.line, as: UTF8.self) == #"{"level":7,"place":"led:white:torch"}"# + "\n")
  }

  @Test("without a helper the light is tried directly; without a light the answer names it")
  func direct() async {
    let folder = LEDFolder(["white:torch": 200])
    let client = LightClient(path: "/nonexistent/torch.sock", leds: folder.leds)
    #expect(await client.set(Self.torch, 3) == .success(3))
    #expect(await client.set(.led("none"), 3) == .failure(.noSuchLED("none")))
  }

  @Test("of the kernel's LEDs those that call themselves torch or flash are taken, the declared ones once")
  func choice() {
    let folder = LEDFolder(["white:torch": 200, "white:flash-0": 10, "input3::capslock": 1, "torchlight": 1])
    let choice = LightChoice(lights: "key=led:white:torch", tally: "led:input3::capslock", finds: true)
    #expect(choice.found(folder.leds).map(\.name) == ["white:flash-0"])
    #expect(choice.allows(.led("white:flash-0"), folder.leds))
    #expect(choice.allows(.led("input3::capslock"), folder.leds))
    #expect(!choice.allows(.led("torchlight"), folder.leds))
    #expect(!LightChoice(lights: "", tally: "", finds: false).allows(.led("white:torch"), folder.leds))
  }
}
