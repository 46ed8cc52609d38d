import CLinux
import CamrigModel
import Glibc

/// Feeds systemd's watchdog from a thread that does nothing else, while every worker moves. So a slow disk kills
/// nothing as long as it stays within its worker's limit, and a dead-lock does.
package final class Watchdog: Sendable {
  private let clock: any RigClock
  private let heartbeats = Guarded<[ObjectIdentifier: Heartbeat]>([:])

  private struct Supervisor {
    var worker: Worker
    var stop: Int32
  }
  private let supervisor = Guarded<Supervisor?>(nil)

  package init(clock: any RigClock = SystemClock()) { self.clock = clock }

  /// A worker to watch, until `forget`. See `Heartbeat` for `limit`.
  package func watch(_ name: String, limit: Duration) -> Heartbeat {
    let heartbeat = Heartbeat(name, limit: limit, clock: clock)
    heartbeats.withLock { $0[ObjectIdentifier(heartbeat)] = heartbeat }
    return heartbeat
  }

  /// The worker has ended.
  package func forget(_ heartbeat: Heartbeat) {
    _ = heartbeats.withLock { $0.removeValue(forKey: ObjectIdentifier(heartbeat)) }
  }

  /// Those watched now, by name.
  package var watched: [Heartbeat] { heartbeats.withLock { $0.values.sorted { $0.name < $1.name } } }

  /// Starts the supervisor; nothing where systemd has asked for no watchdog.
  package func start(_ systemd: Systemd, log: Log) throws(DaemonError) {
    guard let interval = systemd.watchdogInterval else { return }
    let stop = cl_eventfd()
    guard stop >= 0 else { throw .descriptor("the watchdog's event", -stop) }
    let pause = Int32(clamping: max(1, interval.inNanoseconds / 2_000_000))
    let worker: Worker
    do throws(DaemonError) {
      worker = try Worker("watchdog") { [self] in
        var verdict = WatchdogVerdict()
        var entry = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
        repeat {
          let step = verdict.next(watched, at: clock.now)
          for report in step.reports { log.error(report) }
          if step.feed { systemd.feedWatchdog() }
        } while poll(&entry, 1, pause) <= 0
      }
    } catch {
      close(stop)
      throw error
    }
    supervisor.withLock { $0 = Supervisor(worker: worker, stop: stop) }
  }

  package func stop() {
    let running = supervisor.withLock { supervisor in
      defer { supervisor = nil }
      return supervisor
    }
    guard let running else { return }
    eventfd_write(running.stop, 1)
    running.worker.join()
    close(running.stop)
  }
}
