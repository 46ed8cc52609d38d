import CamrigModel
import Streaming
import Testing

@Suite("Who listens to a microphone")
struct SoundBoardTests {
  /// Number `number` of a stream that begins at second 1000.
  private static func chunk(_ number: Int64) -> SoundChunk {
    SoundChunk(
      presentationTime: MediaTime(nanoseconds: 1_000_000_000_000 + number * 20_000_000), channels: 1, bytes: [])
  }

  private var board = SoundBoard()

  private mutating func offer(_ numbers: ClosedRange<Int64>) -> [Int] {
    numbers.flatMap { board.offer(Self.chunk($0)) }
  }

  /// The number of the chunk that a listener gets, and what it missed.
  private mutating func take(_ listener: Int) -> [Int64]? {
    board.take(listener).map {
      [($0.chunk.presentationTime.nanoseconds - 1_000_000_000_000) / 20_000_000, Int64($0.skipped)]
    }
  }

  @Test("a listener hears all from when it came, in order, and is told once that there is more")
  mutating func all() {
    _ = offer(0...2)
    let listener = board.add()
    #expect(take(listener) == nil)
    #expect(offer(3...5) == [listener])
    #expect(take(listener) == [3, 0])
    #expect(take(listener) == [4, 0])
    #expect(take(listener) == [5, 0])
    #expect(take(listener) == nil && take(listener) == nil)
    #expect(offer(6...6) == [listener])
  }

  @Test("who is held up for less than what is kept misses nothing")
  mutating func held() {
    let listener = board.add()
    _ = offer(0...Int64(SoundBoard.depth) - 1)
    for number in 0..<Int64(SoundBoard.depth) { #expect(take(listener) == [number, 0]) }
  }

  @Test("who is held up for longer goes on with the newest, and what it missed is counted; the other misses nothing")
  mutating func late() {
    let (slow, quick) = (board.add(), board.add())
    for number in Int64(0)...20 {
      _ = offer(number...number)
      #expect(take(quick) == [number, 0])
    }
    #expect(take(slow) == [20, 20])
    #expect(take(slow) == nil)
    #expect(offer(21...21) == [slow])
    #expect(take(slow) == [21, 0])
  }

  @Test("for those alone who have fallen behind nothing is made; what they miss is counted by time")
  mutating func rests() {
    #expect(!board.isSoundWanted)
    let listener = board.add()
    #expect(board.isSoundWanted)
    _ = offer(0...Int64(SoundBoard.depth))
    #expect(!board.isSoundWanted)
    // Two seconds of a microphone of 44.1 kHz in blocks of its own length are a hundred chunks.
    for _ in 0..<882 { board.pass(frames: 100, rate: 44_100) }
    #expect(take(listener) == nil)
    #expect(board.isSoundWanted)
    #expect(offer(109...109) == [listener])
    #expect(take(listener) == [109, 109])
    board.remove(listener)
    #expect(!board.isSoundWanted && take(listener) == nil)
  }
}

@Suite("Sound cut into messages")
struct SoundCutterTests {
  private func time(_ frames: Int) -> MediaTime {
    MediaTime(nanoseconds: 1_000_000_000_000 + Int64(frames) * 1_000_000_000 / 48_000)
  }

  @Test("every sample frame is in one message, and each message says when its first one was")
  func cuts() {
    var cutter = SoundCutter(channels: 2)
    // Frame n of the stream is n on the left and -n on the right, in steps of the 16 bits.
    func samples(_ frames: Range<Int>) -> [Float] { frames.flatMap { [Float($0) / 32768, -Float($0) / 32768] } }
    var chunks: [SoundChunk] = []
    var begin = 0
    for count in [100, 1000, 1, 2000, 700] {
      chunks += cutter.add(samples(begin..<begin + count), at: time(begin))
      begin += count
    }
    #expect(chunks.count == 3)
    for (number, chunk) in chunks.enumerated() {
      #expect(chunk.channels == 2 && chunk.bytes.count == 960 * 4)
      #expect(abs((chunk.presentationTime - time(number * 960)).inNanoseconds) <= 1)
      let values = stride(from: 0, to: chunk.bytes.count, by: 2).map {
        Int(Int16(bitPattern: UInt16(chunk.bytes[$0]) | UInt16(chunk.bytes[$0 + 1]) << 8))
      }
      #expect(values == (number * 960..<number * 960 + 960).flatMap { [$0, -$0] })
    }
  }

  @Test("what is too loud is cut off, what is no number is silence")
  func clips() {
    var cutter = SoundCutter(channels: 1)
    let loud: [Float] = [1, 2, -1, -3, .nan, .infinity, 0.5] + [Float](repeating: 0, count: 953)
    let bytes = cutter.add(loud, at: time(0))[0].bytes
    #expect(Array(bytes.prefix(14)) == [0xff, 0x7f, 0xff, 0x7f, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0x40])
  }
}
