import CamrigModel
import Discovery
import Testing

@Suite("When the rig is registered with avahi, and as what")
struct AnnouncementPlanTests {
  private static let stage = RigAnnouncement(
    name: "Stage", id: "1f2e3d4c", version: "0.3.0", fingerprint: "sha256:ab", port: 8470)

  private static func plan() -> AnnouncementPlan { AnnouncementPlan { $0 + "+" } }

  /// One that is announced.
  private static func announced() -> AnnouncementPlan {
    var plan = plan()
    for event in [.wish(stage), .hostSettled("stage.local"), .established] as [AnnouncementPlan.Event] {
      _ = plan.next(event)
    }
    return plan
  }

  /// Without what is said.
  private static func deeds(_ steps: [AnnouncementPlan.Step]) -> [AnnouncementPlan.Step] {
    steps.filter { if case .say = $0 { false } else { true } }
  }

  private static func words(_ steps: [AnnouncementPlan.Step]) -> [String] {
    steps.compactMap { if case .say(let text) = $0 { text } else { nil } }
  }

  @Test("with nothing to announce nobody is asked")
  func nothing() {
    var plan = Self.plan()
    #expect(plan.next(.wish(nil)) == [])
    #expect(plan.status == nil)
  }

  @Test("it is registered as soon as the machine has its name, and is announced when avahi says so")
  func registers() {
    var plan = Self.plan()
    #expect(plan.next(.wish(Self.stage)) == [.connect])
    #expect(plan.next(.hostUnsettled) == [.withdraw])
    #expect(plan.next(.hostSettled("stage.local")) == [.register(name: "Stage", Self.stage)])
    #expect(plan.status == AnnouncementStatus(host: "stage.local"))
    #expect(plan.next(.established) == [.say("the rig is announced in the network as \"Stage\" at stage.local")])
    #expect(plan.status == AnnouncementStatus(name: "Stage", host: "stage.local"))
  }

  @Test("with avahi missing it waits to be told, and says so once")
  func absent() {
    var plan = Self.plan()
    _ = plan.next(.wish(Self.stage))
    let steps = plan.next(.daemonAbsent)
    #expect(Self.deeds(steps) == [])
    #expect(Self.words(steps).first?.contains("apt install avahi-daemon") == true)
    #expect(plan.status?.name == nil)
    #expect(plan.status?.message == Self.words(steps).first)
    #expect(plan.next(.daemonAbsent) == [])
    #expect(plan.next(.hostSettled("stage.local")) == [.register(name: "Stage", Self.stage)])
  }

  @Test("without D-Bus it tries again, after longer and longer pauses, and says so once")
  func noBus() {
    var plan = Self.plan()
    _ = plan.next(.wish(Self.stage))
    var pauses: [Duration] = []
    var said = 0
    for _ in 0..<9 {
      let steps = plan.next(.lost("no bus"))
      #expect(steps.first == .disconnect)
      for case .pause(let pause) in steps { pauses.append(pause) }
      said += Self.words(steps).count
      #expect(plan.next(.due) == [.connect])
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { Duration.seconds($0) })
    #expect(said == 1)
  }

  @Test("when avahi goes it is registered anew as soon as it is back, twenty times over")
  func restarts() {
    var plan = Self.announced()
    for _ in 0..<20 {
      #expect(Self.deeds(plan.next(.lost("gone"))) == [.disconnect, .pause(.milliseconds(100))])
      #expect(plan.status?.name == nil)
      #expect(plan.next(.due) == [.connect])
      #expect(Self.deeds(plan.next(.daemonAbsent)) == [])
      #expect(plan.next(.hostSettled("stage.local")) == [.register(name: "Stage", Self.stage)])
      #expect(Self.words(plan.next(.established)).count == 1)
      #expect(plan.status?.name == "Stage")
    }
  }

  @Test("where its name is taken it takes the next one, and says why")
  func renames() {
    var plan = Self.plan()
    _ = plan.next(.wish(Self.stage))
    _ = plan.next(.hostSettled("stage.local"))
    #expect(plan.next(.collision) == [.register(name: "Stage+", Self.stage)])
    #expect(plan.next(.collision) == [.register(name: "Stage++", Self.stage)])
    let words = Self.words(plan.next(.established))
    #expect(words.count == 1 && words[0].contains("another in this network is called \"Stage\""))
    #expect(plan.status?.name == "Stage++")
    #expect(plan.status?.message.contains("announced as \"Stage++\"") == true)
  }

  @Test("a name that it had to take is given up when avahi starts again, or calls the machine otherwise")
  func ownNameAgain() {
    for event in [.lost("gone"), .hostUnsettled] as [AnnouncementPlan.Event] {
      var plan = Self.announced()
      #expect(Self.deeds(plan.next(.collision)) == [.register(name: "Stage+", Self.stage)])
      _ = plan.next(.established)
      _ = plan.next(event)
      _ = plan.next(.due)
      #expect(plan.next(.hostSettled("stage-2.local")) == [.register(name: "Stage", Self.stage)])
      #expect(plan.status?.host == "stage-2.local")
    }
  }

  @Test("another version, port or name is registered; the same is not; a name that was taken stays for the others")
  func wishes() {
    var plan = Self.announced()
    #expect(plan.next(.wish(Self.stage)) == [])
    var other = Self.stage
    other.port = 8471
    _ = plan.next(.collision)
    #expect(plan.next(.wish(other)) == [.register(name: "Stage+", other)])
    other.name = "Studio"
    #expect(plan.next(.wish(other)) == [.register(name: "Studio", other)])
    #expect(plan.next(.wish(nil)) == [.disconnect])
    #expect(plan.status == nil)
    #expect(plan.next(.wish(other)) == [.connect])
  }

  @Test("where every name is taken, or avahi refuses, it rests with a sentence until something changes")
  func refused() {
    var plan = Self.plan()
    _ = plan.next(.wish(Self.stage))
    _ = plan.next(.hostSettled("stage.local"))
    var renames = 0
    while renames < 100, !Self.deeds(plan.next(.collision)).contains(.withdraw) { renames += 1 }
    #expect(renames == 50)
    #expect(plan.status?.message.hasPrefix("50 names were taken") == true)
    #expect(plan.next(.collision) == [])

    #expect(plan.next(.hostSettled("stage.local")) == [.register(name: "Stage", Self.stage)])
    let steps = plan.next(.refused("Not permitted"))
    #expect(steps == [.withdraw, .say("avahi-daemon does not announce the rig: Not permitted")])
    #expect(plan.status?.message == "avahi-daemon does not announce the rig: Not permitted")
  }

  @Test("what is still heard of a connection that was given up is nothing")
  func late() {
    var plan = Self.announced()
    _ = plan.next(.lost("gone"))
    for event in [.hostSettled("stage.local"), .established, .collision, .hostUnsettled, .lost("again")]
      as [AnnouncementPlan.Event]
    {
      #expect(plan.next(event) == [])
    }
  }
}
