/// Asks a node what it is, with queries only (no `S_*` call, nothing started). May block; never called on an actor.
package protocol NodeProbe: Sendable {
  func probe(_ node: String) throws(NodeProbeError) -> NodeFacts
}

package enum NodeProbeError: Error, Hashable, Sendable {
  /// Not there or not allowed: udev may still be at work on it.
  case notYetOurs(String)
  /// Its driver lets one program open it, and that is another one.
  case busy(String)
  case gone
  case refused(String)
}
