import CLinux
import Glibc

/// The signals that operate the service, delivered on a thread of their own, where everything may be called.
package final class Signals: Sendable {
  package enum Wish: Hashable, CaseIterable, Sendable {
    /// SIGTERM: systemd stops the service.
    case terminate
    /// SIGINT: Ctrl-C in a terminal.
    case interrupt
    /// SIGHUP: read the configuration again.
    case reload

    package var number: Int32 {
      switch self {
      case .terminate: SIGTERM
      case .interrupt: SIGINT
      case .reload: SIGHUP
      }
    }
  }

  private let worker: Worker
  private let stopEvent: Int32
  private let descriptor: Int32

  /// First thing in `main`, before there is any other thread: threads inherit it. A broken pipe and a file beyond
  /// the size limit are then errors of the call that met them, not the end of the program.
  package static func prepare() {
    block()
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Blocks the wishes in this thread and those that it starts; gives what was blocked before.
  @discardableResult
  private static func block() -> sigset_t {
    var wishes = sigset_t()
    var before = sigset_t()
    sigemptyset(&wishes)
    for wish in Wish.allCases { sigaddset(&wishes, wish.number) }
    pthread_sigmask(SIG_BLOCK, &wishes, &before)
    return before
  }

  /// `handler` is called on the signals' own thread, one signal after the other.
  package init(_ handler: @escaping @Sendable (Wish) -> Void) throws(DaemonError) {
    let numbers = Wish.allCases.map(\.number)
    let descriptor = cl_signalfd(numbers, Int32(numbers.count))
    guard descriptor >= 0 else { throw .descriptor("the descriptor of signals", -descriptor) }
    let stopEvent = cl_eventfd()
    guard stopEvent >= 0 else {
      close(descriptor)
      throw .descriptor("the event that ends the signals' thread", -stopEvent)
    }
    // The thread must never be without it: a signal that comes early would end the program.
    var before = Self.block()
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    do throws(DaemonError) {
      worker = try Worker("signals") {
        var entries = [descriptor, stopEvent].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
          guard poll(&entries, 2, -1) > 0 else { continue }
          while case let number = cl_next_signal(descriptor), number > 0 {
            if let wish = Wish.allCases.first(where: { $0.number == number }) { handler(wish) }
          }
          if entries[1].revents != 0 { return }
        }
      }
    } catch {
      close(descriptor)
      close(stopEvent)
      throw error
    }
    self.descriptor = descriptor
    self.stopEvent = stopEvent
  }

  /// As if the signal had come from outside.
  package func send(_ wish: Wish) { worker.signal(wish.number) }

  /// Once; not from within the handler.
  package func stop() {
    eventfd_write(stopEvent, 1)
    worker.join()
  }

  deinit {
    close(descriptor)
    close(stopEvent)
  }
}
