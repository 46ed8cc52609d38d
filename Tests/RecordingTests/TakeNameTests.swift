import CamrigModel
import Recording
import Testing

@Suite("Names of takes")
struct TakeNameTests {
  private func anchor(_ text: String, _ sync: ClockSync = .synchronised) -> ClockAnchor {
    ClockAnchor(media: MediaTime(nanoseconds: 0), wall: WallTime(rfc3339: text)!, sync: sync)
  }

  @Test("are in UTC, with the name as far as a file name allows")
  func utc() {
    let start = anchor("2026-11-30T09:05:07.9Z")
    #expect(TakeName.folder(start: start, name: nil, boot: "abcd1234", attempt: 1) == "20261130T090507Z")
    #expect(
      TakeName.folder(start: start, name: "Scene 4/Take: 2", boot: "abcd1234", attempt: 1)
        == "20261130T090507Z-Scene-4-Take-2")
    #expect(TakeName.folder(start: start, name: "…", boot: "abcd1234", attempt: 1) == "20261130T090507Z")
  }

  @Test("carry the boot's mark while the time of day cannot be trusted, so that 1970 does not collide")
  func untrusted() {
    let start = anchor("1970-01-01T00:00:20Z", .unsynchronised)
    let first = TakeName.folder(start: start, name: nil, boot: "abcd1234", attempt: 1)
    let second = TakeName.folder(start: start, name: nil, boot: "00ff00ff", attempt: 1)
    #expect(first == "19700101T000020Z-abcd1234")
    #expect(first != second)
  }

  @Test("have a next attempt where one is taken")
  func attempts() {
    let start = anchor("2026-11-30T09:05:07Z")
    let names = (1...3).map { TakeName.folder(start: start, name: "x", boot: "b", attempt: $0) }
    #expect(names == ["20261130T090507Z-x", "20261130T090507Z-x-2", "20261130T090507Z-x-3"])
  }

  @Test(
    "hold only characters that every file system takes, and never point elsewhere",
    arguments: [
      "../../etc", "a\u{0}b", "..", ".hidden", "CON: <>|?*\"", "Küche\n", String(repeating: "x", count: 300), "-rf",
    ])
  func safe(name: String) {
    guard let safe = TakeName.safe(name, limit: 48) else { return }
    #expect(safe.utf8.count <= 48)
    #expect(safe.utf8.first != UInt8(ascii: ".") && safe.utf8.first != UInt8(ascii: "-"))
    #expect(safe.utf8.allSatisfy { ($0 < 128) && ![0, 10, 34, 42, 47, 58, 60, 62, 63, 92, 124].contains($0) })
  }

  @Test("of clips are distinct for cameras of one name, also where case does not count")
  func stems() {
    let stems = TakeName.stems([(CameraID("a"), "Left"), (CameraID("b"), "left"), (CameraID("c:1"), "  ")])
    #expect(stems == [CameraID("a"): "Left", CameraID("b"): "left-2", CameraID("c:1"): "c-1"])
    #expect(TakeName.clip(stem: "Left", number: 7, fileExtension: "mov") == "Left-007.mov")
    #expect(TakeName.clip(stem: "Left", number: 1234, fileExtension: "mp4") == "Left-1234.mp4")
  }
}
