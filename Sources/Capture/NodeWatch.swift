import CamrigModel
import CLinux
import Glibc

/// Tells when another program lets go of a node, or its owner or mode change: a camera that is busy or locked is
/// tried again at that moment, and not by asking again and again.
package final class NodeWatch: Sendable {
  package enum Interest: Hashable, Sendable {
    /// Somebody closed it. Only for a node that we do not open and close ourselves meanwhile.
    case closing
    case permission
    /// Somebody wrote to it.
    case writing
    /// Of a folder: something in it has come or gone.
    case naming

    fileprivate var mask: UInt32 {
      switch self {
      case .closing: UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE | IN_ATTRIB)
      case .permission: UInt32(IN_ATTRIB)
      case .writing: UInt32(IN_MODIFY)
      case .naming: UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
      }
    }
  }

  private struct State {
    var watches: [String: (descriptor: Int32, interest: Interest)] = [:]
    var thread: CaptureThread?
  }

  private let inotify: Int32
  private let wake: WakeEvent
  private let state = Guarded(State())

  /// - Parameter touched: called from a thread of its own, with the node.
  package init(touched: @escaping @Sendable (String) -> Void) throws(CaptureError) {
    inotify = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard inotify >= 0 else { throw .noResources(what: "inotify instance", errno: errno) }
    do throws(CaptureError) {
      wake = try WakeEvent()
    } catch {
      close(inotify)
      throw error
    }
    let (inotify, wake) = (inotify, wake)
    let thread = try CaptureThread(name: "nodes") { [weak self] in
      Self.run(inotify, wake) { descriptor in
        let node = self?.state.withLock { state in state.watches.first { $0.value.descriptor == descriptor }?.key }
        if let node { touched(node) }
      }
    }
    state.withLock { $0.thread = thread }
  }

  deinit {
    stop()
    close(inotify)
  }

  /// Nil ends the watch. A node that cannot be watched is one that is gone.
  /// True: it is watched from now on, so whoever looks at it now misses nothing that comes after.
  @discardableResult
  package func watch(_ node: String, for interest: Interest?) -> Bool {
    state.withLock { state in
      if state.watches[node]?.interest == interest { return false }
      if let old = state.watches.removeValue(forKey: node) { inotify_rm_watch(inotify, old.descriptor) }
      guard let interest else { return false }
      let descriptor = inotify_add_watch(inotify, node, interest.mask)
      if descriptor >= 0 { state.watches[node] = (descriptor, interest) }
      return descriptor >= 0
    }
  }

  /// As `watch`, and also where another node has come to stand under this name since.
  package func renew(_ node: String, for interest: Interest) {
    state.withLock { state in
      // The same node has the same descriptor.
      let descriptor = inotify_add_watch(inotify, node, interest.mask)
      if let old = state.watches.removeValue(forKey: node), old.descriptor != descriptor {
        inotify_rm_watch(inotify, old.descriptor)
      }
      if descriptor >= 0 { state.watches[node] = (descriptor, interest) }
    }
  }

  /// Nothing is told after this.
  package func stop() {
    wake.signal()
    state.withLock { state in
      defer { state.thread = nil }
      return state.thread
    }?.join()
  }

  private static func run(_ inotify: Int32, _ wake: WakeEvent, _ touched: (Int32) -> Void) {
    var waits = [
      pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // Room for many events: a node's is as large as its header, a folder's has a name.
    var buffer = [UInt8](repeating: 0, count: 4096)
    let header = MemoryLayout<inotify_event>.size
    while true {
      guard poll(&waits, 2, -1) >= 0 || errno == EINTR else { return }
      if wake.drain() { return }
      let count = read(inotify, &buffer, buffer.count)
      guard count >= header else { continue }
      // Several closings at once are one reason to look.
      var seen: Set<Int32> = []
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset + header <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          if event.mask & UInt32(IN_IGNORED) == 0 { seen.insert(event.wd) }
          offset += header + Int(event.len)
        }
      }
      for descriptor in seen.sorted() { touched(descriptor) }
    }
  }
}
