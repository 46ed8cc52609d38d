import CamrigModel

/// What the finder's thread leaves for the registry. Bounded by the number of nodes: of each only what is true now is
/// kept, and whether it was away meanwhile.
final class NodeMailbox: Sendable {
  struct Batch {
    /// Nodes that are not in `present` are gone.
    var isComplete = false
    /// Gone, or gone and back.
    var removed: Set<String> = []
    var present: [String: FoundNode] = [:]

    var isEmpty: Bool { !isComplete && removed.isEmpty && present.isEmpty }
  }

  /// A value each time that something waits.
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let batch = Guarded(Batch())

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func put(_ event: FinderEvent) {
    batch.withLock { batch in
      switch event {
      case .all(let nodes):
        batch.isComplete = true
        batch.present = [:]
        for node in nodes { batch.present[node.sysPath] = node }
      case .present(let node):
        batch.present[node.sysPath] = node
      case .removed(let sysPath):
        batch.present[sysPath] = nil
        batch.removed.insert(sysPath)
      }
    }
    signal.yield()
  }

  func drain() -> Batch {
    batch.withLock { batch in
      defer { batch = Batch() }
      return batch
    }
  }

  func close() { signal.finish() }
}
