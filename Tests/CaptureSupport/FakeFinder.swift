import CamrigModel
import Capture

/// Tells what the test says.
package final class FakeFinder: CameraFinder {
  private let observer = Guarded<(@Sendable (FinderEvent) -> Void)?>(nil)

  package init() {}

  package func start(_ observer: @escaping @Sendable (FinderEvent) -> Void) throws(FinderError) {
    self.observer.withLock { $0 = observer }
  }

  package func stop() { observer.withLock { $0 = nil } }

  package func tell(_ event: FinderEvent) { observer.withLock { $0 }?(event) }
}
