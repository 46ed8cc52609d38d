import CamrigModel
import Codec
import Frames
import Movie
import Recording
import Settings
import TestSupport
import Testing

@Suite("Sound in a take")
struct SoundInTakesTests {
  /// Both go on for this time, the sound first.
  func run(_ stream: TestStream, _ microphones: [TestMicrophone], frames: Int) {
    for _ in 0..<frames {
      for microphone in microphones { microphone.hear(.milliseconds(40)) }
      stream.frames(1, bytes: stream.pixelFormat == .yuyv ? stream.size.area * 2 : 500)
    }
  }

  func start(
    _ rig: TestRig, _ stream: TestStream, _ microphones: [TakeMicrophone]
  ) async throws -> TakeStarted {
    var camera = stream.camera
    camera.microphones = microphones
    return try await rig.recorder.start(TakeRequest(prerollSeconds: 10), cameras: [camera])
  }

  func pcm(_ path: String, track: Int = 0) -> [Int16] {
    let bytes = Program.run(
      "ffmpeg",
      [
        // By the time stamps: what is before 0 is not played.
        "-v", "error", "-copyts", "-i", path, "-map", "0:a:\(track)", "-af", "aresample=first_pts=0", "-f", "s16le",
        "-",
      ]
    ).output
    return stride(from: 0, to: bytes.count - 1, by: 2).map { Int16(bytes[$0]) | Int16(bytes[$0 + 1]) << 8 }
  }

  @Test("is PCM in the same .mov, from the first picture to the end of the last, as long as the pictures")
  func pcm() async throws {
    let rig = TestRig()
    let stream = TestStream("left", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock)
    stream.begin()
    microphone.begin()
    run(stream, [microphone], frames: 5)
    let started = try await start(rig, stream, [microphone.microphone()])
    run(stream, [microphone], frames: 100)
    microphone.hear(.milliseconds(100))
    let manifest = try await rig.stop()

    let clip = manifest.cameras[0].clips[0]
    let sound = try #require(clip.microphones?.first)
    #expect(clip.frames == 105)
    // 105 pictures of 40 ms; the first sample frames are those of the first picture.
    #expect(sound.samples == 105 * 1920)
    #expect(sound.silence == [:])
    let path = started.folder + "/left-001.mov"
    let probe = Program.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels,duration", "-of", "csv=p=0", path])
    #expect(probe.lines == ["mjpeg,4.200000", "pcm_s16le,48000,1,4.200000"])
    let samples = pcm(path)
    #expect(samples.count == 105 * 1920)
    #expect(samples.max().map { abs(Int($0) - 16384) < 40 } == true)
    let tone = Tone.impurity(samples[20_000..<20_000 + 65536].map { Float($0) / 32768 }, rate: 48_000)
    #expect(abs(tone.frequency - 1000) < 1)
    #expect(tone.decibels < -80)
    let verification = try TakeVerifier.verify(folder: started.folder)
    #expect(verification.exact, "\(verification.findings)")
    #expect(microphone.demands.withLock { $0 } == 0)
  }

  @Test("of a microphone with more than 16 bits is 24-bit PCM: what is quieter than 16 bits can say is there")
  func pcm24() async throws {
    let rig = TestRig()
    let stream = TestStream("left", clock: rig.clock)
    // A fourth of what the last of 16 bits stands for.
    let microphone = TestMicrophone("lapel", clock: rig.clock, channels: 2, bits: 24, volume: 1 / 131_072)
    stream.begin()
    microphone.begin()
    run(stream, [microphone], frames: 5)
    let started = try await start(rig, stream, [microphone.microphone()])
    run(stream, [microphone], frames: 45)
    microphone.hear(.milliseconds(100))
    let sound = try #require(try await rig.stop().cameras[0].clips[0].microphones?.first)
    #expect(sound.bits == 24 && sound.silence == [:])
    let path = started.folder + "/left-001.mov"
    let probe = Program.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "a", "-show_entries", "stream=codec_name,channels", "-of", "csv=p=0", path])
    #expect(probe.lines == ["pcm_s24le,2"])
    let bytes = Program.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "s32le", "-"]).output
    let samples = stride(from: 0, to: bytes.count - 3, by: 4).map { place in
      (0..<4).reduce(Int32(0)) { $0 | Int32(bytes[place + $1]) << Int32(8 * $1) }
    }
    #expect(samples.count == 2 * 50 * 1920)
    // 2¹⁴ of 2³¹, to the last of 24 bits.
    #expect(samples.max().map { abs($0 - 16384) <= 512 } == true, "\(String(describing: samples.max()))")
    let verification = try TakeVerifier.verify(folder: started.folder)
    #expect(verification.exact, "\(verification.findings)")
  }

  /// The first sample that is loud, of what a player decodes.
  func onset(_ samples: [Int16]) -> Int? { samples.firstIndex { abs(Int($0)) > 3000 } }

  private func gstreamer(_ path: String, _ decoder: String) -> [Int16] {
    let directory = TemporaryDirectory()
    let out = "\(directory.path)/sound"
    _ = Program.run(
      "gst-launch-1.0",
      [
        "-q", "filesrc", "location=\(path)", "!", "qtdemux", "name=d", "d.audio_0", "!", "queue", "!", decoder, "!",
        "audioconvert", "!", "audio/x-raw,format=S16LE,channels=1", "!", "filesink", "location=\(out)",
      ])
    let bytes = FileBytes.read(out)
    return stride(from: 0, to: bytes.count - 1, by: 2).map { Int16(bytes[$0]) | Int16(bytes[$0 + 1]) << 8 }
  }

  @Test(
    "as AAC is in sync in other people's programs, in .mp4 and .mov, while it is recorded and afterwards",
    arguments: [PixelFormat.yuyv, .mjpeg], [SoundChoice.aac, .pcm])
  func players(format: PixelFormat, choice: SoundChoice) async throws {
    let rig = TestRig {
      $0.sound = choice
      $0.encoder = EncoderSettings(choice: .software)
    }
    let stream = TestStream("cam", clock: rig.clock, pixelFormat: format)
    let microphone = TestMicrophone("lapel", clock: rig.clock, channels: 2)
    microphone.isLoud = false
    stream.begin()
    microphone.begin()
    run(stream, [microphone], frames: 5)
    let started = try await start(rig, stream, [microphone.microphone()])
    run(stream, [microphone], frames: 45)
    microphone.isLoud = true
    run(stream, [microphone], frames: 75)
    microphone.hear(.milliseconds(60))
    let path = started.folder + (format == .mjpeg ? "/cam-001.mov" : "/cam-001.mp4")
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 90)
    // What a crash would leave, from here on.
    let cut = started.folder + "/cut" + path.suffix(4)
    FileBytes.write(FileBytes.read(path), to: cut)
    let manifest = try await rig.stop()
    let clip = manifest.cameras[0].clips[0]
    let sound = try #require(clip.microphones?.first)
    #expect(sound.samples == UInt64(clip.frames) * 1920)
    #expect(sound.codec == (choice == .aac ? .aac : .pcm))

    // The tone begins with the 51st picture's time, 2 s after the first sound and 1.96 s after the first picture; AAC
    // spreads it a little.
    let begin = 94_080
    let slack = choice == .aac ? 100 : 20
    for file in [path, cut] {
      let decoded = pcm(file).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      let found = try #require(onset(decoded), "\(file)")
      #expect(abs(found - begin) < slack, "\(file): \(found)")
      let complaints = Program.run("ffmpeg", ["-v", "error", "-i", file, "-map", "0:a", "-f", "null", "-"]).errors
      // The pictures are no JPEGs.
      #expect(complaints.split(separator: "\n").filter { !$0.contains("mjpeg") && !$0.contains("Last message") } == [])
      let played = gstreamer(file, choice == .aac ? "avdec_aac" : "identity")
      #expect(onset(played).map { abs($0 - begin) < slack + 1024 } == true, "\(file): \(onset(played) ?? -1)")
    }
    let probe = Program.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "a", "-show_entries",
        "stream=codec_name,sample_rate,channels,start_time,duration",
        "-of", "csv=p=0", path,
      ])
    let length = "\(Double(clip.frames) * 0.04)00000"
    #expect(
      probe.text.hasPrefix("\(choice == .aac ? "aac" : "pcm_s16le"),48000,2,0.000000,\(length.prefix(5))"),
      "\(probe.text)")
    let info = Program.run("mediainfo", ["--Output=Audio;%Format% %SamplingRate% %Channels% %Duration%", path])
    #expect(
      info.text.hasPrefix("\(choice == .aac ? "AAC" : "PCM") 48000 2 \(Int(clip.frames) * 40)"), "\(info.text)")

    let verification = try TakeVerifier.verify(folder: started.folder)
    #expect(verification.exact, "\(verification.findings)")
    // The one that was cut is made whole, and its index says what its fragments say.
    guard case .repaired = try MovieRepair.repair(cut) else {
      Issue.record("\(cut) is not repaired")
      return
    }
    let movie = try MovieReader.read(cut)
    #expect(movie.state == .finished && movie.agreesWithFragments == true)
    let repaired = pcm(cut).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    #expect(onset(repaired).map { abs($0 - begin) < slack } == true)
  }

  @Test("of a microphone that comes during the clip, goes and comes again has declared silence before and between")
  func comesAndGoes() async throws {
    let rig = TestRig()
    let stream = TestStream("cam", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    let started = try await start(rig, stream, [microphone.microphone()])
    stream.frames(74)
    microphone.begin()
    run(stream, [microphone], frames: 50)
    microphone.end(.unplugged)
    stream.frames(75)
    await rig.observer.wait { events in
      events.contains { if case .trouble(let trouble) = $0 { trouble.message.contains("unplugged") } else { false } }
    }
    microphone.begin()
    run(stream, [microphone], frames: 50)
    microphone.hear(.milliseconds(60))
    let manifest = try await rig.stop()

    let camera = manifest.cameras[0]
    #expect(camera.clips.map(\.frames) == [250])
    #expect(camera.gaps == [])
    let sound = try #require(camera.clips[0].microphones?.first)
    #expect(sound.samples == 250 * 1920)
    // 75 pictures without it, of which the last one ends where its sound begins; a sample or two is the resampler's.
    #expect(sound.silence[.absent] ?? 0 == 74 * 1920, "\(sound.silence)")
    let between = Int64(sound.silence[.unplugged] ?? 0)
    #expect(abs(between - 75 * 1920) < 40, "\(between)")
    #expect(sound.silence.count == 2)
    let samples = pcm(started.folder + "/cam-001.mov")
    #expect(samples[0..<74 * 1920].allSatisfy { $0 == 0 })
    for (second, isLoud) in [(1.0, false), (4, true), (6, false), (9, true)] {
      let part = samples[Int(second * 48_000)..<Int(second * 48_000) + 480]
      #expect(part.contains { abs(Int($0)) > 10_000 } == isLoud, "at \(second) s")
    }
    let troubles = rig.observer.troubles.filter { $0.kind == .sound }
    #expect(troubles.filter { $0.message.contains("lapel gives no sound any more (unplugged)") }.count == 1)
    #expect(try TakeVerifier.verify(folder: started.folder).exact)
  }

  @Test("of a microphone that the take did not know has its track in a new clip, and no picture is lost")
  func joins() async throws {
    let rig = TestRig()
    let stream = TestStream("cam", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock, channels: 2)
    stream.begin()
    stream.frames(1)
    let started = try await start(rig, stream, [])
    stream.frames(49)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 20)
    await rig.recorder.add(microphone.microphone(), to: stream.id)
    microphone.begin()
    run(stream, [microphone], frames: 50)
    // Once more, which is nothing new.
    await rig.recorder.add(microphone.microphone(), to: stream.id)
    run(stream, [microphone], frames: 50)
    microphone.hear(.milliseconds(60))
    let manifest = try await rig.stop()
    let clips = manifest.cameras[0].clips
    #expect(clips.count == 2)
    #expect(clips.reduce(0) { $0 + $1.frames } == 150)
    #expect(clips[0].microphones == nil)
    #expect(clips[1].microphones?.first?.channels == 2)
    #expect(clips[1].microphones?.first?.samples == clips[1].frames * 1920)
    #expect(manifest.cameras[0].lost == [:])
    #expect(try TakeVerifier.verify(folder: started.folder).exact)
    #expect(microphone.demands.withLock { $0 } == 0)
  }

  @Test("goes on from clip to clip without a sample lost or doubled, with several microphones and cameras")
  func clips() async throws {
    let rig = TestRig { $0.clipLength = .seconds(2) }
    let (left, right) = (TestStream("left", clock: rig.clock), TestStream("right", clock: rig.clock))
    let near = TestMicrophone("near", clock: rig.clock)
    let far = TestMicrophone("far", clock: rig.clock, rate: 16_000)
    for stream in [left, right] { stream.begin() }
    for microphone in [near, far] { microphone.begin() }
    func go(_ frames: Int) {
      for _ in 0..<frames {
        for microphone in [near, far] { microphone.hear(.milliseconds(80)) }
        for stream in [left, right] { stream.frames(1) }
      }
    }
    go(2)
    var cameras = [left.camera, right.camera]
    cameras[0].microphones = [near.microphone(), far.microphone()]
    cameras[1].microphones = [far.microphone()]
    let started = try await rig.recorder.start(TakeRequest(prerollSeconds: 10), cameras: cameras)
    #expect(far.demands.withLock { $0 } == 1)
    go(100)
    for microphone in [near, far] { microphone.hear(.milliseconds(200)) }
    let manifest = try await rig.stop()
    #expect(far.demands.withLock { $0 } == 0)
    for camera in manifest.cameras {
      #expect(camera.clips.count >= 4)
      for (clip, next) in zip(camera.clips, camera.clips.dropFirst()) {
        #expect(clip.microphones?.map(\.silence).allSatisfy { $0 == [:] } == true)
        let length = Double((next.firstTime - clip.firstTime).inNanoseconds) * 48_000 / 1e9
        for sound in clip.microphones ?? [] { #expect(abs(Double(sound.samples) - length) <= 1) }
      }
    }
    #expect(manifest.cameras[0].clips[0].microphones?.map(\.name) == ["near", "far"])
    // The tone's phase goes on over the cut: both files, one behind the other, are one tone.
    let joined = pcm(started.folder + "/left-001.mov") + pcm(started.folder + "/left-002.mov")
    let tone = Tone.impurity(
      joined[(joined.count / 2 - 32_768)..<(joined.count / 2 + 32_768)].map { Float($0) / 32768 }, rate: 48_000)
    #expect(tone.decibels < -60, "\(tone)")
    #expect(try TakeVerifier.verify(folder: started.folder).exact)
  }

  @Test("an overflowing queue is declared, not hidden, and the pictures do not suffer")
  func overflow() async throws {
    let rig = TestRig()
    let stream = TestStream("cam", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock)
    stream.begin()
    microphone.begin()
    run(stream, [microphone], frames: 5)
    let started = try await start(rig, stream, [microphone.microphone()])
    run(stream, [microphone], frames: 20)
    microphone.lose(24_000, .queueOverflow)
    stream.frames(12)
    run(stream, [microphone], frames: 30)
    microphone.hear(.milliseconds(100))
    let manifest = try await rig.stop()
    let sound = try #require(manifest.cameras[0].clips[0].microphones?.first)
    #expect(sound.silence == [.queueOverflow: 24_000])
    let verification = try TakeVerifier.verify(folder: started.folder)
    #expect(verification.exact)
    #expect(verification.cameras[0].microphones?.first?.silence == [.queueOverflow: 24_000])
  }

  @Test("can be left out")
  func without() async throws {
    let rig = TestRig { $0.sound = .none }
    let stream = TestStream("cam", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock)
    stream.begin()
    microphone.begin()
    run(stream, [microphone], frames: 5)
    _ = try await start(rig, stream, [microphone.microphone()])
    run(stream, [microphone], frames: 30)
    #expect(try await rig.stop().cameras[0].clips[0].microphones == nil)
  }
}
