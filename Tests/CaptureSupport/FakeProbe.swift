import CamrigModel
import Capture

/// Answers for each node what the test has put there; nothing else exists.
package final class FakeProbe: NodeProbe {
  private let answers = Guarded<[String: Result<NodeFacts, NodeProbeError>]>([:])
  private let asked = Guarded<[String]>([])

  package init() {}

  package func put(_ node: String, _ answer: Result<NodeFacts, NodeProbeError>) {
    answers.withLock { $0[node] = answer }
  }

  package var questions: [String] { asked.withLock { $0 } }

  package func probe(_ node: String) throws(NodeProbeError) -> NodeFacts {
    asked.withLock { $0.append(node) }
    return try (answers.withLock { $0[node] } ?? .failure(.gone)).get()
  }
}
