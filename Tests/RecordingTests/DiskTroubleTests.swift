import CamrigModel
import Glibc
import Movie
import Recording
import TestSupport
import Testing

@Suite("A take on a volume in trouble")
struct DiskTroubleTests {
  private func running(_ files: FailingFiles, _ adjust: (inout RecordingOptions) -> Void = { _ in }) async throws -> (
    TestRig, TestStream
  ) {
    let rig = TestRig(files: files) {
      $0.queueLength = .seconds(600)
      adjust(&$0)
    }
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    _ = try await rig.start([stream])
    return (rig, stream)
  }

  @Test(
    "stops with the reason when nothing can be written, keeps what was, and accounts for what was not",
    arguments: [(ENOSPC, TakeStop.Cause.diskFull), (EROFS, .diskReadOnly), (EIO, .diskFailed)])
  func stops(error: Int32, cause: TakeStop.Cause) async throws {
    let files = FailingFiles()
    let (rig, stream) = try await running(files)
    stream.frames(60)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 40)
    files.change { $0.writeError = error }
    stream.frames(60)
    let manifest = try await rig.ended()
    #expect(manifest.stop?.cause == cause)
    #expect(manifest.stop?.message.contains(rig.media.path) == true)
    let camera = manifest.cameras[0]
    #expect(camera.runs.count == 1 && camera.runs[0].isExact)
    #expect(camera.runs[0].lastSequence == 120)
    #expect((camera.lost[.disk] ?? 0) > 0)
    #expect(stream.demands.withLock { $0 } == 0)

    // The clip could not be finished, so the take stays marked; once the volume works again, repair does it.
    #expect(manifest.state == .unfinished)
    #expect(rig.media.openTakes == [manifest.id])
    let report = try TakeRepair.repair(manifest.id, in: rig.media, version: "2")
    #expect(report.whole && rig.media.openTakes.isEmpty)
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact, "\(verification.findings)")
    #expect(verification.cameras[0].runs == camera.runs)
  }

  @Test("accounts for every picture also if it fails while the camera is silent")
  func failsInSilence() async throws {
    let files = FailingFiles()
    let (rig, stream) = try await running(files)
    stream.frames(20)
    files.change { $0.writeError = EIO }
    // Long enough for a fragment, too short for a gap.
    rig.clock.advance(by: .milliseconds(950))
    let manifest = try await rig.ended()
    #expect(manifest.stop?.cause == .diskFailed)
    #expect(
      manifest.cameras[0].runs == [
        RunAccount(run: 1, firstSequence: 0, lastSequence: 20, written: 0, lost: [.disk: 21])
      ])
  }

  @Test("a take.json that could not be written is written as soon as it can be, without another change")
  func manifestAgain() async throws {
    let (rig, stream) = try await running(FailingFiles())
    let id = try #require(rig.recorder.manifest?.id)
    let path = rig.media.folder(of: id) + "/take.json"
    await eventually { rename(path, path + ".old") == 0 && mkdir(path, 0o700) == 0 }
    stream.end(.unplugged)
    await rig.observer.wait { $0.contains { if case .trouble(let it) = $0 { it.kind == .manifest } else { false } } }
    rmdir(path)
    await eventually { (try? ManifestFile.read(folder: rig.media.folder(of: id)))?.cameras[0].gaps.count == 1 }
    _ = try await rig.stop()
  }

  @Test("that is gone at the end keeps the manifest in memory, and gets it when it is back")
  func gone() async throws {
    let (rig, stream) = try await running(FailingFiles())
    stream.frames(60)
    let elsewhere = rig.media.path + ".unplugged"
    #expect(rename(rig.media.path, elsewhere) == 0)
    stream.frames(60)
    await rig.recorder.stop(TakeStop(.requested, "stop"))
    let manifest = try await rig.ended()
    #expect(rig.recorder.lateManifest(of: manifest.id) == manifest)
    #expect(rename(elsewhere, rig.media.path) == 0)
    let folder = rig.media.folder(of: manifest.id)
    while rig.recorder.lateManifest(of: manifest.id) != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(try ManifestFile.read(folder: folder) == manifest)
    #expect(try TakeVerifier.verify(folder: folder).exact == (manifest.state == .finished))
    #expect(rig.media.openTakes.isEmpty == (manifest.state == .finished))
  }

  @Test("with room for nothing but the index ends finished")
  func full() async throws {
    let files = FailingFiles()
    let (rig, stream) = try await running(files)
    stream.frames(60, bytes: 10_000)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 40)
    files.change { $0.room = 20_000 }
    stream.frames(60, bytes: 10_000)
    let manifest = try await rig.ended()
    #expect(manifest.state == .finished)
    #expect(manifest.stop?.cause == .diskFull)
    #expect(manifest.cameras[0].clips.map(\.state) == [.finished])
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact, "\(verification.findings)")
  }

  @Test("that holds no larger file goes on in the next clip, without losing a picture")
  func fileTooLarge() async throws {
    let files = FailingFiles()
    files.change { $0.largestFile = 400_000 }
    let (rig, stream) = try await running(files)
    stream.frames(200, bytes: 10_000)
    let manifest = try await rig.stop()
    let camera = manifest.cameras[0]
    #expect(camera.clips.count >= 6)
    #expect(camera.runs == [RunAccount(run: 1, firstSequence: 0, lastSequence: 200, written: 201)])
    #expect(camera.clips.reduce(0) { $0 + $1.frames } == 201)
    #expect(camera.gaps.isEmpty)
    for (one, next) in zip(camera.clips, camera.clips.dropFirst()) {
      #expect(next.firstTime == one.lastTime + .milliseconds(40))
    }
  }

  @Test("with slow syncs loses nothing at a change of clips, and names the volume's time")
  func slowSync() async throws {
    let files = FailingFiles()
    let (rig, stream) = try await running(files) { $0.clipLength = .seconds(1) }
    let pictures = 400
    // Nothing is confirmed while these are written; clips are changed all the same.
    try await onThread {
      files.syncGate.withLock { _ in
        stream.frames(pictures)
        while files.behaviour.withLock({ _ in rig.recorder.manifest?.cameras[0].clips.count ?? 0 }) < 10 {
          sched_yield()
        }
        rig.clock.advance(by: .milliseconds(600))
      }
    }
    let manifest = try await rig.stop()
    #expect(manifest.cameras[0].runs.first?.written == 401)
    #expect(manifest.cameras[0].clips.allSatisfy { $0.state == .finished })
    #expect(rig.observer.troubles.contains { $0.kind == .diskSlow && $0.message.contains(rig.media.path) })
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact, "\(verification.findings)")
  }

  @Test("that does not answer is left to itself at Stop, and its clip can be repaired")
  func hangs() async throws {
    let files = FailingFiles()
    let (rig, stream) = try await running(files) { $0.stopLimit = .milliseconds(100) }
    stream.frames(60)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 40)
    let release = Guarded(false)
    async let holder: Void = onThread {
      files.syncGate.withLock { _ in while !release.withLock({ $0 }) { usleep(1000) } }
    }
    // Before the thread is waited for, also if the test fails.
    defer { release.withLock { $0 = true } }
    stream.frames(60)
    let manifest = try await rig.stop()
    #expect(manifest.state == .unfinished)
    #expect(rig.media.openTakes == [manifest.id])
    #expect(rig.observer.troubles.contains { $0.kind == .writerHangs })
    // The cameras are free, and another take can begin elsewhere.
    #expect(stream.demands.withLock { $0 } == 0)
    #expect(await rig.recorder.running == nil)
    release.withLock { $0 = true }
    try await holder
  }

  @Test("that fails after Stop has left it to itself does not end the take that runs by then")
  func failsLate() async throws {
    let files = FailingFiles()
    let (rig, stream) = try await running(files) {
      $0.stopLimit = .seconds(2)
      $0.deliveryLimit = .seconds(30)
    }
    let first = try #require(rig.recorder.manifest).id
    stream.frames(60)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 40)
    let release = Guarded(false)
    let isHeld = Guarded(false)
    async let holder: Void = onThread {
      files.change { $0.concerned = first }
      files.syncGate.withLock { _ in
        isHeld.withLock { $0 = true }
        while !release.withLock({ $0 }) { usleep(1000) }
      }
    }
    defer { release.withLock { $0 = true } }
    try await onThread { while !isHeld.withLock({ $0 }) { usleep(1000) } }
    stream.frames(60)
    #expect(try await rig.stop().state == .unfinished)

    rig.clock.advance(by: .seconds(60))
    stream.begin()
    stream.frames(1)
    let second = try await rig.start([stream])
    files.change { $0.syncError = EIO }
    release.withLock { $0 = true }
    try await holder
    await rig.observer.wait { events in
      events.contains { if case .trouble(let trouble) = $0 { trouble.kind == .diskFailed } else { false } }
    }
    stream.frames(40)
    await rig.observer.waitForSync(of: stream.id, run: 2, sequence: 20)
    #expect(await rig.recorder.running?.take == second.take)
    #expect(try await rig.stop().state == .finished)
  }

  @Test("whose sync fails stops: what it had not confirmed may be lost")
  func syncFails() async throws {
    let files = FailingFiles()
    let (rig, stream) = try await running(files)
    files.change { $0.syncError = EIO }
    stream.frames(60)
    let manifest = try await rig.ended()
    #expect(manifest.stop?.cause == .diskFailed)
    #expect(manifest.state == .unfinished)
  }

  @Test("below its reserve is not begun on, and says how much there is")
  func reserve() async throws {
    let rig = TestRig { $0.reserveBytes = 1 << 60 }
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    do {
      _ = try await rig.start([stream])
      Issue.record("there is no such volume")
    } catch RecordingError.diskLow(let path, _, let needed) {
      #expect(path == rig.media.path && needed == 1 << 60)
    }
    #expect(stream.demands.withLock { $0 } == 0)
  }

  @Test("that was chosen and is not mounted is not made, so that the root volume is not filled in its place")
  func unmounted() async throws {
    let rig = TestRig { $0.makesDirectory = false }
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    await #expect(throws: RecordingError.directoryMissing(rig.media.path)) { try await rig.start([stream]) }
    #expect(access(rig.media.path, F_OK) != 0)
  }
}
