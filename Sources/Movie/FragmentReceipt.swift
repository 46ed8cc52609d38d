/// Where a fragment was put. It is safe once a `sync()` that began later has returned.
package struct FragmentReceipt: Hashable, Sendable {
  /// From 0.
  package let index: Int
  package let offset: Int64
  /// With its closing box.
  package let byteCount: Int64
}
