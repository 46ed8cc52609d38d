import CamrigModel
import CaptureSupport
import Glibc
import Movie
import RigControl
import TestSupport
import Testing

@Suite("The rig while it records", .timeLimit(.minutes(5)), .serialized)
struct RigRecordingTests {
  private func refusal(_ body: () async throws -> Void) async -> RigError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? RigError
    }
  }

  @Test("records every camera that is there and enabled, and nobody else")
  func chosenByItself() async throws {
    let bench = RigBench(demo: 2)
    try await bench.rig.start()
    let webcam = await bench.plug(1)
    _ = try await bench.rig.enableCamera("test-2", false)
    await bench.plug(2)
    bench.unplug(2)
    await bench.become(webcamID("S2"), .offline)
    let started = try await bench.rig.startRecording(RecordingStartRequest())
    #expect(Set(started.cameras.map(\.id)) == [CameraID("test-1"), webcam])
    #expect(started.cameras.allSatisfy { $0.problem == nil && $0.offsetSeconds != nil })
    await bench.rig.shutdown()
  }

  @Test("cameras are chosen by ID or name, each once; one that cannot be is refused, and nothing begins")
  func chosenByName() async throws {
    let bench = RigBench(demo: 2)
    try await bench.rig.start()
    await bench.plug(1)
    bench.unplug(1)
    await bench.become(webcamID("S1"), .offline)
    _ = try await bench.rig.enableCamera("test-2", false)
    for (names, code) in [
      (["test-1", "nobody"], RigErrorCode.cameraUnknown), (["test-1", "Webcam"], .cameraOffline),
      (["test-2"], .cameraDisabled), ([], .cameraNone),
    ] {
      let error = await refusal { _ = try await bench.rig.startRecording(RecordingStartRequest(cameras: names)) }
      #expect(error?.code == code, "\(names)")
    }
    #expect(await bench.rig.takes(limit: 10).isEmpty)
    #expect(await bench.state(CameraID("test-1")) == .idle)
    let started = try await bench.rig.startRecording(
      RecordingStartRequest(cameras: ["Test pattern 1", "test-1", "TEST PATTERN 1"]))
    #expect(started.cameras.map(\.id.rawValue) == ["test-1"])
    await bench.rig.shutdown()
  }

  @Test("what would break its files is refused; what would not is done")
  func refuses() async throws {
    let bench = RigBench(demo: 2)
    try await bench.rig.start()
    await bench.plug(1)
    bench.unplug(1)
    await bench.become(webcamID("S1"), .offline)
    _ = try await bench.rig.startRecording(RecordingStartRequest(cameras: ["test-1"]))
    let rig = bench.rig
    let refused = [
      await refusal { _ = try await rig.setCamera(CameraSetRequest(camera: "test-1", rate: FrameRate(5))) },
      await refusal { _ = try await rig.setCamera(CameraSetRequest(camera: "test-1", reset: ["format"])) },
      await refusal { _ = try await rig.enableCamera("test-1", false) },
    ]
    for error in refused {
      #expect(
        error
          == RigError(
            .recordingRunning, "Test pattern 1 is being recorded. Stop the take first: camrigctl record stop"))
    }
    // The sound's offset holds from the next take on, and may be chosen in this one; not so with what may not.
    let offset = CameraSetRequest(camera: "test-1", soundOffsetMilliseconds: -40)
    #expect(try await rig.setCamera(offset).soundOffsetMilliseconds == -40)
    let both = CameraSetRequest(camera: "test-1", rate: FrameRate(5), soundOffsetMilliseconds: 70)
    #expect(await refusal { _ = try await rig.setCamera(both) }?.code == .recordingRunning)
    #expect(try await rig.camera("test-1").soundOffsetMilliseconds == -40)
    #expect(await refusal { _ = try await rig.verify("last") }?.code == .takeOpen)
    #expect(await refusal { _ = try await rig.repair("last") }?.code == .takeOpen)

    #expect(try await rig.renameCamera(CameraRenameRequest(camera: "test-1", name: "Front")).name == "Front")
    #expect(try await rig.enableCamera("test-2", false).state == .disabled)
    try await rig.forgetCamera("Webcam")
    // The status is made of events, which may come a moment after the answer.
    await eventually { await rig.status().recording != nil }
    _ = try await rig.stopRecording()
    #expect(try await rig.setCamera(CameraSetRequest(camera: "test-1", rate: FrameRate(5))).wish.rate == FrameRate(5))
    await rig.shutdown()
  }

  @Test("a Stop that names its take ends no other, however late it comes")
  func namedStop() async throws {
    let bench = RigBench(demo: 1)
    let rig = bench.rig
    try await rig.start()
    let first = try await rig.startRecording(RecordingStartRequest()).take
    #expect(try await rig.stopRecording(RecordingStopRequest(take: first)).id == first)
    let second = try await rig.startRecording(RecordingStartRequest()).take
    #expect(try await rig.stopRecording(RecordingStopRequest(take: first)).id == first)
    await eventually { await rig.status().recording?.take == second }
    await #expect(throws: RigError.self) { try await rig.stopRecording(RecordingStopRequest(take: "nowhere")) }
    #expect(await rig.status().recording?.stopping == false)
    #expect(try await rig.stopRecording(RecordingStopRequest(take: second)).id == second)
    let third = try await rig.startRecording(RecordingStartRequest()).take
    #expect(try await rig.stopRecording(RecordingStopRequest(take: "last")).id == third)
    await rig.shutdown()
  }

  @Test("a camera that another program holds is told of, and takes nothing from the others")
  func busy() async throws {
    let bench = RigBench(demo: 1)
    bench.hold(1)
    try await bench.rig.start()
    let webcam = await bench.plug(1)
    await bench.become(webcam, .busy)
    let alone = await refusal {
      _ = try await bench.rig.startRecording(RecordingStartRequest(cameras: [webcam.rawValue]))
    }
    #expect(alone?.code == .cameraSilent)
    #expect(alone?.message.contains("/dev/video1 is in use by another program") == true)
    let started = try await bench.rig.startRecording(RecordingStartRequest())
    #expect(started.cameras.first { $0.id == webcam }?.problem?.contains("in use by another program") == true)
    #expect(started.cameras.first { $0.id != webcam }?.problem == nil)
    await eventually { bench.statusLines.last?.contains("NO PICTURE from Webcam") == true }
    await bench.rig.shutdown()
  }

  @Test("its events come in their order, and the state agrees with them")
  func events() async throws {
    let bench = RigBench(demo: 2)
    try await bench.rig.start()
    let started = try await bench.rig.startRecording(RecordingStartRequest(name: "Finale"))
    await bench.waitForPictures(5)
    #expect(await bench.rig.status().recording?.name == "Finale")
    let stopped = try await bench.rig.stopRecording()
    #expect(stopped.id == started.take)
    await eventually { bench.takeWords.last == "stopped" }
    let words = bench.takeWords
    #expect(Set(words.prefix(2)) == ["clip test-1", "clip test-2"])
    #expect(words.filter { ["started", "stopping", "stopped"].contains($0) } == ["started", "stopping", "stopped"])
    // A starved machine may lose pictures, which is told at once.
    #expect(words.dropFirst(2).first { !$0.hasPrefix("progress") && !$0.hasPrefix("loss") } == "started")
    #expect(words.contains("progress test-1") && words.contains("progress test-2"))
    #expect(await bench.rig.status().recording == nil)
    #expect(bench.statusLines.contains { $0.hasPrefix("recording \(started.take)") })
    await eventually { bench.statusLines.last?.hasPrefix("ready, 2 cameras") == true }
    await bench.rig.shutdown()
    await eventually { bench.eventsEnded }
  }

  @Test("unplugged in a take, a camera leaves a gap and comes back in a new clip by itself")
  func unplugged() async throws {
    let bench = RigBench(demo: 0)
    try await bench.rig.start()
    let webcam = await bench.plug(1)
    _ = try await bench.rig.startRecording(RecordingStartRequest())
    await bench.waitForPictures(5)
    bench.unplug(1)
    await eventually { bench.takeWords.contains("gap \(webcam)") }
    #expect(await bench.rig.status().recording?.cameras.first?.inGap == true)
    await bench.plug(1)
    await eventually { bench.takeWords.contains("gap closed \(webcam)") }
    await eventually { await bench.rig.status().recording?.cameras.first?.clips == 2 }
    let take = try await bench.rig.stopRecording()
    #expect(take.cameras.first?.gaps.map(\.reason) == [.unplugged])
    #expect(take.cameras.first?.clips.map(\.number) == [1, 2])
    #expect(try await bench.rig.verify(take.id).exact)
    await bench.rig.shutdown()
  }

  @Test("Encoder= and EncoderQuality= are what raw pictures are encoded with, from the next clip on after a reload")
  func encoder() async throws {
    let bench = RigBench(demo: 1) {
      $0.recording.encoder = .libx264
      $0.recording.encoderQuality = 50
    }
    try await bench.rig.start()
    let size = PixelSize(width: 320, height: 240)
    _ = try await bench.rig.setCamera(CameraSetRequest(camera: "test-1", size: size, format: .yuyv))
    func bytesPerPicture() async throws -> Int64 {
      let started = try await bench.rig.startRecording(RecordingStartRequest())
      await bench.waitForPictures(10)
      let clip = try #require(try await bench.rig.stopRecording().cameras.first?.clips.first)
      #expect(clip.encoder?.contains("libx264") == true)
      let samples = try MovieReader.read(started.folder + "/" + clip.file).tracks[0].samples
      return samples.reduce(0) { $0 + $1.byteCount } / Int64(samples.count)
    }
    let coarse = try await bytesPerPicture()
    var configuration = RigBench.configuration
    configuration.recording.encoder = .libx264
    configuration.recording.encoderQuality = 1
    await bench.rig.use(configuration)
    #expect(try await bytesPerPicture() > 2 * coarse)
    await bench.rig.shutdown()
  }

  @Test("a take that its volume has ended stands in the status with the reason, until another one begins")
  func endedByItself() async throws {
    let bench = RigBench(demo: 1)
    try await bench.rig.start()
    let first = try await bench.rig.startRecording(RecordingStartRequest())
    await bench.waitForPictures(5)
    #expect(await bench.rig.status().troubles.isEmpty)
    let takes = bench.directory.path + "/takes"
    #expect(rename(takes, takes + ".unplugged") == 0)
    await eventually { bench.takeWords.last == "stopped" }
    await eventually { await bench.rig.status().recording == nil }
    let trouble =
      "Take \(first.take) was ended by trouble: \(takes) is not there. Mount its volume, create the folder, or set "
      + "MediaDirectory= in camrig.conf."
    #expect(await bench.rig.status().troubles == [trouble])
    #expect(await bench.rig.status().problems == [RigProblem(.takeEnded, about: first.take, trouble)])
    _ = try await bench.rig.startRecording(RecordingStartRequest())
    await eventually { await bench.rig.status().troubles.isEmpty }
    _ = try await bench.rig.stopRecording()
    #expect(await bench.rig.status().troubles.isEmpty)
    await bench.rig.shutdown()
  }

  @Test("shut down in a take it ends it, with the reason, and tells nothing after that")
  func shutsDown() async throws {
    let bench = RigBench(demo: 2)
    try await bench.rig.start()
    let started = try await bench.rig.startRecording(RecordingStartRequest())
    await bench.waitForPictures(5)
    await bench.rig.shutdown()
    await eventually { bench.eventsEnded }
    guard case .take(.stopped(let take)) = bench.events.last(where: { if case .take = $0 { true } else { false } })
    else {
      Issue.record("the end of the take is told: \(bench.takeWords)")
      return
    }
    #expect(take.id == started.take && take.stop?.cause == .shutdown)
    #expect(take.cameras.flatMap(\.clips).map(\.state) == [.finished, .finished])

    let next = RigBench(demo: 2, in: bench.directory)
    try await next.rig.start()
    #expect(await next.rig.takes(limit: 10).map(\.state) == [.finished])
    #expect(try await next.rig.verify("last").exact)
    // Stop of a rig that does not record is the newest take.
    let again = try await next.rig.stopRecording()
    #expect(again.id == take.id && again.stop == take.stop)
    await next.rig.shutdown()
  }
}
