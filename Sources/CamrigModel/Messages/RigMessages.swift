/// The rig's state at one revision; merge patches follow.
package struct StateSnapshot: Codable, Sendable {
  package var revision: Int64
  package var state: JSONValue

  package init(revision: Int64, state: JSONValue) {
    self.revision = revision
    self.state = state
  }
}

/// What comes back as it is, beside any other member.
package struct ClockPing: Codable, Sendable {
  package var t: JSONValue?
  package init(t: JSONValue? = nil) { self.t = t }
}

package struct ClockPong: Codable, Sendable {
  package var t: JSONValue?
  package var wall: WallTime

  package init(t: JSONValue? = nil, wall: WallTime) {
    self.t = t
    self.wall = wall
  }
}
