/// What a movie file was found to hold.
package struct MovieFile: Sendable {
  package enum State: Hashable, Sendable {
    /// Not finished: front `moov` and fragments.
    case recording
    /// The index stands behind the fragments, the switch has not been made.
    case indexed
    /// A plain movie.
    case finished
    /// Finished once, but the index is cut or broken; the fragments are there for repair.
    case indexLost
    /// Not finished, without one whole fragment.
    case noFragments
    /// Not a clip of ours, or its first bytes are gone.
    case damaged(String)
  }

  package let state: State
  package let byteCount: Int64
  /// From the index if the file is finished or indexed, else from the whole fragments.
  package let tracks: [TrackContent]
  /// What the clip is, as its writer wrote; nil if the header is damaged.
  package let clipNote: [UInt8]?
  /// In the order of the file, also those of a finished file, which players do not see.
  package let fragments: [FragmentInfo]
  package let holes: [MovieHole]
  /// Of a finished or indexed file: whether the index says what the whole fragments say.
  package let agreesWithFragments: Bool?

  /// Where the first byte stands that belongs to no whole fragment, index or header.
  package var firstBadOffset: Int64? {
    let bad = fragments.first { !$0.checksumHolds }?.offset
    return [bad, holes.first?.bytes.lowerBound].compactMap { $0 }.min()
  }
}
