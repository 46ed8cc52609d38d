import CamrigModel
import Glibc

/// Whether there is room to record: the volume keeps a reserve free, and beyond it what the running clips still
/// need to be finished.
package struct DiskReserve: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    /// Room; how long it lasts at the present rate, if there is one.
    case ample(timeLeft: Duration?)
    case low(freeBytes: UInt64, neededBytes: UInt64)
    case readOnly
    case missing
    case failed(Int32)
  }

  package var reserveBytes: UInt64

  package init(reserveBytes: UInt64) { self.reserveBytes = reserveBytes }

  /// - Parameters:
  ///   - indexBytes: what finishing the open clips will append.
  ///   - bytesPerSecond: as measured; 0 when nothing is recorded.
  package func verdict(_ state: DiskState, indexBytes: UInt64 = 0, bytesPerSecond: UInt64 = 0) -> Verdict {
    switch state {
    case .missing: return .missing
    case .failed(let number): return .failed(number)
    case .present(let space):
      if space.isReadOnly { return .readOnly }
      let needed = reserveBytes &+ indexBytes
      guard space.freeBytes > needed else { return .low(freeBytes: space.freeBytes, neededBytes: needed) }
      guard bytesPerSecond > 0 else { return .ample(timeLeft: nil) }
      let seconds = min((space.freeBytes - needed) / bytesPerSecond, 1 << 32)
      return .ample(timeLeft: .seconds(Int64(seconds)))
    }
  }

  /// Throws what keeps `byteCount` bytes from being written to a volume that is so.
  func check(_ state: DiskState, path: String, for byteCount: UInt64 = 0) throws(RecordingError) {
    switch verdict(state, indexBytes: byteCount) {
    case .ample: return
    case .low(let free, let needed): throw .diskLow(path: path, freeBytes: free, neededBytes: needed)
    case .readOnly: throw .of(EROFS, path)
    case .missing: throw .directoryMissing(path)
    case .failed(let number): throw .of(number, path)
    }
  }

  /// What the index of a clip takes: per picture its size, duration, keyframe flag and share of a chunk offset,
  /// per clip the boxes around them (rounded up).
  ///
  /// - Parameter soundPackets: pieces of sound as the movie holds them, of 1024 sample frames.
  package static func indexBytes(pictures: UInt64, soundPackets: UInt64 = 0, clips: Int) -> UInt64 {
    pictures &* 24 &+ soundPackets &* 5 &+ UInt64(clips) &* 8192
  }
}

/// Says once when the time left falls to 60, 15 and 5 minutes.
package struct TimeLeftWarnings: Sendable {
  private var said: Duration?

  package init() {}

  /// The bound that has been passed, if it has not been said yet.
  package mutating func passed(_ timeLeft: Duration) -> Duration? {
    let bounds: [Duration] = [.seconds(300), .seconds(900), .seconds(3600)]
    guard let bound = bounds.first(where: { timeLeft <= $0 }) else { return nil }
    if let said, said <= bound { return nil }
    said = bound
    return bound
  }
}
