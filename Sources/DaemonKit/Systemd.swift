import CLinux
import CamrigModel
import Glibc

/// What the service tells systemd (sd_notify(3)). Does nothing where systemd has not started us.
/// Spoken by ourselves: it is one datagram, and a test can listen.
package struct Systemd: Sendable {
  private let socket: String?
  private let clock: any RigClock
  /// How often systemd wants to hear of us; nil where it has asked for no watchdog.
  package let watchdogInterval: Duration?
  /// Sockets that systemd handed over (sd_listen_fds(3)).
  package let sockets: [InheritedSocket]

  package init(_ environment: Environment, clock: any RigClock = SystemClock(), pid: Int32 = getpid()) {
    self.clock = clock
    socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    func isForUs(_ name: String) -> Bool { environment[name].map { Int32($0) == pid } ?? true }
    watchdogInterval =
      isForUs("WATCHDOG_PID")
      ? environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    let count = isForUs("LISTEN_PID") ? environment["LISTEN_FDS"].flatMap { Int32($0) } ?? 0 : 0
    // SD_LISTEN_FDS_START is 3.
    let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
    sockets = (0..<max(0, min(count, 16))).map { index in
      InheritedSocket(descriptor: 3 + index, name: Int(index) < names.count ? String(names[Int(index)]) : "")
    }
    for socket in sockets { _ = fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC) }
  }

  /// The rig works, with whatever cameras there are. Also the end of a reload.
  package func ready(_ status: String) { notify("READY=1\nSTATUS=\(line(status))") }

  package func reloading() { notify("RELOADING=1\nMONOTONIC_USEC=\(clock.now.nanoseconds / 1000)") }

  package func stopping(_ status: String) { notify("STOPPING=1\nSTATUS=\(line(status))") }

  /// What `systemctl status` shows.
  package func status(_ text: String) { notify("STATUS=\(line(text))", waits: false) }

  package func feedWatchdog() { notify("WATCHDOG=1", waits: false) }

  /// Start, reload or stop may take until `time` from now; to be said again before that.
  package func extendTimeout(by time: Duration) { notify("EXTEND_TIMEOUT_USEC=\(time.inNanoseconds / 1000)") }

  /// - Parameter waits: false for what comes again soon; a systemd that is behind must not hold us up.
  private func notify(_ text: String, waits: Bool = true) {
    guard let socket else { return }
    // A systemd that does not listen is no trouble of the rig's, and there is nobody else to tell.
    _ = Array(text.utf8).withUnsafeBytes { cl_datagram(socket, $0.baseAddress, $0.count, waits ? 1 : 0) }
  }

  private func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}
