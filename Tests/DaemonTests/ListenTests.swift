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

    /// Where it begins to beep, in seconds, and how many turns a second it has.
    private func beeps(_ samples: [Int]) -> [(begin: Double, hertz: Double)] {
      var beeps: [(begin: Double, hertz: Double)] = []
      var quiet = 48_000
      for (place, sample) in samples.enumerated() {
        if abs(sample) > 500 {
          if quiet > 9600, place > 9600, place + 4800 < samples.count {
            let beep = samples[place..<place + 4320]
            let turns = zip(beep, beep.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
            beeps.append((Double(place) / 48_000, Double(turns) / 0.09))
          }
          quiet = 0
        } else {
          quiet += 1
        }
      }
      return beeps
    }

    @Test("so many seconds of a microphone are a WAV that others read, with a beep of the right pitch each second")
    func file() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      try await user.connect(.viewer)
      let folder = TemporaryDirectory()
      for (number, words) in [["--runtime-dir", daemon.directory.path + "/run"], ["--host", user.host]].enumerated() {
        let path = "\(folder.path)/\(number).wav"
        let shell = (["'\(TestDaemon.path("camrigctl"))'"] + words + ["listen", "--seconds", "3.5", ">'\(path)'"])
          .joined(separator: " ")
        let run = await Program.ended("bash", ["-c", shell], environment: user.environment, seconds: 60)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let probe = await Program.ended(
          "ffprobe",
          [
            "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels,duration", "-of", "csv=p=0", path,
          ])
        #expect(probe.text.hasPrefix("pcm_s16le,48000,2,3.500000"), "\(probe.text)")
        #expect(probe.errors.isEmpty, "\(probe.errors)")
        let samples = left(FileBytes.read(path))
        #expect(samples.count == 168_000)
        let found = beeps(samples)
        #expect(found.count >= 2)
        for beep in found { #expect(abs(beep.hertz - 1000) < 15, "\(beep)") }
        for (one, next) in zip(found, found.dropFirst()) {
          #expect(abs(next.begin - one.begin - 1) < 0.005, "\(one) \(next)")
        }
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
      for (one, next) in zip(beeps(left(heard.output)), beeps(left(heard.output)).dropFirst()) {
        #expect(abs(next.begin - one.begin - 1) < 0.005)
      }
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
