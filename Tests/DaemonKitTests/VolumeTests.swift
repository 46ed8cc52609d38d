import CamrigModel
import DaemonKit
import Dispatch
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

  @Test("has work that may last, as long as no single call to the volume does; what waits behind one hears it, too")
  func work() async throws {
    let volume = Volume("/media", readingPatience: .milliseconds(20))
    let gate = DispatchSemaphore(value: 0)
    let lasts = DispatchSemaphore(value: 0)
    let begun = Guarded(0)
    // Longer than the patience, in no call: nobody is told anything.
    let long = Task { @Sendable in
      try await volume.work.result { _ in
        begun.withLock { $0 += 1 }
        lasts.wait()
        return 7
      }
    }
    await eventually { begun.withLock { $0 } == 1 }
    let behind = Task { @Sendable in try await volume.work.result { wait in wait.during { gate.wait() } } }
    try await Task.sleep(for: .milliseconds(60))
    #expect(!volume.isSilent)
    lasts.signal()
    #expect(try await long.value == 7)
    await #expect(throws: VolumeSilence(path: "/media")) { try await behind.value }
    #expect(volume.isSilent)
    // At once, and what is asked for meanwhile is never begun.
    for _ in 0..<1000 {
      await #expect(throws: VolumeSilence(path: "/media")) {
        try await volume.work.result { _ in begun.withLock { $0 += 1 } }
      }
    }
    gate.signal()
    await eventually { (try? await volume.work.result { _ in true }) == true }
    #expect(!volume.isSilent && begun.withLock { $0 } == 1)
  }
}
