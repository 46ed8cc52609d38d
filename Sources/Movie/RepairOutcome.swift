/// What `MovieRepair` found and did.
package enum RepairOutcome: Hashable, Sendable {
  /// A plain movie; not a byte was written.
  case alreadyFinished
  case repaired(RepairReport)
  /// No fragment is whole. The file is left as it is; players refuse it, so it should not be offered to them.
  case empty(String)
  /// Not a clip of ours, or its header is gone. The file is left as it is.
  case notRepairable(String)
}
