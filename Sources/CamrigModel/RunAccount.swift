/// What became of the pictures of one run of a camera's stream, as far as a take goes.
package struct RunAccount: Hashable, Codable, Sendable {
  /// See `StreamRun.number`.
  package var run: Int
  package var firstSequence: UInt64
  package var lastSequence: UInt64
  package var written: UInt64
  package var lost: [LossCause: UInt64]

  package init(
    run: Int, firstSequence: UInt64, lastSequence: UInt64, written: UInt64 = 0, lost: [LossCause: UInt64] = [:]
  ) {
    self.run = run
    self.firstSequence = firstSequence
    self.lastSequence = lastSequence
    self.written = written
    self.lost = lost
  }

  package var lostCount: UInt64 { lost.values.reduce(0, &+) }

  /// Every picture that the driver counted is written or lost, and none of them twice.
  package var isExact: Bool { lastSequence &- firstSequence &+ 1 == written &+ lostCount }
}

extension LossCause: CodingKeyRepresentable {}
