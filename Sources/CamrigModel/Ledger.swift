/// Where every picture of one camera went during a take: `last − first sequence + 1 = written + lost`, for each
/// run of its stream (DESIGN rule 2). Fed in the order of the stream.
///
/// It begins with the first picture kept. A picture delivered after Record that had to be dropped opens it too,
/// or nobody would learn of it; what the driver lost before that does not count.
package struct Ledger: Hashable, Sendable {
  /// In the order of the runs.
  package private(set) var runs: [RunAccount] = []
  /// When Record was pressed.
  private let start: MediaTime

  package init(start: MediaTime) { self.start = start }

  /// `count` pictures from `firstSequence` on are in a file.
  package mutating func wrote(run: Int, firstSequence: UInt64, count: UInt64 = 1) {
    guard count > 0 else { return }
    let index = account(of: run, firstSequence, count)
    runs[index].written &+= count
  }

  package mutating func lost(_ loss: Loss) {
    guard loss.count > 0, !runs.isEmpty || opens(loss) else { return }
    let index = account(of: loss.run, loss.firstSequence, loss.count)
    runs[index].lost[loss.cause, default: 0] &+= loss.count
  }

  /// Whether a loss that stands before the first kept picture begins the ledger.
  package func opens(_ loss: Loss) -> Bool {
    switch loss.cause {
    case .driverGap, .errorFlagged, .empty, .broken: false
    case .queueOverflow, .disk, .beforeKeyframe, .encoder: loss.time >= start
    }
  }

  package var isEmpty: Bool { runs.isEmpty }
  package var isExact: Bool { runs.allSatisfy(\.isExact) }
  package var written: UInt64 { runs.reduce(0) { $0 &+ $1.written } }
  package var lostCount: UInt64 { runs.reduce(0) { $0 &+ $1.lostCount } }

  package var lost: [LossCause: UInt64] {
    runs.reduce(into: [:]) { sum, run in sum.merge(run.lost) { $0 &+ $1 } }
  }

  // Sequences are compared by the sign of their wrapped difference, as a count that wraps demands.
  private mutating func account(of run: Int, _ first: UInt64, _ count: UInt64) -> Int {
    let last = first &+ count &- 1
    guard let index = runs.lastIndex(where: { $0.run == run }) else {
      runs.append(RunAccount(run: run, firstSequence: first, lastSequence: last))
      return runs.count - 1
    }
    if Int64(bitPattern: first &- runs[index].firstSequence) < 0 { runs[index].firstSequence = first }
    if Int64(bitPattern: last &- runs[index].lastSequence) > 0 { runs[index].lastSequence = last }
    return index
  }
}
