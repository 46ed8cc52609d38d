import Discovery
import Testing

@Suite("What the network is told of the rig")
struct RigAnnouncementTests {
  private static func rig(_ name: String) -> RigAnnouncement {
    RigAnnouncement(
      name: name, id: "1f2e3d4c", version: "0.3.0", fingerprint: "sha256:" + String(repeating: "ab", count: 32),
      port: 8470)
  }

  @Test("programs get its ID, name, version and key; browsers get a page by HTTPS")
  func services() {
    #expect(
      Self.rig("Stage").services == [
        AnnouncedService(
          type: "_camrig._tcp", port: 8470,
          text: [
            "txtvers=1", "id=1f2e3d4c", "name=Stage", "version=0.3.0",
            "fingerprint=sha256:abababababababababababababababababababababababababababababababab", "paired-only=1",
          ]),
        AnnouncedService(type: "_https._tcp", port: 8470, text: ["path=/"]),
      ])
  }

  @Test("a name fits the DNS: 63 bytes to be listed under, 255 for a text, never part of a character")
  func cut() {
    let long = Self.rig(String(repeating: "ü", count: 200))
    #expect(long.instance == String(repeating: "ü", count: 31))
    #expect(long.services[0].text[2] == "name=" + String(repeating: "ü", count: 125))
    #expect(Self.rig(String(repeating: "👩‍👩‍👧", count: 9)).instance == String(repeating: "👩‍👩‍👧", count: 3))
  }

  @Test(
    "a name is one line that can be read",
    arguments: [("Stage  left\n", "Stage left"), (" \u{7} ", "camrig"), ("", "camrig"), ("a\u{0}b", "a b")])
  func line(_ name: String, _ instance: String) {
    #expect(Self.rig(name).instance == instance)
    #expect(Self.rig(name).services[0].text[2] == "name=\(instance)")
  }
}
