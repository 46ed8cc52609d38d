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
  }
}
