/// How a clip became a plain movie.
package struct RepairReport: Hashable, Sendable {
  /// Indexed: those whose checksum holds.
  package let fragmentCount: Int
  /// Of the whole file now.
  package let byteCount: Int64
  /// Broken fragments between whole ones; their bytes are still there.
  package let holes: [MovieHole]
  /// Bytes behind the last whole fragment that are no fragment, still in the file.
  package let keptTail: Range<Int64>?
  /// Zeros at the end of the file that were cut off: what a file system leaves after a power cut.
  package let zerosCut: Int64
  /// The first bytes were damaged and came back from a copy.
  package let headerRestored: Bool
}
