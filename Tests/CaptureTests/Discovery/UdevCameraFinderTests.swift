import DaemonKit
import TestSupport
import Testing

/// The registry with udev itself, in a test bed of umockdev and with emulated nodes. A process of its own: both are
/// preloaded.
@Suite("Cameras found through udev", .timeLimit(.minutes(5)))
struct UdevCameraFinderTests {
  private static let cameras = """
    [cam0]
    path = /dev/video0
    card = Front
    bus_info = usb-0000:00:14.0-1
    serial = 200901010001
    vendor = 046d
    product = 0825
    format = YUYV 320x240 30
    [meta]
    path = /dev/video1
    card = Front
    bus_info = usb-0000:00:14.0-1
    meta = 1
    [cam2]
    path = /dev/video2
    card = Side
    bus_info = usb-0000:00:14.0-2
    vendor = 1234
    product = 5678
    format = YUYV 320x240 30
    [cam3]
    path = /dev/video3
    card = Front
    bus_info = usb-0000:00:14.0-3
    serial = 200901010001
    vendor = 046d
    product = 0825
    plugged = 0
    format = YUYV 320x240 30

    """

  @Test(
    "those that are there, one that comes and one that goes; a metadata node is none, and no node is configured",
    .enabled(if: FakeCam.bed != nil, "libumockdev-dev is not installed"))
  func found() throws {
    let directory = TemporaryDirectory()
    try AtomicFile.write(Array(Self.cameras.utf8), to: directory.path + "/cameras.conf")
    try AtomicFile.write(Array("t=1 plug 3\nt=2 unplug 2\n".utf8), to: directory.path + "/script")
    let run = Program.run(
      try #require(FakeCam.bed),
      ["--", "\(FakeCam.builtDirectory)/CaptureProbe", "registry", directory.path + "/settings.json", "8", "20"],
      environment: [
        "FAKECAM_CONF": directory.path + "/cameras.conf", "FAKECAM_SCRIPT": directory.path + "/script",
        "FAKECAM_CTL": directory.path + "/ctl", "FAKECAM_ONLY": "CaptureProbe", "FAKECAM_VERBOSE": "1",
        "SWIFT_BACKTRACE": "enable=no",
      ])
    let (front, side) = ("usb-046d-0825-200901010001-00", "port-pci-0000:00:14.0-usb-0:2:1.0-00")
    let twin = "port-pci-0000:00:14.0-usb-0:3:1.0-00"
    let lines = run.lines.map { String($0.dropFirst().dropLast()) }
    #expect(Set(lines.prefix(4)) == ["appeared(\(front))", "online(\(front))", "appeared(\(side))", "online(\(side))"])
    #expect(lines.dropFirst(4).prefix(2) == ["appeared(\(twin))", "online(\(twin))"], "\(run.errors)")
    #expect(lines.contains("conflict([\(twin), \(front)])"))
    #expect(lines.contains("offline(\(side))"))
    #expect(lines.contains { $0.hasPrefix("camera \(front) idle") })
    #expect(lines.contains { $0.hasPrefix("camera \(side) offline") })
    #expect(lines.filter { $0.hasPrefix("camera ") }.count == 3)
    #expect(run.errors.contains("QUERYCAP"))
    #expect(!run.errors.contains("S_FMT") && !run.errors.contains("S_PARM") && !run.errors.contains("STREAMON"))
  }
}
