/// What a monitor may do; each may what the one before it may.
package enum AccessRole: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
  /// See: pictures, status, takes; select a camera for itself.
  case viewer
  /// Record, set.
  case `operator`
  /// Pair and revoke monitors, change settings of the rig.
  case admin

  package static func < (a: AccessRole, b: AccessRole) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .viewer: 0
    case .operator: 1
    case .admin: 2
    }
  }

  /// Whether somebody of this role may do what needs `needed`.
  package func allows(_ needed: AccessRole) -> Bool { self >= needed }
}
