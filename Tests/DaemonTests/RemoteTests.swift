import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("camrigctl from another machine")
  struct Remote {
    private func pair(_ role: AccessRole, demo: Int = 2) async throws -> (TestDaemon, RemoteUser) {
      let daemon = TestDaemon(demo: demo, listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      try await user.connect(role)
      return (daemon, user)
    }

    // MARK: Connecting

    @Test("a rig that was never paired with is refused with the cure, and hears nothing")
    func unknown() async throws {
      let run = await RemoteUser.nowhere("--host", "192.0.2.7", "status")
      #expect(run.status == ExitStatus.noPerm.rawValue)
      #expect(
        run.errors
          == "camrigctl: This user has not paired with 192.0.2.7 yet. Run camrigctl pair on the rig, then here: "
          + "camrigctl connect 192.0.2.7\n")
    }

    @Test("without a terminal and without --fingerprint nobody is trusted")
    func noTerminal() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      let run = await user.run("connect", user.host, "--code", try await user.code(.viewer))
      #expect(run.status == ExitStatus.usage.rawValue)
      #expect(run.errors.contains("give it with --fingerprint"), "\(run.errors)")
      #expect(access(user.book, F_OK) != 0)
    }

    @Test("a wrong fingerprint is refused before the code is sent: the code is still good")
    func wrongFingerprint() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      let code = try await user.code(.viewer)
      let wrong = String(repeating: "0123", count: 16)
      let refused = await user.run("connect", user.host, "--code", code, "--fingerprint", wrong)
      #expect(refused.status == ExitStatus.noPerm.rawValue)
      #expect(refused.errors.contains("Nothing was sent to it"), "\(refused.errors)")
      let right = await user.run("connect", user.host, "--code", code, "--fingerprint", user.fingerprint)
      #expect(right.status == 0, "\(right.errors)")
    }

    @Test("a wrong code is refused with 77 and the cure")
    func wrongCode() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      let run = await user.run("connect", user.host, "--code", "0000 0000", "--fingerprint", user.fingerprint)
      #expect(run.status == ExitStatus.noPerm.rawValue)
      #expect(run.errors.contains("Get a new one with: camrigctl pair"), "\(run.errors)")
      #expect(access(user.book, F_OK) != 0)
    }

    @Test("on a terminal it shows the fingerprint and asks; yes and the code pair, anything else does not")
    func terminal() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      let no = await user.typing(["n"], "connect", user.host)
      #expect(no.status == ExitStatus.noPerm.rawValue)
      #expect(no.text.contains("The rig is not trusted, so nothing was sent"), "\(no.text)")
      let code = try await user.code(.operator)
      let yes = await user.typing(["y", code], "connect", user.host)
      #expect(yes.status == 0, "\(yes.text)")
      let digits = user.fingerprint.dropFirst("sha256:".count)
      #expect(yes.text.filter { $0 != " " }.contains(digits), "\(yes.text)")
      #expect(yes.text.contains("Paired with "))
      #expect(await user.ctl("status").status == 0)
    }

    @Test("what is kept of a rig is for its user alone; camrigctl rigs shows it without the token")
    func kept() async throws {
      let (daemon, user) = try await pair(.operator)
      var status = stat()
      #expect(stat(user.book, &status) == 0 && status.st_mode & 0o777 == 0o600)
      let token = try user.token()
      let shown = await user.run("rigs", "--json")
      #expect(shown.text.contains(user.host) && !shown.text.contains(token))
      #expect(!daemon.log.contains { $0.contains(token) })
      // By its name, as by its address.
      let name = try await user.json("status", as: RigStatus.self).name
      #expect(await user.run("--host", name, "status").status == 0)
    }

    @Test("another rig in its place is refused loudly, and nothing is sent to it")
    func changed() async throws {
      let (daemon, user) = try await pair(.operator)
      await daemon.stop()
      let again = TestDaemon(listen: user.host)
      try await again.start()
      let run = await user.ctl("record", "start")
      #expect(run.status == ExitStatus.noPerm.rawValue)
      #expect(run.errors.contains("is not the rig that it was"), "\(run.errors)")
      #expect(run.errors.contains(user.fingerprint))
      let connect = await user.run("connect", user.host, "--code", "12345678")
      #expect(connect.status == ExitStatus.noPerm.rawValue)
      #expect(connect.errors.contains("ANOTHER FINGERPRINT at \(user.host)"), "\(connect.errors)")
      #expect(try await again.json("status", as: RigStatus.self).recording == nil)
    }

    @Test("a pairing that was taken away is said with 77 and the cure; one that is given back is gone on the rig")
    func revoked() async throws {
      let (daemon, user) = try await pair(.operator)
      let forgotten = await user.run("rigs", "forget", user.host)
      #expect(forgotten.status == 0, "\(forgotten.errors)")
      #expect(try await daemon.json("monitors", as: [MonitorDescription].self).isEmpty)
      try await user.connect(.operator)
      let id = try #require(try await daemon.json("monitors", as: [MonitorDescription].self).first).id
      #expect(await daemon.ctl("monitors", "revoke", id).status == 0)
      let run = await user.ctl("status")
      #expect(run.status == ExitStatus.noPerm.rawValue)
      #expect(run.errors.contains("does not know this user any more"), "\(run.errors)")
    }

    @Test("who connects again only tells the address; with a new code the role is another, and the old pairing is gone")
    func again() async throws {
      let (daemon, user) = try await pair(.viewer)
      let same = await user.run("connect", user.host)
      #expect(same.status == 0 && same.text.contains("is known already"), "\(same.errors)")
      try await user.connect(.admin)
      let monitors = try await daemon.json("monitors", as: [MonitorDescription].self)
      #expect(monitors.map(\.role) == [.admin])
      #expect(await user.ctl("monitors").status == 0)
    }

    @Test("a rig that does not run is said with 69")
    func gone() async throws {
      let (daemon, user) = try await pair(.viewer)
      await daemon.stop()
      let run = await user.ctl("status")
      #expect(run.status == ExitStatus.unavailable.rawValue)
      #expect(run.errors.contains("\(user.host) cannot be reached"), "\(run.errors)")
    }

    // MARK: Operating

    @Test("what the rig answers there is what it answers here", arguments: [false, true])
    func sameAnswers(_ json: Bool) async throws {
      let (daemon, user) = try await pair(.admin)
      for words in [
        ["cameras"], ["camera", "show", "test-1"], ["takes"], ["monitors", "requests"], ["version"],
        ["camera", "show", "nobody"],
        ["take", "verify", "last"], ["record", "stop"],
      ] {
        let all = words + (json ? ["--json"] : [])
        let (here, there) = (await daemon.ctl(all), await user.ctl(all))
        #expect(here.status == there.status, "\(words)")
        #expect(still(here) == still(there), "\(words)")
        #expect(here.errors == there.errors, "\(words)")
      }
    }

    /// Without what is another with every look.
    private func still(_ run: Program) -> [String] { run.lines.filter { !$0.contains("lastSeen") } }

    @Test("it sets cameras, records, marks what happened, and proves the take")
    func records() async throws {
      let (daemon, user) = try await pair(.admin)
      #expect(await user.ctl("camera", "rename", "test-1", "Left").status == 0)
      #expect(await user.ctl("camera", "set", "Left", "--size", "640x480", "--rate", "15").status == 0)
      #expect(await user.ctl("camera", "disable", "test-2").status == 0)
      #expect(await user.ctl("camera", "enable", "test-2").status == 0)
      #expect(await user.ctl("record", "arm", "on").text == "armed\n")
      #expect(await user.ctl("record", "arm", "off").text == "not armed\n")
      let started = try await user.json("record", "start", "--name", "far away", as: TakeStarted.self)
      try await daemon.waitForPictures(5)
      #expect(try await user.json("status", as: RigStatus.self).recording?.take == started.take)
      let stopped = try await user.json("record", "stop", as: TakeManifest.self)
      #expect(stopped.id == started.take && stopped.state == .finished)
      #expect(try await user.json("take", "show", "last", as: TakeManifest.self) == stopped)
      #expect(await user.ctl("take", "verify", "last").status == 0)
      #expect(await user.ctl("take", "repair", "last").status == 0)
    }

    @Test("watch tells the same events, and ends with 69 when the rig goes")
    func watches() async throws {
      let (daemon, user) = try await pair(.viewer)
      let watching = user.start("watch", "--json")
      try await wait("the monitor is connected") {
        try await daemon.json("monitors", as: [MonitorDescription].self).contains { $0.connected }
      }
      // Its request may still be on the way: tell something until it is heard.
      try await wait("events") {
        await daemon.ctl("camera", "rename", "test-1", "Left")
        await daemon.ctl("camera", "rename", "test-1", "Right")
        let events = try watching.text.split(separator: "\n").map { try JSONValue(json: $0.utf8)["event"] }
        return events.contains("camera.changed")
      }
      await daemon.stop()
      let end = await watching.ended(seconds: 30)
      #expect(end.status == ExitStatus.unavailable.rawValue, "\(end.errors)")
    }

    @Test("a viewer may look and no more: 77")
    func viewer() async throws {
      let (_, user) = try await pair(.viewer)
      #expect(await user.ctl("cameras").status == 0)
      for words in [["record", "start"], ["camera", "disable", "test-1"], ["pair"], ["monitors"]] {
        let run = await user.ctl(words)
        #expect(run.status == ExitStatus.noPerm.rawValue, "\(words): \(run.errors)")
        #expect(run.errors.contains("is paired as viewer"), "\(run.errors)")
      }
    }

    @Test("an admin pairs others and takes pairings away")
    func admin() async throws {
      let (_, user) = try await pair(.admin)
      let other = try await RemoteUser(user.daemon)
      let code = try await user.json("pair", as: PairingOffer.self).code
      #expect(await other.run("connect", other.host, "--code", code, "--fingerprint", other.fingerprint).status == 0)
      #expect(await other.ctl("record", "stop").status == ExitStatus.noInput.rawValue)
      #expect(await user.ctl("monitors", "revoke", "2").status == 0)
      #expect(await other.ctl("status").status == ExitStatus.noPerm.rawValue)
    }

    @Test("--host and a socket here exclude each other; CAMRIG_HOST gives way to a socket that is named")
    func places() async throws {
      let both = await RemoteUser.nowhere("--host", "rig", "--socket", "/x", "status")
      #expect(both.status == ExitStatus.usage.rawValue)
      let named = await RemoteUser.nowhere("--socket", "/x/control.sock", "status", host: "rig")
      #expect(named.errors.contains("there is no /x/control.sock"), "\(named.errors)")
      let set = await RemoteUser.nowhere("status", host: "rig")
      #expect(set.errors.contains("has not paired with rig yet"), "\(set.errors)")
    }
  }
}
