import CamrigModel
import Glibc
import Lights
import RigControl
import TestSupport
import Testing

@Suite("A GPIO chip that is plugged in anew", .timeLimit(.minutes(1)))
struct ReplugTests {
  @Test("is named while it is away, and its lines are off and right again as soon as it is back, without a wish")
  func replugged() async {
    let devices = TemporaryDirectory()
    let chip = devices.path + "/gpiochip4"
    let writes = Guarded<[Bool]>([])
    let client = LightClient(
      path: "/nonexistent/torch.sock",
      open: { (name, _, _) throws(LightError) in
        let isThere = access(chip, F_OK) == 0
        if !isThere { throw .noSuchChip(name) }
        return { (on: Bool) throws(LightError) in writes.withLock { $0.append(on) } }
      })
    let lights = LightTorches(
      client: client, leds: LEDClass(root: devices.path), devices: devices.path,
      choice: LightChoice(lights: "lamp=gpio:gpiochip4/2", tally: "", finds: false)
    ) { _, _ in nil }
    FileBytes.write([], to: chip)
    await lights.settle()
    #expect(await lights.watchedFolder == devices.path)
    guard let lamp = await lights.torches().first else {
      Issue.record("there is no lamp")
      return
    }
    #expect(await lights.set(lamp, 1) == .success(1))
    unlink(chip)
    await lights.lookForChips()
    let away = await lights.torches().first
    #expect(away?.message == LightError.noSuchChip("gpiochip4").description && away?.level == 0)
    // Another inode for sure.
    FileBytes.write([], to: chip + ".new")
    FileBytes.write([], to: devices.path + "/other")
    rename(chip + ".new", chip)
    await lights.lookForChips()
    #expect(await lights.torches().first?.message == "")
    #expect(writes.withLock { $0 } == [false, true, false])
    // Whatever else comes and goes.
    await lights.lookForChips()
    #expect(writes.withLock { $0.count } == 3)
  }
}
