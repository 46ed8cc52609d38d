/// Tells which nodes of video4linux there are, now and later.
package protocol CameraFinder: Sendable {
  /// `observer` is called from the finder's thread, first with `.all`. Call once.
  func start(_ observer: @escaping @Sendable (FinderEvent) -> Void) throws(FinderError)

  /// No call of the observer after this.
  func stop()
}

package enum FinderEvent: Hashable, Sendable {
  /// All that are there; any other is gone.
  case all([FoundNode])
  /// Came, or says something new of itself.
  case present(FoundNode)
  case removed(sysPath: String)
}

package enum FinderError: Error, Hashable, Sendable, CustomStringConvertible {
  case udev(call: String, errno: Int32)
  case noResources(CaptureError)

  package var description: String {
    switch self {
    case .udev(let call, let errno):
      "Cameras cannot be found: udev refused \(call) (error \(errno)). Is systemd-udevd running, and may the service "
        + "use netlink (RestrictAddressFamilies=AF_NETLINK)?"
    case .noResources(let error): "Cameras cannot be found: \(error)"
    }
  }
}
