import CamrigModel
import Glibc
import Recording
import TestSupport
import Testing

@Suite("A timelapse", .timeLimit(.minutes(5)))
struct TimelapseTakerTests {
  /// The timelapse of a rig, and its camera; a second one on the same folder is the rig after a restart.
  private final class Bench: Sendable {
    let clock: TestClock
    let sleeper = TestSleeper()
    let camera: TestStream
    let media: MediaDirectory
    let taker: TimelapseTaker
    private let told = Told()

    private final class Told: Sendable {
      let events = Guarded<[TimelapseEvent]>([])
      let troubles = Guarded<[String]>([])
      let problem = Guarded<String?>(nil)
    }

    init(_ media: String, clock: TestClock = TestClock(), camera: TestStream? = nil, reserveBytes: UInt64 = 1 << 20) {
      self.clock = clock
      self.media = MediaDirectory(media)
      let stream = camera ?? TestStream("left", clock: clock)
      self.camera = stream
      if camera == nil {
        stream.begin()
        stream.frames(60)
        // They are no pictures, and none of them is taken for a photo.
        clock.advance(by: .milliseconds(1))
      }
      // However many a slow machine has to publish, they take no time.
      stream.frameTime = .microseconds(10)
      let (told, sleeper) = (told, sleeper)
      taker = TimelapseTaker(
        options: RecordingOptions(mediaDirectory: media, reserveBytes: reserveBytes, version: "1.0"), clock: clock,
        sleep: { await sleeper.sleep($0) },
        camera: { id in
          id == stream.id ? stream.photoCamera(problem: { told.problem.withLock { $0 } }) : nil
        }, observer: { event in told.events.withLock { $0.append(event) } },
        trouble: { _, message in told.troubles.withLock { $0.append(message) } })
    }

    deinit { sleeper.endAll() }

    var events: [TimelapseEvent] { told.events.withLock { $0 } }
    var troubles: [String] { told.troubles.withLock { $0 } }
    func fail(_ problem: String?) { told.problem.withLock { $0 = problem } }

    func start(interval: Double = 10) async throws -> TimelapseStarted {
      try await taker.start([(id: camera.id, name: "left")], interval: interval)
    }

    /// Gives pictures until so many moments have passed.
    func moments(_ count: Int) async {
      let jpeg = TestStream.jpeg()
      while events.filter({ if case .advanced = $0 { true } else { false } }).count < count {
        camera.frame(jpeg)
        try? await Task.sleep(for: .milliseconds(1))
      }
    }

    /// The next moment comes.
    func advance(to number: Int) async {
      await sleeper.pass(clock)
      await moments(number)
    }
  }

  private let directory = TemporaryDirectory()
  private var media: String { directory.path + "/takes" }

  private func names(_ folder: String) -> [String] {
    Program.run("ls", [folder]).lines.filter { $0.hasSuffix(".jpg") }
  }

  @Test("a picture at each moment, in files that sort, until it is stopped")
  func runs() async throws {
    let bench = Bench(media)
    let started = try await bench.start()
    await bench.moments(1)
    for number in 2...3 { await bench.advance(to: number) }
    #expect(bench.taker.status?.pictures == 3)
    await #expect(throws: TimelapseError.running(started.timelapse)) { try await bench.start() }
    let record = try await bench.taker.stop()
    #expect(names(started.folder) == ["left-000001.jpg", "left-000002.jpg", "left-000003.jpg"])
    #expect(record.state == .stopped && record.message == "Stopped by an operator.")
    #expect(record.cameras.map(\.pictures) == [3] && record.cameras.map(\.missed) == [0])
    #expect(await bench.taker.list(limit: 10) == [record])
    #expect(bench.taker.status == nil && bench.camera.demands.withLock { $0 } == 0)
    await #expect(throws: TimelapseError.notRunning) { try await bench.taker.stop() }
  }

  @Test("a camera that is away is missed, said once, and taken in again")
  func missing() async throws {
    let bench = Bench(media)
    _ = try await bench.start()
    await bench.moments(1)
    bench.fail("left is not plugged in.")
    for number in 2...3 {
      await bench.sleeper.pass(bench.clock)
      // No picture comes until it has noticed.
      await eventually { bench.events.count == number + 1 }
    }
    #expect(bench.taker.status?.cameras[bench.camera.id]?.message == "left is not plugged in.")
    bench.fail(nil)
    await bench.advance(to: 4)
    let record = try await bench.taker.stop()
    #expect(record.cameras.map(\.pictures) == [2] && record.cameras.map(\.missed) == [2])
    #expect(bench.troubles == ["left is not plugged in."])
  }

  @Test("it goes on after a restart, with the next number of the grid; a stopped one does not")
  func restarts() async throws {
    let first = Bench(media)
    let started = try await first.start()
    await first.moments(1)
    await first.taker.shutdown()
    #expect(first.camera.demands.withLock { $0 } == 0)
    first.clock.advance(by: .seconds(34))
    let second = Bench(media, clock: first.clock, camera: first.camera)
    await second.taker.resume()
    #expect(second.taker.status?.id == started.timelapse)
    await second.advance(to: 1)
    let record = try await second.taker.stop()
    #expect(record.cameras.map(\.pictures) == [2] && record.cameras.map(\.missed) == [3])
    #expect(names(started.folder) == ["left-000001.jpg", "left-000005.jpg"])
    let third = Bench(media, clock: first.clock, camera: first.camera)
    await third.taker.resume()
    #expect(third.taker.status == nil)
  }

  @Test("where the first volume cannot take it, the refusal says that the second one is not for timelapses")
  func notOnTheSecond() async throws {
    for second in [nil, directory.path + "/second"] {
      let bench = Bench(media)
      await bench.taker.use(
        RecordingOptions(mediaDirectory: media, makesDirectory: false, secondDirectory: second, version: "1.0"))
      do {
        _ = try await bench.start()
        Issue.record("it has no folder")
      } catch let error as TimelapseError {
        #expect(error.description.hasPrefix("\(media) is not there."))
        #expect(error.description.contains("never in SecondDirectory=") == (second != nil))
      }
    }
  }

  @Test("a volume that is full ends it with the reason, and what is there stays", .enabled(if: SmallVolume.isPossible))
  func full() async throws {
    let volume = try #require(SmallVolume(megabytes: 4))
    let bench = Bench(volume.path)
    let started = try await bench.start()
    await bench.moments(1)
    FileBytes.write([UInt8](repeating: 0, count: 3 << 20), to: volume.path + "/others")
    await bench.sleeper.pass(bench.clock)
    let jpeg = TestStream.jpeg()
    while bench.taker.status != nil {
      bench.camera.frame(jpeg)
      try await Task.sleep(for: .milliseconds(1))
    }
    let record = try #require(await bench.taker.list(limit: 1).first)
    #expect(record.state == .stopped && record.message?.contains("are kept free") == true)
    #expect(names(started.folder) == ["left-000001.jpg"])
  }

  @Test("its movie has the pictures as they are, and ffprobe counts them")
  func movie() async throws {
    let bench = Bench(media)
    _ = try await bench.start()
    await bench.moments(1)
    for number in 2...5 { await bench.advance(to: number) }
    let record = try await bench.taker.stop()
    let made = try await bench.taker.movie("last", rate: FrameRate(25))
    let movie = try #require(made.movies.first)
    #expect(movie.file == "left-25fps.mov" && movie.pictures == 5 && movie.durationSeconds == 0.2)
    let path = made.folder + "/" + movie.file
    let probe = Program.run(
      "ffprobe",
      [
        "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,r_frame_rate,nb_read_frames", "-of",
        "csv=p=0", path,
      ])
    #expect(probe.text == "mjpeg,25/1,5\n", "\(probe.text)\(probe.errors)")
    // The samples are the files.
    let out = directory.path + "/out-%d.jpg"
    #expect(Program.run("ffmpeg", ["-v", "error", "-i", path, "-c", "copy", "-f", "image2", out]).status == 0)
    #expect(
      FileBytes.read(directory.path + "/out-1.jpg")
        == FileBytes.read(made.folder + "/" + "left-000001.jpg"))
    // Once more, in its place.
    #expect(try await bench.taker.movie(record.timelapse, rate: FrameRate(25)).movies.first?.bytes == movie.bytes)
    let other = try await bench.taker.movie("last", rate: FrameRate(30000, 1001))
    #expect(other.movies.first?.file == "left-30000-1001fps.mov")
  }

  @Test("a movie of pictures of two sizes is refused with the file and the cure")
  func sizes() async throws {
    let bench = Bench(media)
    let started = try await bench.start()
    await bench.moments(1)
    _ = try await bench.taker.stop()
    FileBytes.write(TestStream.jpeg(9, PixelSize(width: 32, height: 16)), to: started.folder + "/left-000002.jpg")
    await #expect(
      throws: TimelapseError.sizes(
        file: "left-000002.jpg", size: PixelSize(width: 32, height: 16), before: PixelSize(width: 64, height: 48))
    ) { try await bench.taker.movie("last", rate: FrameRate(25)) }
    FileBytes.write([1, 2, 3], to: started.folder + "/left-000002.jpg")
    await #expect(throws: TimelapseError.noJPEG("left-000002.jpg")) {
      try await bench.taker.movie("last", rate: FrameRate(25))
    }
    #expect(Program.run("ls", [started.folder]).lines == ["left-000001.jpg", "left-000002.jpg", "timelapse.json"])
    await #expect(throws: TimelapseError.unknown("../shots")) {
      try await bench.taker.movie("../shots", rate: FrameRate(25))
    }
  }

  @Test("the interval has bounds")
  func bounds() async {
    let bench = Bench(media)
    for seconds in [0, 0.5, 86_401, .nan] {
      await #expect(throws: TimelapseError.interval) { try await bench.start(interval: seconds) }
    }
  }
}
