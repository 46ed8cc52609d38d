import CamrigModel
import Glibc
import Recording
import TestSupport
import Testing

@Suite("A volume that failed in a take", .timeLimit(.minutes(5)))
struct VolumeReturnsTests {
  private func recorded(_ rig: TestRig) async throws -> (TestStream, TakeStarted) {
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    let started = try await rig.start([stream])
    stream.frames(60)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 40)
    return (stream, started)
  }

  private func refusal(_ rig: TestRig, _ stream: TestStream) async -> RecordingError? {
    do throws(RecordingError) {
      _ = try await rig.recorder.start(TakeRequest(prerollSeconds: 1), cameras: [stream.camera])
      return nil
    } catch {
      return error
    }
  }

  /// Another take, as if nothing had been.
  private func recordsAgain(_ rig: TestRig, _ stream: TestStream) async throws {
    rig.clock.advance(by: .seconds(60))
    stream.end(.stopped)
    stream.begin()
    stream.frames(1)
    let next = try await rig.recorder.start(TakeRequest(prerollSeconds: 1), cameras: [stream.camera])
    stream.frames(40)
    let manifest = try await rig.stop()
    #expect(manifest.id == next.take && manifest.state == .finished)
    #expect(manifest.cameras.map { $0.runs.map(\.written) } == [[41]])
    #expect(try TakeVerifier.verify(folder: next.folder).exact)
  }

  @Test(
    "is tried again by each Record, without a restart: as long as it fails that says why, then it records",
    arguments: [(EIO, TakeStop.Cause.diskFailed), (EROFS, .diskReadOnly), (ENOSPC, .diskFull)])
  func returns(_ error: Int32, _ cause: TakeStop.Cause) async throws {
    let files = FailingFiles()
    let rig = TestRig(files: files) { $0.queueLength = .seconds(600) }
    let (stream, first) = try await recorded(rig)
    files.change { $0.writeError = error }
    stream.frames(60)
    let manifest = try await rig.ended()
    #expect(manifest.stop?.cause == cause && manifest.state == .unfinished)

    for _ in 0..<2 {
      let refusal = await refusal(rig, stream)
      guard case .volume(let stop) = refusal else {
        Issue.record("the volume refuses: \(String(describing: refusal))")
        return
      }
      #expect(stop.cause == cause && refusal?.description == stop.message)
      #expect(stop.message.contains(rig.media.path))
      #expect(stream.demands.withLock { $0 } == 0)
    }
    files.change { $0.writeError = 0 }
    try await recordsAgain(rig, stream)
    // What was left of the take before is put in order on request, and not only by the next start.
    #expect(try TakeRepair.repair(first.take, in: rig.media, version: "2").whole)
    #expect(try TakeVerifier.verify(folder: first.folder).exact)
  }

  @Test("and is gone is no folder to be made anew: the take says so, and the next Record, until it is back")
  func gone() async throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/volume"
    mkdir(path, 0o700)
    let rig = TestRig {
      $0.mediaDirectory = path
      $0.makesDirectory = false
    }
    let (stream, first) = try await recorded(rig)
    #expect(rename(path, path + ".unplugged") == 0)
    let manifest = try await rig.ended()
    #expect(manifest.stop == TakeStop(.diskMissing, RecordingError.directoryMissing(path).description))
    #expect(await refusal(rig, stream) == .directoryMissing(path))
    #expect(access(path, F_OK) != 0)
    #expect(rename(path + ".unplugged", path) == 0)
    try await recordsAgain(rig, stream)
    while rig.recorder.lateManifest(of: first.take) != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(try ManifestFile.read(folder: path + "/" + first.take) == manifest)
  }

  @Test(
    "and became read-only says so, and records again once it is writable",
    .enabled(if: SmallVolume.isPossible, "mounting a small volume needs root"))
  func readOnly() async throws {
    let volume = try #require(SmallVolume(megabytes: 16))
    let rig = TestRig { $0.mediaDirectory = volume.path }
    let (stream, _) = try await recorded(rig)
    _ = try await rig.stop()
    #expect(volume.become(readOnly: true))
    #expect(await refusal(rig, stream) == .readOnly(volume.path))
    #expect(volume.become(readOnly: false))
    try await recordsAgain(rig, stream)
  }
}
