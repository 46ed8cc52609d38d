/// What a file system says of a name.
package enum FolderPresence: Hashable, Sendable {
  case there
  case gone
  /// It does not say: a disk that dies, a network volume that was lost. The system's number.
  case unknown(Int32)
}
