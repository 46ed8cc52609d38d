import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("Its timelapses")
  struct Timelapses {
    private func pictures(_ daemon: TestDaemon) async throws -> [Int] {
      try await daemon.json("timelapse", "list", as: [TimelapseRecord].self).first?.cameras.map(\.pictures) ?? []
    }

    private func names(_ folder: String) async -> [String] { await Program.ended("ls", ["-A", folder]).lines.sorted() }

    @Test("one goes on when the service is killed and started again; its movie plays")
    func survives() async throws {
      let daemon = TestDaemon(demo: 1)
      try await daemon.start()
      #expect(await daemon.ctl("timelapse", "status").status == ExitStatus.noInput.rawValue)
      let started = try await daemon.json(
        "timelapse", "start", "test-1", "--interval", "1", as: TimelapseStarted.self)
      try await wait("two pictures") { try await self.pictures(daemon).first ?? 0 >= 2 }
      #expect(await daemon.ctl("timelapse", "start", "--interval", "5").status == ExitStatus.tempFail.rawValue)
      await daemon.stop(SIGKILL)
      try await daemon.start()
      let before = try await pictures(daemon).first ?? 0
      try await wait("further pictures") { try await self.pictures(daemon).first ?? 0 >= before + 2 }
      #expect(try await daemon.json("timelapse", "status", as: TimelapseStatus.self).id == started.timelapse)
      let record = try await daemon.json("timelapse", "stop", as: TimelapseRecord.self)
      #expect(record.state == .stopped && record.cameras.map(\.missed).allSatisfy { $0 >= 0 })
      let made = try await daemon.json("timelapse", "movie", "last", "--rate", "10", as: TimelapseMovies.self)
      let movie = try #require(made.movies.first)
      #expect(movie.pictures == record.cameras.first?.pictures)
      let play = await Program.ended(
        "ffmpeg", ["-v", "error", "-xerror", "-i", "\(made.folder)/\(movie.file)", "-map", "0", "-f", "null", "-"])
      #expect(play.status == 0 && play.errors == "", "\(play.errors)")
      #expect(await daemon.ctl("timelapse", "stop").status == ExitStatus.noInput.rawValue)
    }

    @Test("a user on another machine gets the pictures and the movie, whole, and what is there is not fetched again")
    func download() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      try await user.connect(.operator)
      let id = try await user.json(
        "timelapse", "start", "test-1", "test-2", "--interval", "1", as: TimelapseStarted.self
      ).timelapse
      try await wait("two pictures of both") { try await self.pictures(daemon).allSatisfy { $0 >= 2 } }
      let record = try await user.json("timelapse", "stop", as: TimelapseRecord.self)
      #expect(try await daemon.json("timelapse", "list", as: [TimelapseRecord].self).map(\.movies) == [nil])
      let there = TemporaryDirectory()
      let made = await user.ctl("timelapse", "movie", "last", "--to", there.path)
      #expect(made.status == 0, "\(made.errors)")
      for camera in record.cameras {
        let frames = await Program.ended(
          "ffprobe",
          [
            "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,nb_read_frames", "-of",
            "default=nw=1:nk=1", "\(there.path)/\(id)/\(camera.stem)-25fps.mov",
          ])
        #expect(frames.lines == ["mjpeg", "\(camera.pictures)"] && frames.errors == "", "\(frames.errors)")
      }

      // The list is what the disk has, whoever asks and whenever.
      await daemon.stop()
      try await daemon.start()
      let listed = try #require(try await daemon.json("timelapse", "list", as: [TimelapseRecord].self).first)
      let paths = record.cameras.map { "/timelapses/\(id)/\($0.stem)-25fps.mov" }
      #expect(listed.movies?.map(\.path).sorted() == paths.sorted())
      let here = TemporaryDirectory()
      #expect(await daemon.ctl("timelapse", "download", id, "--camera", "test-2", "--to", here.path).status == 0)
      let mine = "\(here.path)/\(id)"
      let rigs = "\(daemon.takes)/timelapses/\(id)"
      let all = await names(rigs).filter { $0 != "timelapse.json" }
      #expect(await names(mine) == all.filter { $0.hasPrefix(record.cameras[1].stem + "-") })
      #expect(await daemon.ctl("timelapse", "download", "last", "--to", here.path).status == 0)
      #expect(await names(mine) == all)
      for file in all { #expect(FileBytes.read("\(mine)/\(file)") == FileBytes.read("\(rigs)/\(file)"), "\(file)") }
      let again = try await daemon.json("timelapse", "download", "last", "--to", here.path, as: JSONValue.self)
      #expect(again["cameras"]?.asArray?.map { $0["fetched"] } == [0, 0])
      #expect(again["files"]?.asArray?.map { $0["bytes"] } == [0, 0])
      let unknown = await daemon.ctl("timelapse", "download", id, "--camera", "attic", "--to", here.path)
      #expect(unknown.status == ExitStatus.noInput.rawValue && unknown.errors.contains("has no camera"))
    }
  }
}
