import CamrigModel
import DaemonKit
import TestSupport
import Testing

@Suite("A volume, for those who may not wait for it", .timeLimit(.minutes(1)))
struct VolumeTests {
  @Test("answers what it is asked")
  func answers() async throws {
    let volume = Volume("/media")
    #expect(try await volume.questions.ask { 7 } == 7)
    #expect(try await volume.reading.ask(within: .seconds(60)) { "a" } == "a")
    #expect(!volume.questions.isSilent)
  }

  @Test("that hangs is waited for once; then everybody hears at once that it is silent, until it answers")
  func hangs() async throws {
    let volume = Volume("/media", patience: .milliseconds(20))
    let hanging = HangingVolume(volume)
    let asked = Guarded(0)
    for _ in 0..<1000 {
      await #expect(throws: VolumeSilence(path: "/media")) {
        try await volume.questions.ask { asked.withLock { $0 += 1 } }
      }
    }
    #expect(volume.questions.isSilent)
    hanging.answer()
    await eventually { (try? await volume.questions.ask { true }) == true }
    #expect(!volume.questions.isSilent)
    // Whoever waits no more is not answered behind everybody's back.
    #expect(asked.withLock { $0 } == 0)
    #expect(volume.silence.description.hasPrefix("The volume of /media does not answer."))
  }
}
