import CamrigModel
import Frames
import Movie
import Recording
import TestSupport
import Testing

@Suite("A take")
struct TakeRecorderTests {
  @Test("holds every picture of every camera exactly once, with its time")
  func whole() async throws {
    let rig = TestRig()
    let left = TestStream("left", clock: rig.clock)
    let right = TestStream("right", clock: rig.clock)
    for stream in [left, right] {
      stream.begin()
      stream.frames(1)
    }
    let started = try await rig.start([left, right], name: "Both")
    left.frames(100)
    right.frames(1)
    let manifest = try await rig.stop()

    #expect(started.cameras.allSatisfy { $0.problem == nil && ($0.offsetSeconds ?? 1) <= 0 })
    #expect(manifest.state == .finished)
    #expect(manifest.name == "Both")
    #expect(manifest.cameras.map(\.name) == ["left", "right"])
    #expect(
      manifest.cameras[0].runs == [RunAccount(run: 1, firstSequence: 0, lastSequence: 100, written: 101)])
    #expect(manifest.cameras[0].clips.map(\.frames) == [101])
    // Four seconds without a picture of it.
    #expect(manifest.cameras[1].clips.map(\.frames) == [1, 1])

    let movie = try MovieReader.read(rig.media.folder(of: manifest.id) + "/left-001.mov")
    #expect(movie.state == .finished)
    #expect(movie.agreesWithFragments == true)
    let samples = try #require(movie.tracks.first).samples
    #expect(samples.map(\.byteCount) == [Int64](repeating: 500, count: 101))
    // The second picture came two frame times after the first: the other camera's was between them.
    let times: [Int64] = [0] + (1...100).map { Int64($0) * 40_000 + 40_000 }
    #expect(samples.map(\.time) == times)
    #expect(samples.dropFirst().allSatisfy { $0.duration == 40_000 })
    #expect(rig.media.openTakes.isEmpty)
    let written = try ManifestFile.read(folder: rig.media.folder(of: manifest.id))
    #expect(written == manifest)
  }

  @Test("stands on the volume, and is marked open, before Record answers")
  func durable() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(2)
    let started = try await rig.start([stream])
    #expect(rig.media.openTakes == [started.take])
    let begun = try ManifestFile.read(folder: started.folder)
    #expect(begun.state == .recording)
    let movie = try MovieReader.read(started.folder + "/one-001.mov")
    #expect(movie.state == .noFragments)
    _ = try await rig.stop()
    #expect(rig.media.openTakes.isEmpty)
  }

  @Test("goes on over an unplug: the clip ends, a gap is declared at once, the next clip begins with the next run")
  func unplug() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    _ = try await rig.start([stream])
    stream.frames(49)
    stream.lose(2)
    stream.end(.unplugged)
    await rig.observer.wait { events in events.contains { if case .gapOpened = $0 { true } else { false } } }
    let gapBegin = rig.clock.now
    rig.clock.advance(by: .seconds(7))
    stream.begin()
    stream.lose(3, .errorFlagged)
    stream.frames(30)
    let manifest = try await rig.stop()

    let camera = manifest.cameras[0]
    #expect(camera.clips.map(\.frames) == [50, 30])
    #expect(camera.clips.map(\.file) == ["one-001.mov", "one-002.mov"])
    #expect(
      camera.runs == [
        RunAccount(run: 1, firstSequence: 0, lastSequence: 51, written: 50, lost: [.driverGap: 2]),
        RunAccount(run: 2, firstSequence: 0, lastSequence: 32, written: 30, lost: [.errorFlagged: 3]),
      ])
    let gap = try #require(camera.gaps.first)
    #expect(camera.gaps.count == 1)
    #expect(gap.reason == .unplugged)
    #expect(gap.from == gapBegin - .milliseconds(80) + .milliseconds(40))
    #expect(gap.to == camera.clips[1].firstTime)
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact, "\(verification.findings)")
    #expect(verification.cameras.first?.runs == camera.runs)
  }

  @Test("accounts for more losses between two pictures than one fragment's note holds")
  func manyLosses() async throws {
    let rig = TestRig { $0.queueLength = .seconds(36_000) }
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    let started = try await rig.start([stream])
    stream.frameTime = .milliseconds(1)
    // Never two of one cause in a row.
    for _ in 0..<25_000 {
      stream.lose(1, .driverGap)
      stream.lose(1, .broken)
    }
    stream.frameTime = .milliseconds(40)
    stream.frames(80)
    let manifest = try await rig.stop()
    #expect(manifest.state == .finished)
    #expect(manifest.stop?.cause == .requested)
    #expect(
      manifest.cameras[0].runs == [
        RunAccount(
          run: 1, firstSequence: 0, lastSequence: 50_080, written: 81, lost: [.driverGap: 25_000, .broken: 25_000])
      ])
    let verification = try TakeVerifier.verify(folder: started.folder)
    #expect(verification.exact, "\(verification.findings)")
  }

  @Test("counts what was lost after the last picture, too")
  func tail() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(30)
    _ = try await rig.start([stream])
    stream.lose(4, .broken)
    stream.lose(1, .empty)
    let manifest = try await rig.stop()
    #expect(manifest.cameras[0].runs.first?.lastSequence == 34)
    #expect(manifest.cameras[0].runs.first?.isExact == true)
    #expect(manifest.cameras[0].lost == [.broken: 4, .empty: 1])
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact)
  }

  @Test("reports how far it is confirmed on the volume")
  func progress() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    _ = try await rig.start([stream])
    stream.frames(60)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 40)
    let newest = rig.observer.events.compactMap { if case .progress(let p) = $0 { p } else { nil } }.last
    let progress = try #require(newest)
    // What is confirmed can be read by whoever opens the file now.
    let movie = try MovieReader.read(
      rig.media.folder(of: progress.take) + "/one-001.mov", depth: .fragments)
    let notes = movie.fragments.compactMap { FragmentNote($0.note) }
    #expect(movie.fragments.allSatisfy { $0.checksumHolds })
    #expect(notes.reduce(0) { $0 + $1.writtenCount } >= progress.syncedSequence + 1)
    #expect(progress.capturedSequence >= progress.syncedSequence)
    _ = try await rig.stop()
  }

  @Test("that is stopped while it begins is told in order")
  func stoppedEarly() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(2)
    async let started = rig.start([stream])
    await rig.observer.wait { $0.contains { if case .clipOpened = $0 { true } else { false } } }
    let manifest = try await rig.stop()
    #expect(try await started.take == manifest.id)
    let told = rig.observer.events.compactMap { event -> String? in
      switch event {
      case .started: "started"
      case .stopping: "stopping"
      case .stopped: "stopped"
      case .clipOpened, .progress, .gapOpened, .gapClosed, .lossNoticed, .trouble: nil
      }
    }
    #expect(told == ["started", "stopping", "stopped"])
  }

  @Test("is not begun twice, and a second Stop gets the same answer")
  func idempotent() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(2)
    async let one = rig.start([stream])
    async let two = rig.start([stream])
    let both = try await [one, two]
    let three = try await rig.start([stream])
    #expect(Set((both + [three]).map(\.take)).count == 1)
    #expect(both.filter(\.alreadyRunning).count == 1 && three.alreadyRunning)
    #expect(stream.demands.withLock { $0 } == 1)
    let stop = TakeStop(.requested, "")
    async let first = rig.recorder.stop(stop)
    async let second = rig.recorder.stop(stop)
    let answers = await [first, second].compactMap(\.self)
    #expect(Set(answers.map(\.id)) == [three.take])
    #expect(await rig.recorder.stop(stop) == nil)
    #expect(stream.demands.withLock { $0 } == 0)
  }

  @Test("answers as soon as those that are late know why, without waiting for the limit")
  func knownProblem() async throws {
    let rig = TestRig { $0.deliveryLimit = .seconds(3600) }
    let there = TestStream("there", clock: rig.clock)
    let busy = TestStream("busy", clock: rig.clock)
    there.begin()
    there.frames(1)
    var camera = busy.camera
    camera.problem = { "busy is in use by another program" }
    let started = try await rig.recorder.start(TakeRequest(prerollSeconds: 1), cameras: [there.camera, camera])
    #expect(started.cameras.map(\.problem) == [nil, "busy is in use by another program"])
    _ = try await rig.stop()
  }

  @Test("with no camera that delivers is an error that names them, and leaves nothing behind")
  func nothing() async throws {
    let rig = TestRig { $0.deliveryLimit = .seconds(2) }
    let stream = TestStream("dead", clock: rig.clock)
    do {
      _ = try await rig.start([stream])
      Issue.record("nothing can have been started")
    } catch {
      #expect("\(error)".contains("Nothing is recorded") && "\(error)".contains("dead"))
    }
    #expect(rig.media.takes.isEmpty && rig.media.openTakes.isEmpty)
    #expect(stream.demands.withLock { $0 } == 0)
    await #expect(throws: RecordingError.noCameras) { try await rig.start([]) }
    // It can be tried again.
    stream.begin()
    stream.frames(2)
    _ = try await rig.start([stream])
    _ = try await rig.stop()
  }

  @Test("begins a new clip where the size changes, without a gap and without a loss")
  func sizeChange() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(20)
    _ = try await rig.start([stream])
    stream.frames(20, size: PixelSize(width: 32, height: 32))
    let manifest = try await rig.stop()
    let clips = manifest.cameras[0].clips
    #expect(clips.map(\.frames) == [20, 20])
    #expect(clips.map(\.format.size) == [stream.size, PixelSize(width: 32, height: 32)])
    #expect(manifest.cameras[0].gaps.isEmpty)
    #expect(clips[0].firstTime + .milliseconds(Int64(clips[0].durationSeconds * 1000)) == clips[1].firstTime)
  }

  @Test("is divided at the clip's length with every picture in exactly one clip")
  func rotation() async throws {
    let rig = TestRig {
      $0.clipLength = .seconds(2)
      $0.queueLength = .seconds(60)
    }
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    _ = try await rig.start([stream])
    stream.frames(1000)
    let manifest = try await rig.stop()
    let camera = manifest.cameras[0]
    #expect(camera.clips.count == 21)
    #expect(camera.clips.reduce(0) { $0 + $1.frames } == 1001)
    #expect(camera.runs.first?.written == 1001)
    #expect(camera.gaps.isEmpty)
    for (one, next) in zip(camera.clips, camera.clips.dropFirst()) {
      #expect(next.firstTime == one.lastTime + .milliseconds(40))
    }
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact)
  }

  @Test("declares the time in which pictures were lost for more than a second")
  func lostTime() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(10)
    _ = try await rig.start([stream])
    stream.lose(50)
    stream.frames(10)
    let manifest = try await rig.stop()
    let camera = manifest.cameras[0]
    #expect(camera.clips.map(\.frames) == [10, 10])
    #expect(camera.gaps.map(\.reason) == [.lost])
    #expect(
      camera.runs == [RunAccount(run: 1, firstSequence: 0, lastSequence: 69, written: 20, lost: [.driverGap: 50])])
  }

  @Test("keeps a driver's reset as a new run without calling it a gap")
  func reset() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(10)
    _ = try await rig.start([stream])
    stream.end(.reset)
    stream.begin()
    stream.frames(10)
    let manifest = try await rig.stop()
    #expect(manifest.cameras[0].clips.count == 2)
    #expect(manifest.cameras[0].gaps.isEmpty)
    #expect(manifest.cameras[0].runs.map(\.run) == [1, 2])
  }

  @Test("survives a clock that stamps pictures backwards or twice alike")
  func backwards() async throws {
    let rig = TestRig()
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(2)
    _ = try await rig.start([stream])
    for milliseconds in [33, 33, -500, 33, 0, 0, 33, -5000, 33, 33] {
      stream.frameTime = .milliseconds(milliseconds)
      stream.frames(1)
    }
    let manifest = try await rig.stop()
    let camera = manifest.cameras[0]
    #expect(camera.runs.first?.written == 12)
    #expect(camera.clips.reduce(0) { $0 + $1.frames } == 12)
    for clip in camera.clips {
      let movie = try MovieReader.read(rig.media.folder(of: manifest.id) + "/" + clip.file)
      let times = movie.tracks[0].samples.map(\.time)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test("of a camera slower than a picture a second is one clip")
  func slow() async throws {
    let rig = TestRig { $0.queueLength = .seconds(60) }
    let stream = TestStream("slow", clock: rig.clock)
    stream.frameTime = .seconds(2)
    stream.begin(rate: FrameRate(1, 2))
    stream.frames(2)
    _ = try await rig.start([stream])
    stream.frames(5)
    let manifest = try await rig.stop()
    #expect(manifest.cameras[0].clips.map(\.frames) == [7])
  }

  @Test("in 1970 three times over has three folders")
  func epoch() async throws {
    let folder = TemporaryDirectory()
    let media = MediaDirectory(folder.path)
    for _ in 0..<3 {
      let clock = TestClock(wall: WallTime(rfc3339: "1970-01-01T00:00:20Z")!)
      let observer = TestObserver()
      let recorder = TakeRecorder(
        options: RecordingOptions(mediaDirectory: folder.path, reserveBytes: 0), clock: clock
      ) { observer.hear($0) }
      let stream = TestStream("one", clock: clock)
      stream.begin()
      stream.frames(2)
      _ = try await recorder.start(TakeRequest(prerollSeconds: 5), cameras: [stream.camera])
      await recorder.stop(TakeStop(.requested, ""))
    }
    #expect(media.takes.count == 3)
  }
}
