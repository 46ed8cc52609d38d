import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("camrigctl")
  struct Commands {
    /// What stands where a time is meant.
    private func isTime(_ value: JSONValue?) -> Bool {
      guard let text = value?.asString else { return false }
      return WallTime(rfc3339: text) != nil && text.contains("T") && text.hasSuffix("Z")
    }

    @Test(
      "without a daemon every command says so with 69, and how to look",
      arguments: ["status", "takes", "version", "snapshot", "preview"])
    func noDaemon(_ command: String) async throws {
      let run = await TestDaemon().ctl(command)
      #expect(run.status == ExitStatus.unavailable.rawValue)
      #expect(run.errors.contains("camrigd does not run here: there is no "), "\(run.errors)")
      #expect(run.errors.contains("Look with: systemctl status camrig"))
    }

    @Test(
      "a wrong command line ends with 64 and says what is wrong",
      arguments: [
        (["fly"], "unknown command \"fly\""), (["record"], "\"record\" needs one of: record start, record stop"),
        (["camera", "show"], "CAMERA is missing"), (["status", "--limit", "3"], "status takes no --limit"),
        (["takes", "--limit", "0"], "--limit takes a number above 0"), (["status", "--loud"], "unknown option --loud"),
        (["camera", "set", "test-1", "--size", "12"], "\"12\" is no size"),
        (["camera", "set", "test-1", "--rate", "fast"], "\"fast\" is no rate"),
        (["camera", "set", "test-1", "--format", "GIF"], "it is one of MJPG, H264, YUYV"),
        (["camera", "set", "test-1"], "nothing to set"), (["record", "arm", "maybe"], "record arm takes on or off"),
        (["status", "now"], "unexpected \"now\""), (["takes", "last"], "unexpected \"last\""),
        (["take", "show", "last", "first"], "unexpected \"first\""),
      ])
    func usage(_ words: [String], _ fault: String) async throws {
      // No daemon is needed to know that.
      let run = await TestDaemon().ctl(words)
      #expect(run.status == ExitStatus.usage.rawValue)
      #expect(run.errors.contains(fault), "\(run.errors)")
      #expect(run.errors.contains("See: camrigctl --help"))
    }

    @Test("the help of a word is that of all commands which begin with it; of a whole command, its own")
    func help() async throws {
      let family = await TestDaemon().ctl("timelapse", "--help")
      #expect(family.status == ExitStatus.ok.rawValue)
      let usages = family.text.split(separator: "\n").filter { $0.hasPrefix("usage: camrigctl timelapse ") }
      #expect(usages.count == 6 && usages[0].hasSuffix("start [CAMERA]… --interval S"), "\(family.text)")
      let one = await TestDaemon().ctl("take", "verify", "--help")
      #expect(one.text.hasPrefix("usage: camrigctl take verify TAKE\n\nproves") && !one.text.contains("repair"))
      #expect(await TestDaemon().ctl("tak", "--help").status == ExitStatus.usage.rawValue)
    }

    @Test("what is not there is said with 66, and what is")
    func unknown() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let camera = await daemon.ctl("camera", "show", "front")
      #expect(camera.status == ExitStatus.noInput.rawValue)
      #expect(
        camera.errors == """
          camrigctl: There is no camera "front". The cameras are: Test pattern 1 (test-1), Test pattern 2 (test-2).

          """)
      #expect(await daemon.ctl("record", "start", "--camera", "front").status == ExitStatus.noInput.rawValue)
      for command in ["show", "verify", "repair"] {
        let none = await daemon.ctl("take", command, "last")
        #expect(none.status == ExitStatus.noInput.rawValue)
        #expect(none.errors == "camrigctl: There is no take yet. Begin one with: camrigctl record start\n")
        let other = await daemon.ctl("take", command, "../../etc")
        #expect(other.status == ExitStatus.noInput.rawValue)
        #expect(other.errors == "camrigctl: There is no take ../../etc. See camrigctl takes.\n")
      }
      #expect(await daemon.ctl("takes").text == "No take yet. Begin one with: camrigctl record start\n")
    }

    @Test("a stop with nothing to stop says so: with 66 where there is no take at all, else with the newest one")
    func nothingToStop() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      for words in [["record", "stop"], ["record", "stop", "--json"]] {
        let none = await daemon.ctl(words)
        #expect(none.status == ExitStatus.noInput.rawValue)
        #expect(none.text.isEmpty)
        #expect(
          none.errors
            == "camrigctl: Nothing is being recorded, and there is no take yet. Begin one with: camrigctl record start\n"
        )
      }
      let take = try await daemon.record().take
      let stopped = await daemon.ctl("record", "stop")
      let again = await daemon.ctl("record", "stop")
      #expect(stopped.status == 0 && again.status == 0)
      #expect(stopped.text.contains(take) && again.text == stopped.text)
    }

    @Test("a format that a camera does not have is refused with those that it has")
    func formats() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let refused = await daemon.ctl("camera", "set", "test-1", "--format", "H264")
      #expect(refused.status == ExitStatus.usage.rawValue)
      #expect(
        refused.errors.contains("Test pattern 1 has no H264. It offers MJPG, YUYV, UYVY, NV12, YU12, GREY."),
        "\(refused.errors)")
      let set = try await daemon.json(
        "camera", "set", "test-1", "--size", "640x480", "--rate", "15", as: CameraDescription.self)
      #expect(set.wish == FormatWish(size: PixelSize(width: 640, height: 480), rate: FrameRate(15)))
      let reset = try await daemon.json("camera", "set", "test-1", "--reset", "all", as: CameraDescription.self)
      #expect(reset.wish == FormatWish())
    }

    @Test("every reading command gives one JSON document: times of RFC 3339, arrays, newest take first")
    func json() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let first = try await daemon.record("--name", "One")
      _ = try await daemon.takeStop()
      let second = try await daemon.record("--name", "Two")
      _ = try await daemon.takeStop()

      let status = try await daemon.json("status", as: JSONValue.self)
      #expect(isTime(status["started"]))
      #expect(status["storage"]?["freeBytes"]?.asInteger != nil)
      #expect(status["cameras"]?.asArray?.count == 2)
      let cameras = try await daemon.json("cameras", as: JSONValue.self)
      #expect(cameras.asArray?.map { $0["id"]?.asString } == ["test-1", "test-2"])
      let camera = try await daemon.json("camera", "show", "Test pattern 2", as: JSONValue.self)
      #expect(camera["id"] == "test-2")
      #expect(camera["device"]?["formats"]?.asArray?.isEmpty == false)
      let takes = try await daemon.json("takes", as: JSONValue.self)
      #expect(takes.asArray?.map { $0["id"]?.asString } == [second.take, first.take])
      #expect(takes.asArray?.map { $0["name"]?.asString } == ["Two", "One"])
      #expect(takes.asArray?.allSatisfy { isTime($0["start"]) && $0["durationSeconds"]?.asDouble != nil } == true)
      #expect(takes.asArray?.allSatisfy { $0["bytes"]?.asInteger != nil } == true)
      #expect(try await daemon.json("takes", "--limit", "1", as: [TakeSummary].self).map(\.id) == [second.take])
      let take = try await daemon.json("take", "show", first.take, as: JSONValue.self)
      #expect(take["id"]?.asString == first.take && isTime(take["start"]?["wall"]))
      let verified = try await daemon.json("take", "verify", "last", as: TakeVerification.self)
      #expect(verified.take == second.take && verified.exact && verified.cameras.count == 2)
      let repaired = try await daemon.json("take", "repair", "last", as: TakeRepairReport.self)
      #expect(repaired.whole && repaired.clips.count == 2)
      let version = try await daemon.json("version", as: JSONValue.self)
      #expect(version["camrigctl"] == version["camrigd"])
    }

    @Test("what people read is there too")
    func text() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let start = await daemon.ctl("record", "start", "--name", "Dress rehearsal")
      #expect(start.text.hasPrefix("recording ") && start.text.contains("first picture +"), "\(start.text)")
      try await daemon.waitForPictures(1)
      #expect(await daemon.ctl("record", "start").text.hasPrefix("already recording "))
      let status = await daemon.ctl("status")
      #expect(status.text.contains("● recording ") && status.text.contains("\"Dress rehearsal\""), "\(status.text)")
      #expect(daemon.statusLine.hasPrefix("recording "), "\(daemon.statusLine)")
      #expect(await daemon.ctl("record", "stop").text.contains("\"Dress rehearsal\"  finished"))
      #expect(await daemon.ctl("take", "verify", "last").text.contains("every picture is accounted for"))
      #expect(await daemon.ctl("takes").lines.count == 2)
      #expect(await daemon.ctl("cameras").lines.count == 3)
      #expect(await daemon.ctl("camera", "show", "test-1").text.contains("1280x720"))
    }

    @Test("watch tells each event in a line of its own, in their order")
    func watch() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let watch = RunningProgram(
        TestDaemon.path("camrigctl"), ["--socket", daemon.socket, "watch", "--json"])
      // Heard for sure only once something was heard.
      try await wait("the watch") {
        _ = await daemon.ctl("record", "arm")
        _ = await daemon.ctl("record", "arm", "off")
        return !watch.lines.isEmpty
      }
      let take = try await daemon.record(pictures: 20).take
      _ = try await daemon.takeStop()
      _ = await daemon.ctl("camera", "rename", "test-2", "Side")
      try await wait("the new name") { watch.text.contains("\"Side\"") && watch.text.hasSuffix("\n") }

      let events = try watch.lines.map { try JSONValue(json: $0.utf8) }
      #expect(events.allSatisfy { $0["event"]?.asString != nil && $0["params"]?.asObject != nil })
      let names = events.compactMap { $0["event"]?.asString }
      #expect(Set(names).isSubset(of: Set(RigEventName.allCases.map(\.rawValue))))
      let ofTake = events.filter { $0["params"]?["take"]?.asString == take || $0["params"]?["id"]?.asString == take }
        .compactMap { $0["event"]?.asString }
      #expect(ofTake.filter { $0 == "recording.clip" }.count == 2)
      #expect(ofTake.filter { $0 == "recording.progress" }.count >= 2)
      #expect(
        ofTake.filter { ["recording.started", "recording.stopping", "recording.stopped"].contains($0) }
          == ["recording.started", "recording.stopping", "recording.stopped"])
      #expect(ofTake.last == "recording.stopped")
      let progress = events.first { $0["event"] == "recording.progress" }
      #expect(progress?["params"]?["syncedSequence"]?.asInteger != nil)
    }
  }
}
