import CamrigModel
import Codec
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("camrigctl's pictures and files, here and from another machine")
  struct RemotePictures {
    private func start(_ role: AccessRole = .viewer) async throws -> (TestDaemon, RemoteUser) {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      try await user.connect(role)
      return (daemon, user)
    }

    /// By ffprobe: codec, size and number of the pictures.
    private func probe(_ path: String, _ format: String = "mjpeg") async -> [String] {
      await Program.ended(
        "ffprobe",
        [
          "-v", "error", "-f", format, "-count_frames", "-show_entries",
          "stream=codec_name,width,height,nb_read_frames",
          "-of", "default=nw=1:nk=1", path,
        ]
      ).lines
    }

    @Test("a snapshot is one JPEG, into a file or the output, small where that is asked for")
    func snapshot() async throws {
      let (daemon, user) = try await start()
      let folder = TemporaryDirectory()
      for (number, words) in [["--camera", "test-1"], ["--long-edge", "320", "--quality", "50"]].enumerated() {
        let path = "\(folder.path)/\(number).jpg"
        let here = await daemon.ctl(["snapshot", "--output", path] + words)
        #expect(here.status == 0 && here.output.isEmpty, "\(here.errors)")
        let size = number == 0 ? ["1280", "720"] : ["320", "180"]
        #expect(await probe(path) == ["mjpeg"] + size + ["1"])
        let there = await user.ctl(["snapshot"] + words)
        #expect(there.status == 0, "\(there.errors)")
        FileBytes.write(there.output, to: path)
        #expect(await probe(path) == ["mjpeg"] + size + ["1"])
      }
    }

    @Test(
      "a camera that is not there is 66, with those that are; one that shows nothing is 69; a terminal gets no picture")
    func noSnapshot() async throws {
      let (daemon, user) = try await start()
      for run in [await daemon.ctl("snapshot", "--camera", "attic"), await user.ctl("snapshot", "--camera", "attic")] {
        #expect(run.status == ExitStatus.noInput.rawValue)
        #expect(run.errors.contains("There is no camera \"attic\". The cameras are: Test pattern 1"), "\(run.errors)")
        #expect(run.output.isEmpty)
      }
      let preview = await user.ctl("preview", "--camera", "attic")
      #expect(preview.status == ExitStatus.noInput.rawValue && preview.output.isEmpty)
      for words in [["snapshot", "--quality", "0"], ["preview", "--rate", "fast"], ["snapshot", "--long-edge", "x"]] {
        #expect(await user.ctl(words).status == ExitStatus.usage.rawValue, "\(words)")
      }
      let terminal = await user.typing([], "--host", user.host, "snapshot")
      #expect(terminal.status == ExitStatus.usage.rawValue)
      #expect(terminal.text.contains("pictures are not for a terminal"), "\(terminal.text)")
      let unwritable = await user.ctl("snapshot", "--output", "/nowhere/x.jpg")
      #expect(unwritable.status == ExitStatus.cantCreate.rawValue)
    }

    @Test("a preview is JPEGs one behind the other, each newer, and ends well when nobody reads any more")
    func preview() async throws {
      let (_, user) = try await start()
      let folder = TemporaryDirectory()
      let path = folder.path + "/live.mjpeg"
      let ctl = TestDaemon.path("camrigctl")
      // `head` reads so much and closes the pipe.
      let shell =
        "set -o pipefail; '\(ctl)' --host \(user.host) preview --camera test-1 | head -c 600000 >'\(path)'"
      let run = await Program.ended("bash", ["-c", shell], environment: user.environment, seconds: 60)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      let found = await probe(path)
      #expect(found.prefix(3) == ["mjpeg", "1280", "720"])
      #expect((found.last.flatMap { Int($0) } ?? 0) >= 3, "\(found)")
    }

    @Test("a preview of a rig that goes away ends with 69, after whole pictures")
    func previewLost() async throws {
      let (daemon, user) = try await start()
      let running = user.start("preview", "--camera", "test-2", "--rate", "10", "--long-edge", "320")
      try await wait("pictures") { running.byteCount > 20_000 }
      await daemon.stop()
      let end = await running.ended(seconds: 30)
      #expect(end.status == ExitStatus.unavailable.rawValue, "\(end.errors)")
      #expect(end.output.prefix(2) == [0xFF, 0xD8] && end.output.suffix(2) == [0xFF, 0xD9])
    }

    @Test(
      "a take is fetched byte for byte; what is there is not fetched again; what was cut short goes on where it ended")
    func download() async throws {
      let (daemon, user) = try await start(.operator)
      try await daemon.record(pictures: 30)
      let folder = TemporaryDirectory()
      let recording = await user.ctl("take", "download", "last", "--to", folder.path)
      #expect(recording.status == ExitStatus.tempFail.rawValue, "\(recording.errors)")
      #expect(recording.errors.contains("is not finished and was left out"))
      let take = try await daemon.takeStop()
      let first = await user.ctl("take", "download", "last", "--to", folder.path)
      #expect(first.status == 0, "\(first.errors)")
      let clips = take.cameras.flatMap(\.clips).map(\.file)
      #expect(clips.count == 2)
      func same(_ file: String) -> Bool {
        FileBytes.read("\(folder.path)/\(take.id)/\(file)") == FileBytes.read("\(daemon.takes)/\(take.id)/\(file)")
      }
      for file in clips + ["take.json"] { #expect(same(file), "\(file)") }
      let again = await user.ctl("take", "download", take.id, "--to", folder.path)
      #expect(again.lines.filter { $0.contains("is there already") }.count == 3, "\(again.text)")

      // As it is left behind by a fetch that was cut short.
      let port = user.host
      let path = "\(folder.path)/\(take.id)/\(clips[0])"
      let head = await Program.ended(
        "curl",
        ["-sk", "-r", "0-0", "-D", "-", "-o", "/dev/null", "-H", "Authorization: Bearer \(try user.token())"]
          + ["https://\(port)/takes/\(take.id)/\(clips[0])"])
      let tag = try #require(
        head.text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("etag:") }?.split(separator: "\"").last)
      let whole = FileBytes.read(path)
      unlink(path)
      FileBytes.write(Array(whole.prefix(whole.count / 3)), to: "\(path).\(tag).part")
      let resumed = try await user.json(
        "take", "download", "last", "--to", folder.path, as: JSONValue.self)["files"]?.asArray
      #expect(
        resumed?.first { $0["file"] == .string(clips[0]) }?["bytes"] == .integer(Int64(whole.count - whole.count / 3)))
      #expect(same(clips[0]))
      // The beginning of another file is not made the beginning of this one.
      unlink(path)
      FileBytes.write([1, 2, 3], to: "\(path).0-0-0.0.part")
      #expect(await user.ctl("take", "download", "last", "--to", folder.path).status == 0)
      #expect(same(clips[0]))
      #expect(access("\(path).0-0-0.0.part", F_OK) != 0)
    }
  }
}
