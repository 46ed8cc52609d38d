import CamrigModel
import Codec
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  /// The test patterns flash and beep in the first tenth of each second of the rig's clock.
  @Suite("Its sound")
  struct Sound {
    /// When the white square lights up, in seconds since the movie's beginning.
    private func flashes(_ path: String, _ size: PixelSize) async -> [Double] {
      let square = TestPattern.flash(in: size)
      let lit = await Program.ended(
        "ffmpeg",
        [
          "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-vf",
          "crop=\(square.side):\(square.side):\(square.x):\(square.y),scale=1:1", "-f", "rawvideo", "-pix_fmt", "gray",
          "-",
        ]
      ).output.map { $0 > 140 }
      let times = await Program.ended(
        "ffprobe",
        ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path]
      ).lines.compactMap { Double($0.filter { $0 != "," }) }
      return zip(lit.indices, times).dropFirst().filter { lit[$0.0] && !lit[$0.0 - 1] }.map(\.1)
    }

    /// When it begins to beep.
    private func beeps(_ path: String) async -> [Double] {
      let bytes = await Program.ended(
        "ffmpeg",
        [
          "-v", "error", "-copyts", "-i", path, "-map", "0:a:0", "-af", "aresample=first_pts=0", "-ac", "1", "-f",
          "s16le",
          "-",
        ]
      ).output
      var found: [Double] = []
      var quiet = 48_000
      for place in stride(from: 0, to: bytes.count - 1, by: 2) {
        let sample = Int16(bytes[place]) | Int16(bytes[place + 1]) << 8
        if abs(Int(sample)) > 500 {
          // What began before the movie is no beginning.
          if quiet > 9600, place > 9600 { found.append(Double(place / 2) / 48_000) }
          quiet = 0
        } else {
          quiet += 1
        }
      }
      return found
    }

    private func expectSync(_ clip: ClipRecord, _ path: String, atLeast count: Int) async {
      let (flashes, beeps) = (await flashes(path, clip.format.size), await beeps(path))
      let pairs = flashes.compactMap { flash in
        beeps.min { abs($0 - flash) < abs($1 - flash) }.map { (flash: flash, beep: $0) }
      }.filter { abs($0.flash - $0.beep) < 0.5 }
      #expect(pairs.count >= count, "flashes \(flashes), beeps \(beeps)")
      // A flash is seen in the first picture after it: up to a picture's time late.
      for pair in pairs { #expect(abs(pair.flash - pair.beep) <= 0.040, "\(pair)") }
    }

    @Test("is in sync with the pictures, as PCM in .mov and as AAC, decoded by others", arguments: ["auto", "aac"])
    func inSync(_ choice: String) async throws {
      let daemon = TestDaemon(TestDaemon.ownKeys + "[Recording]\nSound=\(choice)\n", demo: 1)
      try await daemon.start()
      try await daemon.record(pictures: 150)
      let manifest = try await daemon.takeStop()
      try await daemon.expectSound()
      for clip in manifest.cameras.flatMap(\.clips) {
        let sound = try #require(clip.microphones?.first, "a test pattern has a microphone")
        #expect(sound.codec.rawValue == (choice == "auto" ? "pcm" : "aac"))
        #expect(abs(Double(sound.samples) / 48_000 - clip.durationSeconds) < 0.001)
        await expectSync(clip, "\(daemon.takes)/\(manifest.id)/\(clip.file)", atLeast: 3)
      }
    }

    @Test("of one microphone for several cameras is a track in the clips of each, and of one that is off in none")
    func shared() async throws {
      let daemon = TestDaemon(demo: 2)
      try await daemon.start()
      let set = try await daemon.json(
        "mics", "set", "Test tone 1", "--cameras", "Test pattern 2,test-1", as: MicrophoneDescription.self)
      #expect(set.cameras == ["test-1", "test-2"].map { CameraID($0) } && set.pairing == .chosen)
      #expect(set.camera == CameraID("test-1"))
      try await daemon.record(pictures: 60)
      let take = try await daemon.takeStop()
      try await daemon.expectSound()
      let tracks = Dictionary(
        take.cameras.map { ($0.id.rawValue, $0.clips.flatMap { $0.microphones ?? [] }.map(\.id.rawValue)) }
      ) { first, _ in first }
      #expect(tracks == ["test-1": ["test-1"], "test-2": ["test-1", "test-2"]])
      for clip in take.cameras.flatMap(\.clips) {
        // Each track has its sound, with no more silence than before it had begun.
        for sound in clip.microphones ?? [] {
          #expect(abs(Double(sound.samples) / 48_000 - clip.durationSeconds) < 0.001)
          #expect(sound.silence.values.reduce(0, +) < 24_000, "\(sound)")
        }
      }
      let off = try await daemon.json(
        "mics", "set", "Test tone 1", "--enabled", "off", as: MicrophoneDescription.self)
      #expect(off.state == .disabled && !off.enabled)
      try await daemon.record(pictures: 10)
      let second = try await daemon.takeStop()
      #expect(second.cameras.flatMap(\.clips).flatMap { $0.microphones ?? [] }.map(\.id.rawValue) == ["test-2"])
      let both = await daemon.ctl("mics", "set", "Test tone 1", "--cameras", "test-1", "--camera", "test-2")
      #expect(both.status == ExitStatus.usage.rawValue || both.errors.contains("not both"), "\(both.errors)")
    }

    /// How much later than at whole seconds of the rig's clock it beeps in a clip, in the middle of all beeps.
    private func lateness(_ clip: ClipRecord, _ path: String) async throws -> Double {
      let first = (clip.firstTime - MediaTime(nanoseconds: 0)).inSeconds
      let late = await beeps(path).map { ($0 + first + 0.5).truncatingRemainder(dividingBy: 1) - 0.5 }.sorted()
      return try #require(late.isEmpty ? nil : late[late.count / 2], "\(clip.file) beeps")
    }

    @Test("of one microphone is moved for one of its cameras and not for the other, from the next take on")
    func offsetOfCamera() async throws {
      let daemon = TestDaemon(demo: 2)
      try await daemon.start()
      _ = try await daemon.json(
        "mics", "set", "Test tone 1", "--cameras", "test-1,test-2", "--offset", "40", as: MicrophoneDescription.self)
      _ = try await daemon.json("mics", "set", "Test tone 2", "--camera", "off", as: MicrophoneDescription.self)
      let slow = try await daemon.json(
        "camera", "set", "test-2", "--sound-offset", "210", as: CameraDescription.self)
      #expect(slow.soundOffsetMilliseconds == 210)
      try await daemon.record(pictures: 150)
      // The running take stays as it is.
      let none = try await daemon.json("camera", "set", "test-2", "--sound-offset", "0", as: CameraDescription.self)
      #expect(none.soundOffsetMilliseconds == nil)
      let take = try await daemon.takeStop()
      try await daemon.expectSound()
      for (camera, offset) in [("test-1", 0.04), ("test-2", 0.25)] {
        let clips = take.cameras.filter { $0.id.rawValue == camera }.flatMap(\.clips)
        #expect(clips.flatMap { $0.microphones ?? [] }.map(\.offsetSeconds) == [offset], "\(camera)")
        let clip = try #require(clips.first)
        let late = try await lateness(clip, "\(daemon.takes)/\(take.id)/\(clip.file)")
        #expect(abs(late - offset) < 0.03, "\(camera): \(late)")
      }
      try await daemon.record(pictures: 10)
      let offsets = try await daemon.takeStop().cameras.flatMap(\.clips).flatMap { $0.microphones ?? [] }
        .map(\.offsetSeconds)
      #expect(offsets == [0.04, 0.04])
      let refused = await daemon.ctl("camera", "set", "test-2", "--sound-offset", "2001")
      #expect(refused.status != 0 && refused.errors.contains("at most 2000 ms either way"), "\(refused.errors)")
    }

    @Test("survives SIGKILL beside the pictures, and is in sync after the repair", arguments: ["auto", "aac"])
    func killed(_ choice: String) async throws {
      let daemon = TestDaemon(TestDaemon.ownKeys + "[Recording]\nSound=\(choice)\n", demo: 1)
      try await daemon.start()
      let take = try await daemon.record(pictures: 120).take
      await daemon.stop(SIGKILL)
      try await daemon.start()
      try await wait("the repair") {
        try await daemon.json("takes", as: [TakeSummary].self).first?.state == .repaired
      }
      try await daemon.expectSound(take)
      let manifest = try await daemon.json("take", "show", take, as: TakeManifest.self)
      for clip in manifest.cameras.flatMap(\.clips) {
        let sound = try #require(clip.microphones?.first)
        // What was on its way when it was killed is not there.
        #expect(abs(Double(sound.samples) / 48_000 - clip.durationSeconds) < 0.3)
        await expectSync(clip, "\(daemon.takes)/\(manifest.id)/\(clip.file)", atLeast: 2)
      }
    }
  }
}
