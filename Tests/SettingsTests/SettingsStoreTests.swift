import CamrigModel
import DaemonKit
import Glibc
import Settings
import TestSupport
import Testing

@Suite("What users chose")
struct SettingsStoreTests {
  private let directory = TemporaryDirectory()
  private let sink = RecordingLogSink()
  private let clock = TestClock()
  private var path: String { directory.path + "/settings.json" }
  private let front = CameraID("usb-046d-0825-A1-00")

  private func store() -> SettingsStore { SettingsStore(path: path, log: sink.log, clock: clock) }

  private func put(_ bytes: [UInt8], at path: String? = nil) throws {
    try AtomicFile.write(bytes, to: path ?? self.path)
  }

  private func text(_ path: String) -> String? {
    (try? AtomicFile.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func camera(_ name: String) -> CameraSettings {
    CameraSettings(
      name: name, recognition: .serial, fingerprint: CameraFingerprint(vendor: "046d", product: "0825", serial: "A1"),
      place: CameraPlace(.usbPort, "pci-0000:00:14.0-usb-0:1:1.0", interface: "00"))
  }

  @Test("are the defaults where there is no file, and no file is made of that")
  func fresh() {
    #expect(store().current == RigSettings())
    #expect(access(path, F_OK) != 0)
    #expect(sink.lines.isEmpty)
  }

  @Test("are in the file when the change returns")
  func durable() throws {
    let first = store()
    try first.update { $0.cameras[front] = camera("Front") }
    #expect(store().current == first.current)
    #expect(store().current.cameras[front]?.name == "Front")
  }

  @Test("are not changed where the disk refuses")
  func refused() throws {
    let first = SettingsStore(path: directory.path + "/gone/settings.json", log: sink.log)
    #expect(throws: SettingsError.self) { try first.update { $0.cameras[front] = camera("Front") } }
    #expect(first.current == RigSettings())
  }

  private static let spoilt: [(String, [UInt8])] = [
    ("empty", []),
    ("NULs", [UInt8](repeating: 0, count: 4096)),
    ("truncated", Array(#"{"version":1,"cameras":{"usb-046d-08"#.utf8)),
    ("no JSON", Array("name = Front".utf8)),
    ("of another kind", Array("[1,2]".utf8)),
    (
      "wrong types",
      Array(
        #"{"cameras":{"a":{"recognition":"serial","place":{"kind":"bus","path":"x","interface":""},"enabled":"yes"}}}"#
          .utf8)
    ),
    ("no UTF-8", [0x7B, 0xAE, 0x7D]),
    ("deep", [UInt8](repeating: 0x5B, count: 100_000)),
  ]

  @Test("fall back to the version before, and the file is kept aside and never overwritten", arguments: spoilt)
  func unreadable(kind: String, bytes: [UInt8]) throws {
    let first = store()
    try first.update { $0.cameras[front] = camera("Front") }
    try first.update { $0.cameras[front]?.name = "Left" }
    try put(bytes)

    let second = store()
    #expect(second.current.cameras[front]?.name == "Front")
    #expect(sink.lines.count == 1)
    #expect(sink.lines.first?.event == .settingsSetAside)
    #expect(sink.lines.first?.message.contains("The version before the last change is used.") == true)
    let aside = path + ".unreadable-20261130T090507Z"
    #expect(try AtomicFile.read(aside) == bytes)

    try second.update { $0.cameras[front]?.name = "Right" }
    #expect(try AtomicFile.read(aside) == bytes)
    #expect(store().current.cameras[front]?.name == "Right")
  }

  @Test("are the defaults where the version before is unreadable too")
  func bothUnreadable() throws {
    try put([])
    try put([0, 0, 0], at: path + ".previous")
    #expect(store().current == RigSettings())
    #expect(sink.lines.first?.message.contains("have their defaults") == true)
  }

  @Test("set aside twice in a second are both kept")
  func twice() throws {
    try put([0])
    _ = store()
    try put([0, 0])
    _ = store()
    #expect(try AtomicFile.read(path + ".unreadable-20261130T090507Z") == [0])
    #expect(try AtomicFile.read(path + ".unreadable-20261130T090507Z-1") == [0, 0])
  }

  @Test("that cannot be moved aside are not overwritten either")
  func stuck() throws {
    mkdir(path, 0o755)
    try put([1], at: path + "/something")
    let first = store()
    if access(path, F_OK) == 0 {
      #expect(throws: SettingsError.self) { try first.update { $0.cameras[front] = camera("Front") } }
    }
    #expect(text(path + "/something") ?? text(path + ".unreadable-20261130T090507Z/something") != nil)
  }

  @Test("come from the version before where the file is gone")
  func onlyPrevious() throws {
    let first = store()
    try first.update { $0.cameras[front] = camera("Front") }
    #expect(rename(path, path + ".previous") == 0)
    #expect(store().current.cameras[front]?.name == "Front")
    #expect(sink.lines.count == 1)
    _ = store()
    #expect(sink.lines.count == 1)
  }

  @Test("have a default for every key but how a camera is known again")
  func missingKeys() throws {
    try put(Array(#"{"cameras":{"a":{"recognition":"place","place":{"kind":"bus","path":"x","interface":""}}}}"#.utf8))
    let camera = store().current.cameras[CameraID("a")]
    #expect(camera?.enabled == true)
    #expect(camera?.wish == FormatWish())
    #expect(sink.lines.isEmpty)
  }

  @Test("keep the keys that a later release wrote, and the file as it was")
  func laterRelease() throws {
    let later = #"""
      {"version":7,"theme":{"dark":true,"steps":[1,2.5,null]},
       "cameras":{"a":{"recognition":"place","place":{"kind":"bus","path":"x","interface":""},"mirror":true}}}
      """#
    try put(Array(later.utf8))
    let first = store()
    #expect(sink.lines.count == 1)
    try first.update { $0.cameras[CameraID("a")]?.name = "Side" }
    let kept = text(path) ?? ""
    #expect(kept.contains(#""mirror" : true"#))
    #expect(kept.contains(#""dark" : true"#))
    #expect(kept.contains("2.5"))
    #expect(text(path + ".version-7") == later)
    #expect(store().current.cameras[CameraID("a")]?.name == "Side")
    #expect(sink.lines.count == 1)
  }

  @Test("changed from many threads at once are all kept")
  func manyThreads() async throws {
    let first = store()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try first.update {
            $0.cameras[CameraID("c\(number)")] = CameraSettings(
              name: "c", recognition: .place, fingerprint: CameraFingerprint(), place: CameraPlace(.bus, "\(number)"))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(store().current.cameras.count == 20)
  }
}
