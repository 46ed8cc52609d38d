import CamrigModel
import Glibc
import Recording
import TestSupport
import Testing

@Suite("A second volume", .timeLimit(.minutes(5)))
struct SecondVolumeTests {
  private let other = TemporaryDirectory()
  private var second: MediaDirectory { MediaDirectory(other.path + "/second") }

  private func rig(files: any ClipFiles = SystemClipFiles(), _ adjust: (inout RecordingOptions) -> Void = { _ in })
    -> TestRig
  {
    mkdir(second.path, 0o700)
    return TestRig(files: files) {
      $0.secondDirectory = second.path
      $0.queueLength = .seconds(600)
      adjust(&$0)
    }
  }

  private func stream(_ rig: TestRig) -> TestStream {
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    return stream
  }

  private func started(_ rig: TestRig) -> [TakeStarted] {
    rig.observer.events.compactMap { if case .started(let take) = $0 { take } else { nil } }
  }

  @Test("takes what the first refuses, and says why; once the first works again takes go there")
  func refused() async throws {
    let away = other.path + "/away"
    let rig = rig {
      $0.mediaDirectory = away
      $0.makesDirectory = false
    }
    let stream = stream(rig)
    let take = try await rig.start([stream])
    #expect(take.folder == second.folder(of: take.take))
    #expect(take.instead == "It is recorded to \(second.path), for: \(RecordingError.directoryMissing(away))")
    stream.frames(40)
    let manifest = try await rig.stop()
    #expect(manifest.state == .finished && manifest.stop?.cause == .requested)
    #expect(try TakeVerifier.verify(folder: take.folder).exact)

    mkdir(away, 0o700)
    rig.clock.advance(by: .seconds(60))
    stream.end(.stopped)
    stream.begin()
    stream.frames(1)
    let next = try await rig.start([stream])
    #expect(next.folder == MediaDirectory(away).folder(of: next.take) && next.instead == nil)
    _ = try await rig.stop()
  }

  @Test(
    "goes on with a take that the first has ended, by itself, with the same cameras",
    arguments: [(EIO, TakeStop.Cause.diskFailed), (EROFS, .diskReadOnly), (ENOSPC, .diskFull)])
  func goesOn(_ error: Int32, _ cause: TakeStop.Cause) async throws {
    let files = FailingFiles()
    let rig = rig(files: files)
    let stream = stream(rig)
    let first = try await rig.start([stream], name: "Finale")
    #expect(first.folder == rig.media.folder(of: first.take) && first.instead == nil)
    stream.frames(60)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 40)
    files.change {
      $0.writeError = error
      $0.writeErrorIn = rig.media.path
    }
    stream.frames(60)
    let ended = try await rig.ended()
    #expect(ended.id == first.take && ended.stop?.cause == cause)
    // Pictures go on coming meanwhile.
    await eventually {
      stream.frames(1)
      return started(rig).count == 2
    }
    let next = try #require(started(rig).last)
    #expect(next.folder == second.folder(of: next.take) && next.name == "Finale")
    #expect(next.instead?.contains(ended.stop?.message ?? "?") == true)
    stream.frames(40)
    // Whoever presses Stop may have seen the first one only.
    let stop = TakeStop(.requested, "Stopped.")
    #expect(await rig.recorder.stop(stop, only: "another") == nil)
    let manifest = try #require(await rig.recorder.stop(stop, only: first.take))
    #expect(manifest.id == next.take && manifest.state == .finished)
    #expect(try TakeVerifier.verify(folder: next.folder).exact)
    #expect(stream.demands.withLock { $0 } == 0)
    // Put in order where it was.
    files.change { $0.writeError = 0 }
    #expect(try TakeRepair.repair(first.take, in: rig.media, version: "2").whole)
  }

  @Test("a take that fell back at its start has another name than what the first one's try has left")
  func anotherName() async throws {
    let files = FailingFiles()
    let rig = rig(files: files)
    files.change {
      $0.writeError = EIO
      $0.writeErrorIn = rig.media.path
    }
    let stream = stream(rig)
    let feeder = Task {
      while !Task.isCancelled {
        stream.frames(1)
        try? await Task.sleep(for: .milliseconds(10))
      }
    }
    defer { feeder.cancel() }
    let take = try await rig.start([stream])
    #expect(take.folder == second.folder(of: take.take) && take.instead != nil)
    #expect(take.take.hasSuffix("-2"))
    feeder.cancel()
    _ = await feeder.value
    stream.frames(60)
    let manifest = try await rig.stop()
    #expect(manifest.id == take.take && manifest.state == .finished)
    #expect(try !rig.media.holds(take: take.take) && second.holds(take: take.take))
  }

  @Test("that fails, too, is no way out: the first one's refusal is the answer, and nothing loops")
  func both() async throws {
    let files = FailingFiles()
    let rig = rig(files: files)
    let stream = stream(rig)
    _ = try await rig.start([stream])
    stream.frames(60)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 40)
    files.change { $0.writeError = EIO }
    stream.frames(60)
    _ = try await rig.ended()
    await eventually {
      stream.frames(1)
      return rig.observer.troubles.contains { $0.message.hasPrefix("Recording does not go on in \(second.path)") }
    }
    #expect(await rig.recorder.isIdle)
    stream.frames(1)
    do {
      _ = try await rig.start([stream])
      Issue.record("neither can be written")
    } catch let error as RecordingError {
      #expect(error.description.contains(rig.media.path))
    }
    #expect(stream.demands.withLock { $0 } == 0)
  }

  @Test("has its takes and shots in the list beside the first one's; while one of both is away nothing is dropped")
  func listed() async throws {
    let rig = rig()
    let stream = stream(rig)
    let first = try await rig.start([stream])
    stream.frames(40)
    _ = try await rig.stop()
    #expect(rename(rig.media.path, rig.media.path + ".away") == 0)
    #expect(symlink("/nowhere/at/all", rig.media.path) == 0)
    rig.clock.advance(by: .seconds(60))
    stream.end(.stopped)
    stream.begin()
    stream.frames(1)
    let next = try await rig.start([stream])
    stream.frames(40)
    _ = try await rig.stop()
    #expect(next.folder == second.folder(of: next.take))

    let catalog = Catalog(path: other.path + "/catalog", places: MediaPlaces(rig.media, second: second))
    for media in [rig.media, second] { catalog.takeIn(media, limit: .max) }
    #expect(catalog.takes().map(\.id) == [next.take])
    unlink(rig.media.path)
    #expect(rename(rig.media.path + ".away", rig.media.path) == 0)
    #expect(catalog.takeIn(rig.media) == 1)
    #expect(catalog.takes().map(\.id) == [next.take, first.take])
    #expect(rename(second.path, second.path + ".away") == 0)
    #expect(catalog.takeIn(second) == 0 && catalog.dropGone() == 0)
    #expect(catalog.takes().count == 2)
  }
}
