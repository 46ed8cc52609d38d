import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("Found by others in the network", .enabled(if: AvahiNetwork.isPossible, "needs root, avahi and namespaces"))
  struct Discovery {
    private static func daemon() -> TestDaemon {
      TestDaemon(TestDaemon.ownKeys + "[Rig]\nName=Stage\n", demo: 0, listen: "*:0")
    }

    private static func announcement(_ daemon: TestDaemon) async throws -> AnnouncementStatus? {
      try await daemon.json("status", as: RigStatus.self).network?.announcement
    }

    @Test("another machine finds it with its port, ID and key, and again each time avahi was restarted")
    func found() async throws {
      let network = try await AvahiNetwork()
      for machine in [network.rig, network.other] {
        try await machine.startBus()
        try await machine.startAvahi()
      }
      let daemon = Self.daemon()
      try await daemon.start(environment: network.rig.environment)
      let status = try #require(try await daemon.json("status", as: RigStatus.self).network)
      let port = try #require(status.urls.first?.dropLast().split(separator: ":").last)
      for round in 0..<3 {
        if round > 0 {
          await network.rig.stopAvahi()
          try await wait("the end of avahi") { try await Self.announcement(daemon)?.message != "" }
          try await network.rig.startAvahi()
        }
        try await wait("the announcement") {
          try await Self.announcement(daemon) == AnnouncementStatus(name: "Stage", host: "rig.local")
        }
        let found = await network.other.browse("_camrig._tcp")["Stage"]
        #expect(found?.host == "rig.local")
        #expect(found?.port == String(port))
        #expect(found?.text.contains("\"fingerprint=\(status.fingerprint)\"") == true)
        #expect(found?.text.contains("\"version=\(Version.text)\" ") == true)
        #expect(found?.text.contains("\"paired-only=1\"") == true)
        #expect(await network.other.browse("_https._tcp")["Stage"]?.port == String(port))
      }
      // What it takes back is gone at once.
      daemon.configure(TestDaemon.ownKeys + "[Rig]\nName=Stage\n[Network]\nAnnounce=no\n")
      daemon.signal(SIGHUP)
      try await wait("the end of the announcement") { try await Self.announcement(daemon) == nil }
      try await wait("nothing to be found") { await network.other.browse("_camrig._tcp").isEmpty }
      await network.end()
    }

    @Test("where its name is taken it takes the next, says which, and does not take itself for another afterwards")
    func collision() async throws {
      let network = try await AvahiNetwork()
      for machine in [network.rig, network.other] {
        try await machine.startBus()
        try await machine.startAvahi()
      }
      let other = try await network.other.publish("Stage", "_camrig._tcp", port: 1)
      let daemon = Self.daemon()
      try await daemon.start(environment: network.rig.environment)
      for _ in 0..<2 {
        try await wait("the other name") { try await Self.announcement(daemon)?.name == "Stage #2" }
        #expect(try await Self.announcement(daemon)?.message.contains("another in this network") == true)
        #expect(await Set(network.other.browse("_camrig._tcp").keys) == ["Stage", "Stage\\032\\0352"])
        await network.rig.stopAvahi()
        try await wait("the end of avahi") { try await Self.announcement(daemon)?.name == nil }
        try await network.rig.startAvahi()
      }
      // With the other gone, its own name is its own again.
      try await wait("the other name") { try await Self.announcement(daemon)?.name == "Stage #2" }
      other.signal(SIGTERM)
      _ = await other.ended(seconds: 20)
      await network.rig.stopAvahi()
      try await wait("the end of avahi") { try await Self.announcement(daemon)?.name == nil }
      try await network.rig.startAvahi()
      try await wait("its name") {
        try await Self.announcement(daemon) == AnnouncementStatus(name: "Stage", host: "rig.local")
      }
      await network.end()
    }

    @Test("it starts before D-Bus and avahi are there, says so once, and is announced when they come")
    func late() async throws {
      let network = try await AvahiNetwork()
      let daemon = Self.daemon()
      try await daemon.start(environment: network.rig.environment)
      try await wait("what is missing") {
        try await Self.announcement(daemon)?.message.contains("apt install avahi-daemon") == true
      }
      try await network.rig.startBus()
      try await network.rig.startAvahi()
      try await wait("the announcement") { try await Self.announcement(daemon)?.name == "Stage" }
      #expect(daemon.log.filter { $0.contains("apt install avahi-daemon") }.count == 1, "\(daemon.log)")
      #expect(await daemon.ctl("status").text.contains("announced as  Stage (rig.local)"))
      await network.end()
    }

    @Test("who listens on this machine only is not announced")
    func loopback() async throws {
      let network = try await AvahiNetwork()
      try await network.rig.startBus()
      try await network.rig.startAvahi()
      let daemon = TestDaemon(TestDaemon.ownKeys, demo: 0, listen: "127.0.0.1:0 [::1]:0")
      try await daemon.start(environment: network.rig.environment)
      #expect(try await Self.announcement(daemon) == nil)
      #expect(await network.rig.browse("_camrig._tcp").isEmpty)
      await network.end()
    }
  }
}
