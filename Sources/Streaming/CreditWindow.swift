import CamrigModel

/// What may be on its way to one monitor: so many pictures (or messages of another kind) and so many bytes that it has
/// not acknowledged. So nothing piles up in sockets and routers, where it would only grow old.
package struct CreditWindow: Sendable {
  /// What one acknowledgement says has arrived: one picture, or several in one.
  package struct Receipt: Hashable, Sendable {
    package let byteCount: Int
    /// The first of them.
    package let sent: MediaTime
    package let acknowledged: MediaTime

    package init(byteCount: Int, sent: MediaTime, acknowledged: MediaTime) {
      self.byteCount = byteCount
      self.sent = sent
      self.acknowledged = acknowledged
    }

    package var took: Duration { acknowledged - sent }
  }

  package static let sizes = 1...4

  private struct Flight {
    let sequence: UInt64
    let byteCount: Int
    let time: MediaTime
  }

  private var flights: [Flight] = []
  package private(set) var bytesInFlight = 0
  /// In pictures.
  package private(set) var size: Int
  package var byteLimit: Int
  private let range: ClosedRange<Int>

  /// - Parameter size: in pictures; beyond `range` it is the nearest of it.
  package init(size: Int, of range: ClosedRange<Int> = sizes, byteLimit: Int = .max) {
    self.range = range
    self.size = min(max(size, range.lowerBound), range.upperBound)
    self.byteLimit = byteLimit
  }

  package mutating func setSize(_ size: Int) {
    self.size = min(max(size, range.lowerBound), range.upperBound)
  }

  package var picturesInFlight: Int { flights.count }

  /// One picture may always be on its way, however large.
  package func hasRoom(for byteCount: Int) -> Bool {
    flights.isEmpty || flights.count < size && byteCount <= byteLimit - bytesInFlight
  }

  /// - Parameter sequence: larger than those before.
  package mutating func send(_ sequence: UInt64, byteCount: Int, at time: MediaTime) {
    flights.append(Flight(sequence: sequence, byteCount: byteCount, time: time))
    bytesInFlight += byteCount
  }

  /// All pictures up to this one have arrived. One that was acknowledged already, or never sent, changes nothing.
  package mutating func acknowledge(_ sequence: UInt64, at time: MediaTime) -> Receipt? {
    guard let index = flights.firstIndex(where: { $0.sequence == sequence }) else { return nil }
    let sent = flights[0].time
    let byteCount = flights[...index].reduce(0) { $0 + $1.byteCount }
    flights.removeFirst(index + 1)
    bytesInFlight -= byteCount
    return Receipt(byteCount: byteCount, sent: sent, acknowledged: time)
  }
}
