import Capture

/// Where there is nothing to be found.
struct NoFinder: CameraFinder {
  func start(_ observer: @escaping @Sendable (FinderEvent) -> Void) throws(FinderError) {}
  func stop() {}
}
