import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("camrigctl's sound, here and from another machine")
  struct Listening {
    /// The left side of a WAV of 48 kHz stereo.
    private func left(_ wave: [UInt8]) -> [Int] {
      stride(from: 44, to: wave.count - 3, by: 4).map {
        Int(Int16(bitPattern: UInt16(wave[$0]) | UInt16(wave[$0 + 1]) << 8))
      }
    }

    /// The pitch of a beep that was heard whole; nil if there is none. On a machine that is busy some of it is left out.
    private func pitch(_ samples: [Int]) -> Double? {
      var begin: Int?
      var last = 0
      for (place, sample) in samples.enumerated() where abs(sample) > 500 {
        if begin == nil || place - last > 24 { begin = place }
        last = place
        if let begin, place - begin >= 4700 {
          let beep = samples[begin...place]
          return Double(zip(beep, beep.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count) * 48_000 / Double(beep.count)
        }
      }
      return nil
    }

    @Test("so many seconds of a microphone are a WAV that others read, with a beep of the right pitch")
    func file() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      try await user.connect(.viewer)
      let folder = TemporaryDirectory()
      for (number, words) in [["--runtime-dir", daemon.directory.path + "/run"], ["--host", user.host]].enumerated() {
        let path = "\(folder.path)/\(number).wav"
        let shell = (["'\(TestDaemon.path("camrigctl"))'"] + words + ["listen", "--seconds", "2.5", ">'\(path)'"])
          .joined(separator: " ")
        try await wait("a whole beep") {
          let run = await Program.ended("bash", ["-c", shell], environment: user.environment, seconds: 60)
          #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
          let samples = self.left(FileBytes.read(path))
          #expect(samples.count == 120_000)
          guard let pitch = self.pitch(samples) else { return false }
          #expect(abs(pitch - 1000) < 15)
          return true
        }
        let probe = await Program.ended(
          "ffprobe",
          ["-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels,duration", "-of", "csv=p=0", path])
        #expect(probe.text.hasPrefix("pcm_s16le,48000,2,2.500000"), "\(probe.text)")
        #expect(probe.errors.isEmpty, "\(probe.errors)")
      }
    }

    @Test("it ends well when nobody reads any more; a microphone that is not there is 66, a terminal gets no sound")
    func ends() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let ctl = "'\(TestDaemon.path("camrigctl"))' --runtime-dir '\(daemon.directory.path)/run'"
      let run = await Program.ended(
        "bash", ["-c", "set -o pipefail; \(ctl) listen --mic test-2 | head -c 100000 | wc -c"], seconds: 60)
      #expect(run.status == 0 && run.text == "100000\n", "\(run.errors)")
      let unknown = await daemon.ctl("listen", "--mic", "attic")
      #expect(unknown.status == ExitStatus.noInput.rawValue && unknown.output.isEmpty, "\(unknown.errors)")
      #expect(unknown.errors.contains("attic"), "\(unknown.errors)")
      #expect(await daemon.ctl("listen", "--seconds", "0").status == ExitStatus.usage.rawValue)
      let terminal = await Program.ended("script", ["-qec", "\(ctl) listen", "/dev/null"], seconds: 60)
      #expect(terminal.status == ExitStatus.usage.rawValue && terminal.text.contains("sound is not for a terminal"))
    }

    @Test("listeners that have stopped reading cost the recording and the others nothing")
    func stopped() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let mute = (0..<10).map { _ in daemon.startCtl("listen", "--mic", "test-1") }
      for listener in mute { try await wait("its sound") { listener.byteCount > 20_000 } }
      for listener in mute { listener.signal(SIGSTOP) }
      try await daemon.record(pictures: 120)
      let heard = await daemon.ctl("listen", "--mic", "test-1", "--seconds", "3")
      #expect(heard.status == 0 && heard.output.count == 44 + 3 * 192_000, "\(heard.errors)")
      let take = try await daemon.takeStop()
      try await daemon.expectSound()
      for clip in take.cameras.flatMap(\.clips) { #expect(clip.microphones?.first?.silence.isEmpty == true) }
      for listener in mute {
        listener.signal(SIGKILL)
        listener.signal(SIGCONT)
      }
    }
  }
}
