import CamrigModel
import Frames
import Glibc
import Recording
import TestSupport
import Testing

@Suite("A take whose cameras do not deliver at once")
struct AbsentCameraTests {
  @Test("goes on with the others, says so, and takes a late one in when it comes")
  func late() async throws {
    let rig = TestRig { $0.deliveryLimit = .milliseconds(950) }
    let there = TestStream("there", clock: rig.clock)
    let absent = TestStream("absent", clock: rig.clock)
    there.begin()
    there.frames(1)
    let started = try await rig.start([there, absent])
    #expect(started.cameras[0].problem == nil)
    #expect(started.cameras[1].offsetSeconds == nil)
    #expect(started.cameras[1].problem?.contains("absent has delivered no picture") == true)
    rig.clock.advance(by: .seconds(1))
    await rig.observer.wait { events in events.contains { if case .gapOpened = $0 { true } else { false } } }
    there.frames(30)
    absent.begin()
    absent.frames(30)
    let manifest = try await rig.stop()
    let camera = manifest.cameras[1]
    #expect(camera.clips.map(\.frames) == [30])
    #expect(camera.gaps.map(\.reason) == [.absent])
    #expect(camera.gaps.first?.from == manifest.start.media)
    #expect(camera.gaps.first?.to == camera.clips.first?.firstTime)
    #expect(camera.runs.allSatisfy { $0.isExact })
  }

  @Test("says of a camera that first delivered a while after Record when it did, and that it was absent until then")
  func lateStart() async throws {
    let rig = TestRig { $0.deliveryLimit = .seconds(30) }
    let slow = TestStream("slow", clock: rig.clock)
    async let starting = rig.recorder.start(TakeRequest(), cameras: [slow.camera])
    await rig.begun()
    rig.clock.advance(by: .milliseconds(1960))
    slow.begin()
    slow.frames(30)
    #expect(try await starting.cameras[0].offsetSeconds == 2)
    let manifest = try await rig.stop()
    let camera = manifest.cameras[0]
    #expect(camera.offsetSeconds == 2)
    #expect(camera.clips.map(\.frames) == [30])
    let gap = try #require(camera.gaps.first)
    #expect(camera.gaps.count == 1 && gap.reason == .absent)
    #expect(gap.from == manifest.start.media && gap.to == camera.clips[0].firstTime)
    let told = rig.observer.events.compactMap { event -> String? in
      switch event {
      case .gapOpened: "opened"
      case .gapClosed: "closed"
      case .clipOpened: "clip"
      case .started, .progress, .lossNoticed, .stopping, .stopped, .trouble: nil
      }
    }
    #expect(told == ["opened", "closed", "clip"])
    let folder = rig.media.folder(of: manifest.id)
    let verification = try TakeVerifier.verify(folder: folder)
    #expect(verification.exact, "\(verification.findings)")
    // The clips alone say the same.
    #expect(unlink(folder + "/" + ManifestFile.name) == 0)
    _ = try TakeRepair.repair(manifest.id, in: rig.media, version: "2")
    let repaired = try ManifestFile.read(folder: folder).cameras[0]
    #expect(repaired.offsetSeconds == 2 && repaired.gaps == camera.gaps)
    #expect(try TakeVerifier.verify(folder: folder).exact)
  }

  @Test("says of a camera that never delivered that it was absent, also if it ends before anybody had missed it")
  func neverCame() async throws {
    let rig = TestRig { $0.deliveryLimit = .seconds(30) }
    let (there, absent) = (TestStream("there", clock: rig.clock), TestStream("absent", clock: rig.clock))
    there.begin()
    there.frames(1)
    var silent = absent.camera
    silent.problem = { "it is silent" }
    _ = try await rig.recorder.start(TakeRequest(prerollSeconds: 1), cameras: [there.camera, silent])
    let manifest = try await rig.stop()
    #expect(manifest.cameras[0].gaps.isEmpty)
    #expect(manifest.cameras[1].gaps.map(\.reason) == [.absent])
    #expect(manifest.cameras[1].gaps.map(\.from) == [manifest.start.media])
    #expect(manifest.cameras[1].gaps.map(\.to) == [nil])
    #expect(try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id)).exact)
  }

  @Test("declares no gap for a camera that takes up to a second to start, or makes a picture in two")
  func startsSoon() async throws {
    for (frameTime, rate) in [(Duration.milliseconds(900), FrameRate(25)), (.seconds(2), FrameRate(1, 2))] {
      let rig = TestRig { $0.deliveryLimit = .seconds(30) }
      let stream = TestStream("one", clock: rig.clock)
      async let starting = rig.recorder.start(TakeRequest(), cameras: [stream.camera])
      await rig.begun()
      stream.begin(rate: rate)
      stream.frameTime = frameTime
      stream.frames(1)
      _ = try await starting
      #expect(try await rig.stop().cameras[0].gaps.isEmpty)
    }
  }
}
