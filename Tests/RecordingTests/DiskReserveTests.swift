import Recording
import TestSupport
import Testing

@Suite("The disk reserve")
struct DiskReserveTests {
  private let reserve = DiskReserve(reserveBytes: 1000)

  private func state(_ free: UInt64, readOnly: Bool = false) -> DiskState {
    .present(DiskSpace(freeBytes: free, totalBytes: 1 << 20, isReadOnly: readOnly))
  }

  @Test("stops at the reserve and what the open clips need for their index")
  func low() {
    #expect(reserve.verdict(state(1500), indexBytes: 400) == .ample(timeLeft: nil))
    #expect(reserve.verdict(state(1400), indexBytes: 400) == .low(freeBytes: 1400, neededBytes: 1400))
    #expect(reserve.verdict(state(0)) == .low(freeBytes: 0, neededBytes: 1000))
  }

  @Test("tells the time left at the present rate")
  func timeLeft() {
    #expect(reserve.verdict(state(7000), bytesPerSecond: 100) == .ample(timeLeft: .seconds(60)))
  }

  @Test("knows a folder that is not there, or does not answer, from a full one")
  func missing() {
    #expect(reserve.verdict(.missing) == .missing)
    #expect(reserve.verdict(.failed(5)) == .failed(5))
    #expect(reserve.verdict(state(5000, readOnly: true)) == .readOnly)
    let folder = TemporaryDirectory()
    #expect(DiskState.read(folder.path + "/none") == .missing)
    guard case .present(let space) = DiskState.read(folder.path) else {
      Issue.record("a folder that is there has a volume")
      return
    }
    #expect(space.totalBytes > 0 && space.freeBytes <= space.totalBytes)
  }

  @Test("warns at 60, 15 and 5 minutes, once each")
  func warnings() {
    var warnings = TimeLeftWarnings()
    let left: [Duration] = [7200, 3700, 3600, 3500, 901, 900, 1000, 300, 20, 900].map { .seconds($0) }
    #expect(
      left.map { warnings.passed($0) } == [
        nil, nil, .seconds(3600), nil, nil, .seconds(900), nil, .seconds(300), nil, nil,
      ])
  }
}

@Suite("The mount table")
struct MountTableTests {
  private let table = MountTable(
    """
    22 1 8:1 / / ro,relatime shared:1 - ext4 /dev/sda1 rw
    30 22 8:17 / /srv/media\\040disk rw,noatime - vfat /dev/sdb1 rw
    31 22 8:18 / /srv/bad ro - ext4 /dev/sdc1 ro,errors=remount-ro
    32 22 8:1 /var/lib/camrig /var/lib/camrig rw,relatime shared:1 master:2 - ext4 /dev/sda1 rw
    broken line
    """)

  @Test("tells the sandbox's read-only from the volume's")
  func readOnly() {
    #expect(table.isReadOnlyForUsAlone("/srv/other"))
    #expect(!table.isReadOnlyForUsAlone("/srv/bad/takes"))
    #expect(!table.isReadOnlyForUsAlone("/var/lib/camrig/takes"))
    #expect(table.isReadOnlyForUsAlone("/var/lib/camrigger"))
  }

  @Test("reads blanks in names")
  func blanks() {
    #expect(table.mount(of: "/srv/media disk/a")?.type == "vfat")
  }

  @Test("words the sandbox's read-only with its cure")
  func words() {
    let text = RecordingError.readOnlyForService("/srv/usb").description
    #expect(text.contains("add ReadWritePaths=/srv/usb in a drop-in"))
    #expect(text.contains("/usr/share/doc/camrig/examples/media-directory.conf"))
  }
}
