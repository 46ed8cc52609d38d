import CamrigModel
import CaptureSupport
import RigControl
import TestSupport
import Testing

@Suite("A microphone that comes while its camera is recorded", .timeLimit(.minutes(5)))
struct LateMicrophoneTests {
  @Test("is recorded from a new clip on, in all its channels")
  func joins() async throws {
    let bench = RigBench(demo: 0)
    try await bench.rig.start()
    let webcam = await bench.plug(1)
    let started = try await bench.rig.startRecording(RecordingStartRequest())
    await bench.waitForPictures(5)
    #expect(await bench.rig.microphoneList().isEmpty)
    bench.plugMicrophone(1)
    await eventually { await bench.rig.microphoneList().first?.cameras == [webcam] }
    await eventually {
      bench.events.contains { event in
        guard case .take(.clipOpened(let opened)) = event else { return false }
        return opened.clip.microphones != nil
      }
    }
    let soFar = await bench.rig.status().recording?.cameras.first?.frames ?? 0
    await bench.waitForPictures(soFar + 60)
    let take = try await bench.rig.stopRecording()
    let clips = try #require(take.cameras.first?.clips)
    #expect(take.id == started.take && clips.first?.microphones == nil)
    #expect(clips.last?.microphones?.map(\.channels) == [2])
    #expect(clips.allSatisfy { ($0.microphones ?? []).allSatisfy { $0.channels == 2 } })
    let verification = try await bench.rig.verify(take.id)
    #expect(verification.exact, "\(verification.findings)")
    await bench.rig.shutdown()
  }
}
