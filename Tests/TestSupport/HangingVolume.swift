import DaemonKit
import Dispatch

/// A volume that answers nobody until this object lets it.
package final class HangingVolume: Sendable {
  private let gate = DispatchSemaphore(value: 0)

  package init(_ volume: Volume) {
    for line in [volume.questions, volume.reading] { line.perform { [gate] in gate.wait() } }
  }

  package func answer() { for _ in 0..<2 { gate.signal() } }

  deinit { answer() }
}
