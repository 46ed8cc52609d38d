import CLinux
import CamrigModel

/// Memory for pictures that is used again. A picture of 200 KB from `malloc` is mapped and unmapped by the
/// kernel each time; at 30 a second for eight cameras these page faults cost more than the copying.
package final class FramePool: Sendable {
  // Blocks are on the shelf or in one FrameBuffer, never both; the lock guards the shelf.
  private struct State: @unchecked Sendable { var free: [UnsafeMutableRawBufferPointer] = [] }
  private let state = Guarded(State())
  private let keep: Int

  /// - Parameter keep: how many unused blocks stay allocated; more are given back to the system.
  package init(keep: Int = 16) { self.keep = keep }

  deinit {
    state.withLock { for block in $0.free { block.deallocate() } }
  }

  /// A buffer of `count` bytes, filled by `fill`, which gets exactly these bytes (uninitialised).
  package func buffer(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) -> FrameBuffer {
    let block = take(count)
    fill(UnsafeMutableRawBufferPointer(rebasing: block[0..<count]))
    return FrameBuffer(block: block, count: count, pool: self)
  }

  package func buffer(copying bytes: UnsafeRawBufferPointer) -> FrameBuffer {
    buffer(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  private func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let found = state.withLock { state -> UnsafeMutableRawBufferPointer? in
      guard let index = state.free.lastIndex(where: { $0.count >= count }) else { return nil }
      return state.free.remove(at: index)
    }
    if let found { return found }
    // A quarter more, since the next picture is often a little larger; whole pages.
    let size = (count + count / 4 + 4095) & ~4095
    return UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 4096), alignment: 4096)
  }

  fileprivate func giveBack(_ block: UnsafeMutableRawBufferPointer) {
    let surplus = state.withLock { state -> UnsafeMutableRawBufferPointer? in
      state.free.append(block)
      // The smallest goes: small blocks are left over when pictures grow.
      guard state.free.count > keep,
        let index = state.free.indices.min(by: { state.free[$0].count < state.free[$1].count })
      else { return nil }
      return state.free.remove(at: index)
    }
    surplus?.deallocate()
  }
}

/// The bytes of one picture, in a block of a pool.
///
/// `@unchecked`: written once, before anyone else sees it.
package final class FrameBuffer: @unchecked Sendable {
  private let block: UnsafeMutableRawBufferPointer
  private let pool: FramePool
  let count: Int

  fileprivate init(block: UnsafeMutableRawBufferPointer, count: Int, pool: FramePool) {
    self.block = block
    self.count = count
    self.pool = pool
  }

  deinit { pool.giveBack(block) }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: block[0..<count]) }
}
