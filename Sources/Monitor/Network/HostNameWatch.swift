import CLinux
import Dispatch
import Glibc

/// Tells when this machine is called otherwise. The kernel says so of its file in /proc, by a priority event, which
/// sources of Dispatch do not know: an epoll set is readable when one of its own is there.
package final class HostNameWatch: Sendable {
  private static let path = "/proc/sys/kernel/hostname"
  // Dispatch sources may be used from any thread; they only do not say so.
  nonisolated(unsafe) private let source: any DispatchSourceRead

  /// Nil where the kernel does not tell.
  package init?(_ changed: @escaping @Sendable () -> Void) {
    let file = cl_open(Self.path, O_RDONLY, 0)
    guard file >= 0 else { return nil }
    let set = cl_epoll()
    guard set >= 0, cl_epoll_set(set, EPOLL_CTL_ADD, file, EPOLLPRI.rawValue, 0) == 0 else {
      close(file)
      if set >= 0 { close(set) }
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: set, queue: .global())
    source.setEventHandler {
      var id: UInt64 = 0
      var events: UInt32 = 0
      // Whoever looks first has the kernel count the change as told, and that was Dispatch: here it may be gone.
      _ = cl_epoll_wait(set, &id, &events, 1, 0)
      changed()
    }
    source.setCancelHandler {
      close(set)
      close(file)
    }
    source.activate()
  }

  deinit { source.cancel() }
}
