import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("Its crashes")
  struct Crashes {
    enum Moment: String, CaseIterable, Sendable {
      case whileStarting, afterTheAnswer, afterTwoFragments, whileStopping
    }

    private func files(_ daemon: TestDaemon, _ take: String) async -> Set<String> {
      // `take.json.new` is the next take.json while it is being written, and becomes it or is written anew.
      Set(await Program.ended("ls", ["\(daemon.takes)/\(take)"]).lines.filter { !$0.hasSuffix(".new") })
    }

    private func folders(_ daemon: TestDaemon) async -> [String] {
      await Program.ended("ls", [daemon.takes]).lines
    }

    @Test(
      "killed at any moment of a take, it puts the take in order at its next start; nothing is deleted",
      arguments: Moment.allCases)
    func killed(_ moment: Moment) async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let asked: RunningProgram?
      switch moment {
      case .whileStarting:
        asked = daemon.startCtl("record", "start")
        try await wait("a folder") { await !folders(daemon).isEmpty }
      case .afterTheAnswer:
        try await daemon.record(pictures: 0)
        asked = nil
      case .afterTwoFragments:
        try await daemon.record(pictures: 65)
        asked = nil
      case .whileStopping:
        try await daemon.record(pictures: 20)
        asked = daemon.startCtl("record", "stop")
        try await wait("the wish to stop") { daemon.statusLine.hasPrefix("stopping") || asked?.isRunning == false }
      }
      let killed = await daemon.stop(SIGKILL)
      #expect(killed.status == 128 + SIGKILL)
      _ = await asked?.ended(seconds: 10)
      let take = try #require(await folders(daemon).first)
      let before = await files(daemon, take)

      try await daemon.start()
      try await wait("the repair") {
        let takes = try await daemon.json("takes", as: [TakeSummary].self)
        return takes.count == 1 && [.repaired, .finished].contains(takes[0].state)
      }
      #expect(await files(daemon, take).isSuperset(of: before))
      try await daemon.expectSound(take)
      let manifest = try await daemon.json("take", "show", take, as: TakeManifest.self)
      if moment == .afterTwoFragments {
        #expect(manifest.state == .repaired && manifest.stop?.cause == .crash)
        // Of 65 pictures at least the first fragment is whole.
        #expect(manifest.cameras.allSatisfy { $0.clips.reduce(0) { $0 + $1.frames } >= 30 })
        #expect(daemon.log.contains { $0.contains(take) })
      }
      // The next take is as any other.
      try await daemon.record(pictures: 1)
      _ = try await daemon.takeStop()
      try await daemon.expectSound()
      #expect(try await daemon.json("takes", as: [TakeSummary].self).count == 2)
    }

    @Test("SIGTERM in the middle of a take finishes it")
    func terminated() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let take = try await daemon.record(pictures: 20).take
      #expect(await daemon.stop().status == 0)
      try await daemon.start()
      let manifest = try await daemon.json("take", "show", take, as: TakeManifest.self)
      #expect(manifest.state == .finished)
      #expect(manifest.stop == TakeStop(.shutdown, "The service was stopped."))
      #expect(manifest.cameras.flatMap(\.clips).map(\.state) == [.finished, .finished])
      try await daemon.expectSound(take)
    }

    @Test("a change that was answered is there after SIGKILL")
    func settingsHold() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      #expect(await daemon.ctl("camera", "set", "test-1", "--size", "640x480").status == 0)
      #expect(await daemon.ctl("camera", "rename", "test-1", "Front left").status == 0)
      await daemon.stop(SIGKILL)
      try await daemon.start()
      let camera = try await daemon.json("camera", "show", "Front left", as: CameraDescription.self)
      #expect(camera.id.rawValue == "test-1")
      #expect(camera.wish.size == PixelSize(width: 640, height: 480))
    }

    @Test(
      "settings that cannot be read are kept aside as they are, and the rig works with the defaults",
      arguments: ["", "{\"cameras\": {\"test-1\"", String(repeating: "\0", count: 4096), "[]", "\u{FEFF}what?"])
    func unreadableSettings(_ text: String) async throws {
      let daemon = TestDaemon()
      FileBytes.write(Array(text.utf8), to: daemon.state + "/settings.json")
      chmod(daemon.state + "/settings.json", 0o666)
      try await daemon.start()
      #expect(try await daemon.json("cameras", as: [CameraDescription].self).count == 2)
      #expect(await daemon.ctl("camera", "rename", "test-1", "Front").status == 0)
      let names = await Program.ended("ls", [daemon.state]).lines
      let aside = names.filter { $0.hasPrefix("settings.json.") }
      #expect(aside.count == 1, "\(names)")
      #expect(aside.first.map { FileBytes.read("\(daemon.state)/\($0)") } == Array(text.utf8))
      #expect(daemon.log.contains { $0.contains("settings.json") && $0.contains("kept") }, "\(daemon.log)")
    }
  }
}
