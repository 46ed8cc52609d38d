import CLinux
import CamrigModel
import DaemonKit
import Glibc
import TestSupport
import Testing

@Suite("What systemd is told")
struct SystemdTests {
  private let notify = NotifySocket()

  @Test("ready, reloading with its moment, stopping, status, watchdog and more time")
  func messages() {
    let clock = TestClock(media: MediaTime(nanoseconds: 5_000_001_999))
    let systemd = Systemd(Environment(["NOTIFY_SOCKET": notify.path]), clock: clock)
    systemd.ready("3 cameras")
    #expect(notify.next() == "READY=1\nSTATUS=3 cameras")
    systemd.reloading()
    #expect(notify.next() == "RELOADING=1\nMONOTONIC_USEC=5000001")
    systemd.status("recording\nWATCHDOG=trigger")
    #expect(notify.next() == "STATUS=recording WATCHDOG=trigger")
    systemd.extendTimeout(by: .seconds(30))
    #expect(notify.next() == "EXTEND_TIMEOUT_USEC=30000000")
    systemd.feedWatchdog()
    #expect(notify.next() == "WATCHDOG=1")
    systemd.stopping("finishing a take")
    #expect(notify.next() == "STOPPING=1\nSTATUS=finishing a take")
  }

  @Test("without systemd nothing is said and nothing fails")
  func alone() {
    let systemd = Systemd(Environment([:]))
    systemd.ready("x")
    #expect(systemd.watchdogInterval == nil && systemd.sockets == [])
    Systemd(Environment(["NOTIFY_SOCKET": "/nowhere/notify"])).ready("x")
    Systemd(Environment(["NOTIFY_SOCKET": "vsock:2:1"])).ready("x")
    #expect(notify.isEmpty)
  }

  @Test("an abstract socket is reached too")
  func abstract() {
    let name = "@camrig-test-\(getpid())-\(cl_monotonic_ns())"
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    #expect(cl_unix_bind(descriptor, name) == 0)
    Systemd(Environment(["NOTIFY_SOCKET": name])).status("x")
    var bytes = [UInt8](repeating: 0, count: 64)
    #expect(read(descriptor, &bytes, 64) == 8)
  }

  @Test("the watchdog's interval counts only if it is meant for this process")
  func interval() {
    func interval(_ values: [String: String]) -> Duration? { Systemd(Environment(values), pid: 42).watchdogInterval }
    #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
    #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42"]) == .seconds(30))
    #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "43"]) == nil)
    for wrong in ["", "0", "-1", "soon"] { #expect(interval(["WATCHDOG_USEC": wrong]) == nil) }
  }

  @Test("sockets are taken only if they are meant for this process")
  func sockets() {
    #expect(Systemd(Environment(["LISTEN_FDS": "1", "LISTEN_PID": "43"]), pid: 42).sockets == [])
    #expect(Systemd(Environment(["LISTEN_FDS": "-1", "LISTEN_PID": "42"]), pid: 42).sockets == [])
    #expect(Systemd(Environment(["LISTEN_FDS": "x", "LISTEN_PID": "42"]), pid: 42).sockets == [])
  }

  @Test("what a socket is for is told by its kind; what does not listen is for nothing")
  func kinds() {
    var pair: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let local = cl_unix_socket()
    defer { for descriptor in pair + [network, local] { close(descriptor) } }
    func kind(_ descriptor: Int32) -> InheritedSocket.Kind { InheritedSocket(descriptor: descriptor, name: "").kind }
    #expect(kind(network) == .other && kind(local) == .other)
    #expect(cl_unix_bind(local, "@camrig-kind-\(getpid())-\(cl_monotonic_ns())") == 0)
    #expect(listen(network, 1) == 0 && listen(local, 1) == 0)
    #expect(kind(network) == .network && kind(local) == .local)
    #expect(kind(pair[0]) == .other && kind(-1) == .other)
  }
}
