/// Who listens to a microphone, what each has had, and so who is to be told when sound comes. The newest chunks are kept
/// once for all, so that a picture on the same way delays sound and does not tear it; whoever falls behind them goes on
/// with the newest one, and what lies between is counted.
package struct SoundBoard {
  /// Chunks that are kept.
  package static let depth = 8

  private struct Listener {
    /// The number of the chunk that comes next for it.
    var next: Int64
    /// It asked in vain and waits to be told.
    var waits = false
    /// It has asked since it fell behind; for others alone nothing is made.
    var isFollowing = true
  }

  private var listeners: [Int: Listener] = [:]
  private var lastID = 0
  /// In order; the last one has the number `count - 1`.
  private var chunks: [SoundChunk] = []
  /// Chunks that have been, made or passed over.
  private var count: Int64 = 0
  /// Of a chunk, in parts of a second's sample frames, that was passed over.
  private var passedPart: Int64 = 0

  package init() {}

  package var listenerCount: Int { listeners.count }
  /// Somebody will take what is made.
  package var isSoundWanted: Bool { listeners.values.contains(where: \.isFollowing) }

  /// It hears what comes from now on.
  package mutating func add() -> Int {
    lastID += 1
    listeners[lastID] = Listener(next: count)
    return lastID
  }

  package mutating func remove(_ id: Int) {
    listeners[id] = nil
    if listeners.isEmpty { chunks = [] }
  }

  /// - Returns: who is to be told.
  package mutating func offer(_ chunk: SoundChunk) -> [Int] {
    count += 1
    chunks.append(chunk)
    if chunks.count > Self.depth { chunks.removeFirst() }
    var ready: [Int] = []
    for (id, listener) in listeners {
      if listener.waits {
        listeners[id]?.waits = false
        ready.append(id)
      } else if listener.next < oldest {
        listeners[id]?.isFollowing = false
      }
    }
    return ready
  }

  /// Sound that was not made into chunks, since nobody would have taken it.
  /// - Parameter rate: the microphone's.
  package mutating func pass(frames: Int, rate: Int) {
    chunks = []
    passedPart += Int64(frames) * Int64(SoundChunk.rate / SoundChunk.frames)
    count += passedPart / Int64(rate)
    passedPart %= Int64(rate)
  }

  /// The next chunk for a listener, and how many it missed before that. Nil: none yet; it will be told.
  package mutating func take(_ id: Int) -> (chunk: SoundChunk, skipped: Int)? {
    guard var listener = listeners[id] else { return nil }
    defer { listeners[id] = listener }
    listener.isFollowing = true
    guard listener.next < count, !chunks.isEmpty else {
      listener.waits = true
      return nil
    }
    let number = listener.next >= oldest ? listener.next : count - 1
    defer { listener.next = number + 1 }
    return (chunks[Int(number - oldest)], Int(number - listener.next))
  }

  /// Of the chunks that are kept.
  private var oldest: Int64 { count - Int64(chunks.count) }
}
