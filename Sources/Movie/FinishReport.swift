/// What `finish()` did.
package struct FinishReport: Hashable, Sendable {
  package let fragmentCount: Int
  /// Of the whole file.
  package let byteCount: Int64
  /// 0 for a clip without a fragment: it stays as it is, since an index of nothing is refused by players.
  package let indexByteCount: Int64
}
