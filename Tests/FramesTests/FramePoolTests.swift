import Frames
import Testing

@Suite("Memory for pictures")
struct FramePoolTests {
  private func address(_ frame: Frame) -> UnsafeRawPointer? { frame.unsafeBytes.baseAddress }

  @Test("a frame has exactly the bytes that were put into it")
  func keepsBytes() {
    let pool = FramePool()
    let source: [UInt8] = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let buffer = source.withUnsafeBytes { pool.buffer(copying: $0) }
    let frame = Frame(
      buffer, format: .mjpeg, size: .init(width: 8, height: 8), presentationTime: .init(nanoseconds: 0), run: 1,
      sequence: 0, isKeyframe: true)
    #expect(frame.byteCount == 5000)
    #expect(frame.withBytes { Array($0) } == source)
  }

  @Test("memory is used again once its last holder lets go, and not before")
  func reuses() {
    let pool = FramePool()
    var first: Frame? = frame(1, pool: pool)
    let used = first.flatMap(address)
    let second = frame(2, pool: pool)
    #expect(address(second) != used)
    first = nil
    let third = frame(3, pool: pool)
    #expect(address(third) == used)
    #expect(second.withBytes { $0.allSatisfy { $0 == 2 } })
  }

  @Test("frames outlive their pool")
  func outlivesPool() {
    var pool: FramePool? = FramePool()
    let kept = pool.map { frame(9, pool: $0) }
    pool = nil
    #expect(kept?.withBytes { $0.allSatisfy { $0 == 9 } } == true)
  }

  @Test("a block that is too small is not used for a larger picture")
  func growsWithPictures() {
    let pool = FramePool()
    for round in UInt64(1)...20 {
      let large = frame(round, bytes: Int(round) * 10_000, pool: pool)
      #expect(large.withBytes { $0.count == Int(round) * 10_000 && $0.allSatisfy { $0 == UInt8(round) } })
    }
  }

  @Test("only so many unused blocks are kept")
  func boundsShelf() {
    let pool = FramePool(keep: 2)
    var frames = (0..<8).map { frame($0, pool: pool) }
    let used = Set(frames.compactMap(address))
    #expect(used.count == 8)
    frames.removeAll()
    let again = (0..<2).map { frame($0, pool: pool) }
    #expect(again.allSatisfy { address($0).map(used.contains) ?? false })
  }
}
