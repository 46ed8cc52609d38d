import CamrigModel
import Frames
import Recording
import TestSupport
import Testing

/// Microphones that come late, or are not what they say.
extension SoundInTakesTests {
  @Test("of a microphone that comes later with two channels and 24 bits has both from the next clip on")
  func comesWider() async throws {
    let rig = TestRig()
    let stream = TestStream("cam", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock, channels: 2, bits: 24)
    stream.begin()
    stream.frames(1)
    let started = try await start(rig, stream, [microphone.microphone()])
    stream.frames(49)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 20)
    microphone.begin()
    run(stream, [microphone], frames: 50)
    microphone.end(.unplugged)
    stream.frames(50)
    microphone.begin()
    run(stream, [microphone], frames: 50)
    microphone.hear(.milliseconds(60))
    let manifest = try await rig.stop()
    let clips = manifest.cameras[0].clips
    let tracks = clips.compactMap { $0.microphones?.first }
    // Once: what went and came again is as it was.
    #expect(tracks.map(\.channels) == [1, 2] && tracks.map(\.bits) == [nil, 24], "\(tracks)")
    #expect(clips.reduce(0) { $0 + $1.frames } == 200)
    #expect(manifest.cameras[0].gaps == [] && manifest.cameras[0].lost == [:])
    // The microphone was there from 2 s to 4 s and from 6 s to 8 s: nothing of that is silent, in neither clip.
    let silence = tracks.reduce(into: [SilenceCause: UInt64]()) { $0.merge($1.silence) { $0 + $1 } }
    #expect(abs(Int(silence[.absent] ?? 0) - 49 * 1920) < 40, "\(silence)")
    #expect(abs(Int(silence[.unplugged] ?? 0) - 50 * 1920) < 80, "\(silence)")
    #expect(silence.count == 2)
    // It begins where it belongs.
    let first = pcm(started.folder + "/cam-001.mov")
    let onset = onset(first).map { $0 } ?? onset(pcm(started.folder + "/cam-002.mov")).map { $0 / 2 + first.count }
    #expect(onset.map { abs($0 - 49 * 1920) < 40 * 48 } == true, "\(String(describing: onset))")
    #expect(try TakeVerifier.verify(folder: started.folder).exact)
  }

  @Test("of a microphone that was open before has its channels from the take's beginning, though it comes later")
  func wasOpen() async throws {
    let rig = TestRig()
    let stream = TestStream("cam", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock, channels: 2)
    microphone.begin()
    microphone.end(.stopped)
    stream.begin()
    stream.frames(1)
    _ = try await start(rig, stream, [microphone.microphone()])
    stream.frames(49)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 20)
    microphone.begin()
    run(stream, [microphone], frames: 50)
    let clips = try await rig.stop().cameras[0].clips
    #expect(clips.map { $0.microphones?.first?.channels } == [2])
  }

  @Test("of a microphone that never comes costs no clip, and one that joins is given time before it is missed")
  func joinsSilently() async throws {
    let rig = TestRig()
    let stream = TestStream("cam", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    _ = try await start(rig, stream, [])
    stream.frames(74)
    await rig.recorder.add(microphone.microphone(), to: stream.id)
    stream.frames(25)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 80)
    #expect(rig.observer.troubles.filter { $0.kind == .sound } == [])
    stream.frames(75)
    await rig.observer.wait { events in
      events.contains {
        if case .trouble(let trouble) = $0 { trouble.message.contains("lapel gives no sound yet") } else { false }
      }
    }
    #expect(try await rig.stop().cameras[0].clips.map { $0.microphones?.count } == [nil])
  }

  @Test("of a microphone whose driver says another rate than it gives is told of once")
  func wrongRate() async throws {
    let rig = TestRig()
    let stream = TestStream("cam", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock, rate: 44_000)
    microphone.statedRate = 48_000
    stream.begin()
    microphone.begin()
    run(stream, [microphone], frames: 5)
    let started = try await start(rig, stream, [microphone.microphone()])
    run(stream, [microphone], frames: 50)
    microphone.end(.unplugged)
    microphone.begin()
    run(stream, [microphone], frames: 50)
    microphone.hear(.milliseconds(100))
    _ = try await rig.stop()
    let troubles = rig.observer.troubles.filter { $0.kind == .sound && $0.message.contains("44000 Hz") }
    #expect(
      troubles.map(\.message) == [
        "lapel's driver says 48000 Hz, and 44000 Hz come. Its sound is converted from what comes; where sound matters, "
          + "use another microphone or sound card."
      ])
    let tone = Tone.impurity(
      pcm(started.folder + "/cam-001.mov")[24_000..<24_000 + 65_536].map { Float($0) / 32768 }, rate: 48_000)
    #expect(abs(tone.frequency - 1000) < 1)
  }

  @Test("with hole after hole is told of once")
  func holes() async throws {
    let rig = TestRig()
    let stream = TestStream("cam", clock: rig.clock)
    let microphone = TestMicrophone("lapel", clock: rig.clock)
    stream.begin()
    microphone.begin()
    run(stream, [microphone], frames: 5)
    _ = try await start(rig, stream, [microphone.microphone()])
    for _ in 0..<12 {
      run(stream, [microphone], frames: 25)
      // Its clock jumps.
      microphone.skip(.milliseconds(100))
      stream.frames(3)
    }
    run(stream, [microphone], frames: 25)
    let sound = try #require(try await rig.stop().cameras[0].clips[0].microphones?.first)
    #expect(sound.silence[.clock] ?? 0 > 0)
    let troubles = rig.observer.troubles.filter { $0.kind == .sound && $0.message.contains("hole again and again") }
    #expect(troubles.count == 1)
  }
}
