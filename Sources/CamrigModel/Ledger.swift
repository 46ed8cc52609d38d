/// Where every picture of one camera went during a take: `last − first sequence + 1 = written + lost`, for each
/// run of its stream (DESIGN rule 2). Fed in the order of the stream.
///
/// It begins with the first picture kept. A picture delivered after Record that had to be dropped opens it too,
/// or nobody would learn of it; what the driver lost before that does not count.
package struct Ledger: Hashable, Sendable {
  /// In the order of the runs.
  package private(set) var runs: [RunAccount] = []
  /// When Record was pressed; nil: the ledger of a part of a take, in which every loss counts.
  private let start: MediaTime?

  package init(start: MediaTime) { self.start = start }

  /// Of a part of a take, such as one clip.
  package init() { start = nil }

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
    guard let start else { return true }
    return switch loss.cause {
    case .driverGap, .errorFlagged, .empty, .broken: false
    case .queueOverflow, .disk, .beforeKeyframe, .encoder: loss.time >= start
    }
  }

  /// Adds what another part of the same take tells.
  package mutating func add(_ part: [RunAccount]) {
    for run in part {
      let index = account(of: run.run, run.firstSequence, run.lastSequence &- run.firstSequence &+ 1)
      runs[index].written &+= run.written
      runs[index].lost.merge(run.lost) { $0 &+ $1 }
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
