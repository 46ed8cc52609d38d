import CamrigModel
import Codec
import Frames
import Glibc
import Movie
import Recording
import Synchronization
import TestSupport
import Testing

@Suite("What cameras deliver")
struct FormatTests {
  /// Annex B: a real encoder's parameter sets, and made-up slices.
  private struct Bitstream {
    private let sps: [UInt8]
    private let pps: [UInt8]
    private let start: [UInt8] = [0, 0, 0, 1]

    init(_ size: PixelSize) throws {
      let encoder = try LibAVEncoder(
        format: VideoFormat(.yuyv, size, rate: FrameRate(25)), settings: EncoderSettings(choice: .software))
      sps = try #require(encoder.parameterSets.sequence.first)
      pps = try #require(encoder.parameterSets.picture.first)
    }

    func keyframe(variant: Bool = false) -> [UInt8] {
      let start = start
      return start + sps + start + pps + (variant ? [1] : []) + start + [0x65, 0x88, 0x84, 0x21, 0xa0]
    }

    var between: [UInt8] { start + [0x41, 0x9a, 0x24, 0x6c, 0x42] }
  }

  @Test("as H.264 begins with a keyframe, and what came before it is counted as lost")
  func h264Start() async throws {
    let rig = TestRig()
    let stream = TestStream("h264", clock: rig.clock, pixelFormat: .h264)
    let bits = try Bitstream(stream.size)
    stream.begin()
    async let starting = rig.recorder.start(TakeRequest(), cameras: [stream.camera])
    while stream.demands.withLock({ $0 }) == 0 || rig.recorder.manifest == nil {
      try? await Task.sleep(for: .milliseconds(1))
    }
    // The queue is joined a moment after the manifest is there.
    try await Task.sleep(for: .milliseconds(50))
    for _ in 0..<3 { stream.frame(bits.between, nil, false) }
    for index in 0..<50 { stream.frame(index % 25 == 0 ? bits.keyframe() : bits.between, nil, index % 25 == 0) }
    _ = try await starting
    let manifest = try await rig.stop()
    let camera = manifest.cameras[0]
    #expect(camera.clips.map(\.file) == ["h264-001.mp4"])
    #expect(
      camera.runs == [RunAccount(run: 1, firstSequence: 0, lastSequence: 52, written: 50, lost: [.beforeKeyframe: 3])])
    let movie = try MovieReader.read(rig.media.folder(of: manifest.id) + "/h264-001.mp4")
    let samples = movie.tracks[0].samples
    #expect(samples.count == 50)
    #expect(samples.indices.filter { samples[$0].isKeyframe } == [0, 25])
    // Start codes became lengths; parameter sets went into the header.
    #expect(samples.allSatisfy { $0.byteCount == 9 })
    guard case .h264(_, let sps, let pps) = movie.tracks[0].media else {
      Issue.record("the track is H.264")
      return
    }
    #expect(sps.count == 1 && pps.count == 1)
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact, "\(verification.findings)")
  }

  @Test("as H.264 with new parameter sets goes on in a new clip")
  func parameterSets() async throws {
    let rig = TestRig()
    let stream = TestStream("h264", clock: rig.clock, pixelFormat: .h264)
    let bits = try Bitstream(stream.size)
    stream.begin()
    stream.frame(bits.keyframe())
    _ = try await rig.start([stream])
    for _ in 0..<9 { stream.frame(bits.between) }
    stream.frame(bits.keyframe(variant: true))
    for _ in 0..<9 { stream.frame(bits.between) }
    let manifest = try await rig.stop()
    #expect(manifest.cameras[0].clips.map(\.frames) == [10, 10])
    #expect(manifest.cameras[0].gaps.isEmpty)
  }

  @Test("as H.264 without a keyframe is asked for one after 2 s, and complained of after 5 s")
  func noKeyframe() async throws {
    let rig = TestRig {
      $0.queueLength = .seconds(60)
      $0.deliveryLimit = .seconds(2)
    }
    let jpeg = TestStream("jpeg", clock: rig.clock)
    let stream = TestStream("h264", clock: rig.clock, pixelFormat: .h264)
    let bits = try Bitstream(stream.size)
    jpeg.begin()
    jpeg.frames(1)
    stream.begin()
    _ = try await rig.start([jpeg, stream])
    for _ in 0..<150 { stream.frame(bits.between) }
    await rig.observer.wait { $0.contains { if case .trouble(let t) = $0 { t.kind == .noKeyframe } else { false } } }
    #expect(stream.keyframeRequests.withLock { $0 } == 1)
    let trouble = try #require(rig.observer.troubles.first { $0.kind == .noKeyframe })
    #expect(trouble.camera == stream.id && trouble.message.contains("camrigctl camera set id-h264 --format MJPG"))
    let manifest = try await rig.stop()
    #expect(manifest.cameras[1].runs.first?.lost == [.beforeKeyframe: 150])
    #expect(manifest.cameras[1].clips.isEmpty)
  }

  @Test("as H.264 whose first keyframe comes long after Record says that the pictures until then were lost")
  func lateKeyframe() async throws {
    let rig = TestRig { $0.deliveryLimit = .seconds(30) }
    let stream = TestStream("h264", clock: rig.clock, pixelFormat: .h264)
    let bits = try Bitstream(stream.size)
    async let starting = rig.recorder.start(TakeRequest(), cameras: [stream.camera])
    await rig.begun()
    stream.begin()
    for _ in 0..<40 { stream.frame(bits.between, nil, false) }
    for _ in 0..<10 { stream.frame(bits.keyframe()) }
    _ = try await starting
    let camera = try await rig.stop().cameras[0]
    #expect(camera.lost == [.beforeKeyframe: 40])
    #expect(camera.gaps.map(\.reason) == [.lost])
    #expect(camera.gaps.first?.to == camera.clips.first?.firstTime)
  }

  @Test("as H.264 is asked for a keyframe when pictures were lost because the writer came too late")
  func overflow() async throws {
    // The pre-roll comes all at once, before anybody writes.
    let rig = TestRig {
      $0.queueBytes = 1
      $0.queueLength = .milliseconds(1)
    }
    for (format, requests) in [(PixelFormat.h264, 1), (.mjpeg, 0)] {
      let stream = TestStream("one", clock: rig.clock, pixelFormat: format)
      let bits = try Bitstream(stream.size)
      stream.begin()
      stream.frame(bits.keyframe())
      for _ in 0..<200 { stream.frame(bits.between, nil, false) }
      _ = try await rig.start([stream])
      let camera = try await rig.stop().cameras[0]
      #expect((camera.lost[.queueOverflow] ?? 0) > 0)
      #expect(stream.keyframeRequests.withLock { $0 } == requests)
      rig.clock.advance(by: .seconds(60))
    }
  }

  @Test("as raw pictures is encoded, each with its exact time")
  func raw() async throws {
    let rig = TestRig { $0.queueLength = .seconds(60) }
    let size = PixelSize(width: 64, height: 48)
    let stream = TestStream("raw", clock: rig.clock, size: size, pixelFormat: .yuyv)
    stream.begin()
    let bytes = 64 * 48 * 2
    stream.frames(1, bytes: bytes)
    _ = try await rig.start([stream])
    for index in 0..<60 {
      stream.frameTime = .milliseconds(index % 2 == 0 ? 30 : 50)
      if index == 30 { stream.lose(2, .errorFlagged) }
      stream.frames(1, bytes: bytes)
    }
    let manifest = try await rig.stop()
    let camera = manifest.cameras[0]
    #expect(camera.clips.count == 1)
    #expect(camera.clips[0].encoder?.isEmpty == false)
    #expect(camera.clips[0].format.pixelFormat == .yuyv)
    #expect(
      camera.runs == [RunAccount(run: 1, firstSequence: 0, lastSequence: 62, written: 61, lost: [.errorFlagged: 2])])
    let movie = try MovieReader.read(rig.media.folder(of: manifest.id) + "/raw-001.mp4")
    let times = movie.tracks[0].samples.map(\.time)
    #expect(times.count == 61)
    #expect(Array(times.prefix(5)) == [0, 30_000, 80_000, 110_000, 160_000])
  }

  @Test("as raw pictures goes on after a silence of its camera")
  func rawSilence() async throws {
    let rig = TestRig { $0.queueLength = .seconds(60) }
    let stream = TestStream("raw", clock: rig.clock, pixelFormat: .grey)
    stream.begin()
    stream.frames(10, bytes: 64 * 48)
    _ = try await rig.start([stream])
    rig.clock.advance(by: .seconds(3))
    await rig.observer.wait { $0.contains { if case .gapOpened = $0 { true } else { false } } }
    stream.frames(10, bytes: 64 * 48)
    let manifest = try await rig.stop()
    #expect(manifest.cameras[0].clips.map(\.frames) == [10, 10])
    #expect(manifest.cameras[0].gaps.map(\.reason) == [.stalled])
    #expect(manifest.cameras[0].runs == [RunAccount(run: 1, firstSequence: 0, lastSequence: 19, written: 20)])
  }

  @Test("as raw pictures that H.264 cannot hold is recorded as JPEGs, and that is said")
  func oddSize() async throws {
    let rig = TestRig { $0.queueLength = .seconds(60) }
    let odd = TestStream("odd", clock: rig.clock, size: PixelSize(width: 63, height: 47), pixelFormat: .grey)
    odd.begin()
    odd.frames(1, bytes: 63 * 47)
    let started = try await rig.start([odd])
    #expect(started.cameras[0].problem == nil)
    odd.frames(10, bytes: 63 * 47)
    let manifest = try await rig.stop()
    let clip = try #require(manifest.cameras[0].clips.first)
    #expect(clip.frames == 11 && clip.file == "odd-001.mov" && clip.encoder == "libturbojpeg")
    #expect(manifest.cameras[0].lost.isEmpty)
    #expect(rig.observer.troubles.contains { $0.kind == .encoder && $0.message.contains("as JPEGs") })
    let decoded = await Program.ended(
      "ffmpeg", ["-v", "error", "-xerror", "-i", started.folder + "/odd-001.mov", "-f", "null", "-"])
    #expect(decoded.status == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
  }

  @Test("as raw pictures becomes JPEGs where that is configured", arguments: [PixelFormat.yuyv, .nv12, .yu12])
  func configuredJPEG(format: PixelFormat) async throws {
    let rig = TestRig {
      $0.queueLength = .seconds(60)
      $0.encoder = EncoderSettings(choice: .jpeg)
    }
    let stream = TestStream("raw", clock: rig.clock, pixelFormat: format)
    let bytes = format.rawByteCount(
      size: stream.size, bytesPerLine: format.leastBytesPerLine(width: stream.size.width))
    stream.begin()
    stream.frames(10, bytes: bytes)
    _ = try await rig.start([stream])
    let manifest = try await rig.stop()
    #expect(manifest.cameras[0].clips.map(\.encoder) == ["libturbojpeg"])
    #expect(manifest.cameras[0].clips.map(\.frames) == [10])
    #expect(!rig.observer.troubles.contains { $0.kind == .encoder })
  }

  @Test("as raw pictures that are too short is said to be so, and lost by that cause")
  func shortPictures() async throws {
    let rig = TestRig { $0.queueLength = .seconds(60) }
    let jpeg = TestStream("jpeg", clock: rig.clock)
    let short = TestStream("short", clock: rig.clock, pixelFormat: .grey)
    jpeg.begin()
    jpeg.frames(1)
    short.begin()
    short.frames(1, bytes: 100)
    let started = try await rig.start([jpeg, short])
    #expect(started.cameras[1].problem?.contains("has 100 bytes") == true)
    short.frames(10, bytes: 100)
    let manifest = try await rig.stop()
    #expect(manifest.cameras[1].lost == [.encoder: 11])
    #expect(manifest.cameras[1].runs.allSatisfy { $0.isExact })
  }

  @Test("of hardware that fails in the midst goes on with libx264, and counts what was lost")
  func hardwareFails() async throws {
    let rig = TestRig()
    let observer = rig.observer
    let recorder = TakeRecorder(
      options: RecordingOptions(mediaDirectory: rig.media.path, reserveBytes: 0, deliveryLimit: .seconds(10)),
      clock: rig.clock,
      encoders: { format, settings throws(CodecError) in
        switch settings.choice {
        case .software: try LibAVEncoder(format: format, settings: settings)
        case .automatic, .v4l2, .vaapi, .jpeg: BrittleEncoder(try LibAVEncoder(format: format, settings: settings))
        }
      }
    ) { observer.hear($0) }
    let stream = TestStream("raw", clock: rig.clock, pixelFormat: .yuyv)
    stream.begin()
    stream.frames(20, bytes: 64 * 48 * 2)
    _ = try await recorder.start(TakeRequest(prerollSeconds: 5), cameras: [stream.camera])
    let manifest = try #require(await recorder.stop(TakeStop(.requested, "")))
    #expect(
      manifest.cameras[0].runs == [
        RunAccount(run: 1, firstSequence: 0, lastSequence: 19, written: 19, lost: [.encoder: 1])
      ])
    #expect(observer.troubles.contains { $0.kind == .encoder && $0.message.contains("brittle") })
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact, "\(verification.findings)")
  }

  @Test("of an encoder that is too slow ends in time; what it has not come to is lost by that cause")
  func slowEncoder() async throws {
    let rig = TestRig()
    let (observer, clock) = (rig.observer, rig.clock)
    let isSlow = Guarded(false)
    let recorder = TakeRecorder(
      options: RecordingOptions(
        mediaDirectory: rig.media.path, reserveBytes: 0, queueLength: .seconds(60), deliveryLimit: .seconds(10),
        stopLimit: .seconds(10)),
      clock: clock,
      encoders: { format, _ throws(CodecError) in
        LateEncoder(format) { frame in
          guard frame.sequence > 20 else { return }
          // So that what waits is not encoded before Stop is called.
          usleep(5000)
          if isSlow.withLock({ $0 }) { clock.advance(by: .seconds(1)) }
        }
      }
    ) { observer.hear($0) }
    let stream = TestStream("slow", clock: clock, pixelFormat: .yuyv)
    stream.begin()
    stream.frames(5, bytes: 64 * 48 * 2)
    _ = try await recorder.start(TakeRequest(prerollSeconds: 2), cameras: [stream.camera])
    stream.frames(495, bytes: 64 * 48 * 2)
    isSlow.withLock { $0 = true }
    let stopped = await recorder.stop(TakeStop(.requested, ""))
    let manifest = try #require(stopped)
    let run = try #require(manifest.cameras[0].runs.first)
    #expect(manifest.state == .finished && manifest.cameras[0].clips.map(\.state) == [.finished])
    #expect(run.isExact && run.lastSequence == 499 && (run.lost[.encoder] ?? 0) > 100)
    #expect(observer.troubles.filter { $0.kind == .encoder }.map { $0.message.contains("smaller size") } == [true])
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact, "\(verification.findings)")
  }

  @Test("of an encoder that keeps pictures inside keeps the account's order")
  func delayedEncoder() async throws {
    let rig = TestRig()
    let observer = rig.observer
    let recorder = TakeRecorder(
      options: RecordingOptions(mediaDirectory: rig.media.path, reserveBytes: 0, deliveryLimit: .seconds(10)),
      clock: rig.clock, encoders: { format, _ throws(CodecError) in LateEncoder(format) }
    ) { observer.hear($0) }
    let stream = TestStream("late", clock: rig.clock, pixelFormat: .yuyv)
    stream.begin()
    stream.frames(5, bytes: 64 * 48 * 2)
    _ = try await recorder.start(TakeRequest(prerollSeconds: 2), cameras: [stream.camera])
    stream.lose(1)
    stream.frames(10, bytes: 64 * 48 * 2)
    stream.lose(2)
    let stopped = await recorder.stop(TakeStop(.requested, ""))
    let manifest = try #require(stopped)
    // The encoder swallows number 7 for good.
    #expect(
      manifest.cameras[0].runs == [
        RunAccount(run: 1, firstSequence: 0, lastSequence: 17, written: 14, lost: [.driverGap: 3, .encoder: 1])
      ])
    let verification = try TakeVerifier.verify(folder: rig.media.folder(of: manifest.id))
    #expect(verification.exact, "\(verification.findings)")
  }
}

/// Gives pictures three later, and one of them never.
private final class LateEncoder: VideoEncoder {
  let encoderName = "late"
  let parameterSets = H264ParameterSets(
    sequence: [[0x67, 0x42, 0xc0, 0x1e, 0xd9]], picture: [[0x68, 0xce, 0x3c, 0x80]])
  private var inside: [EncodedPicture] = []
  private let format: VideoFormat
  private let pool = FramePool()
  private let work: (Frame) -> Void

  init(_ format: VideoFormat, work: @escaping (Frame) -> Void = { _ in }) {
    self.format = format
    self.work = work
  }

  func requestKeyframe() {}

  func encode(_ frame: Frame) -> [EncodedPicture] {
    work(frame)
    if frame.sequence != 7 {
      let sample = Frame(
        pool.buffer(count: 20) { $0.initializeMemory(as: UInt8.self, repeating: 1) }, format: .h264, size: frame.size,
        presentationTime: frame.presentationTime, run: frame.run, sequence: frame.sequence, isKeyframe: true)
      inside.append(EncodedPicture(sample: sample))
    }
    return inside.count > 3 ? [inside.removeFirst()] : []
  }

  func finish() -> [EncodedPicture] {
    defer { inside = [] }
    return inside
  }
}

/// Fails at its sixth picture, and at all that follow.
private final class BrittleEncoder: VideoEncoder {
  private let encoder: any VideoEncoder
  private var count = 0

  init(_ encoder: any VideoEncoder) { self.encoder = encoder }

  var encoderName: String { "brittle" }
  var parameterSets: H264ParameterSets { encoder.parameterSets }
  func requestKeyframe() { encoder.requestKeyframe() }
  func encode(_ frame: Frame) throws(CodecError) -> [EncodedPicture] {
    count += 1
    guard count < 6 else { throw .encoding(encoder: "brittle", reason: "it is broken") }
    return try encoder.encode(frame)
  }
  func finish() throws(CodecError) -> [EncodedPicture] { try encoder.finish() }
}
