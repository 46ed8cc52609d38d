import CamrigModel
import Capture
import Codec
import Frames
import Testing

@Suite("A run whose pictures are turned")
struct TurnedRunTests {
  /// Does to pictures what the test says.
  private final class FakeTurner: PictureTurner {
    var refusal: TurnRefusal?
    var damaged: Set<UInt64> = []
    var size = PixelSize(width: 2, height: 4)

    func format(of frame: Frame) throws(TurnRefusal) -> VideoFormat {
      if let refusal { throw refusal }
      return VideoFormat(.grey, PixelSize(width: 2, height: 4), rate: nil)
    }

    func turn(_ frame: Frame) throws(CodecError) -> Frame {
      if damaged.contains(frame.sequence) { throw .jpeg("it is damaged") }
      return TurnedRunTests.frame(frame.sequence, size)
    }
  }

  private static func frame(_ sequence: UInt64, _ size: PixelSize = PixelSize(width: 4, height: 2)) -> Frame {
    let pool = FramePool()
    return Frame(
      pool.buffer(count: 8) { $0.initializeMemory(as: UInt8.self, repeating: 0) }, format: .grey, size: size,
      bytesPerLine: size.width, presentationTime: MediaTime(nanoseconds: Int64(sequence)), run: 1, sequence: sequence,
      isKeyframe: true)
  }

  private func lost(_ first: UInt64, _ cause: LossCause = .errorFlagged) -> StreamItem {
    .lost(Loss(cause: cause, run: 1, firstSequence: first, count: 1, time: MediaTime(nanoseconds: 0)))
  }

  private let started = StreamItem.started(
    StreamRun(
      number: 1, format: VideoFormat(.grey, PixelSize(width: 4, height: 2), rate: FrameRate(25)),
      time: MediaTime(nanoseconds: 7)))
  private let ended = StreamItem.ended(StreamEnd(run: 1, reason: .stopped, time: MediaTime(nanoseconds: 9)))

  @Test("its start waits for the first picture, which tells the format; what was lost before keeps its place")
  func start() throws {
    var run = TurnedRun(FakeTurner())
    #expect(run.take(started).isEmpty)
    #expect(run.take(lost(0)).isEmpty)
    let items = run.take(.frame(Self.frame(1)))
    #expect(words(items) == ["start 1", "lost 0+1 errorFlagged", "frame 1"])
    guard case .started(let begun)? = items.first else { return }
    #expect(begun.format == VideoFormat(.grey, PixelSize(width: 2, height: 4), rate: FrameRate(25)))
    #expect(begun.time == MediaTime(nanoseconds: 7))
    #expect(words(run.take(lost(2, .queueOverflow)) + run.take(ended)) == ["lost 2+1 queueOverflow", "end stopped"])
  }

  @Test(
    "a run without a picture is told whole when it ends, and one of nothing but losses does not gather them for ever")
  func withoutPictures() {
    var run = TurnedRun(FakeTurner())
    _ = run.take(started)
    _ = run.take(lost(0))
    #expect(words(run.take(ended)) == ["start 1", "lost 0+1 errorFlagged", "end stopped"])
    _ = run.take(started)
    let told = (0..<300).map { run.take(lost(UInt64($0))).count }
    #expect(told.reduce(0, +) == 301 && told.max() == 258)
  }

  @Test("a picture too damaged to be turned, or of another size than the run, is lost as broken")
  func damaged() {
    let turner = FakeTurner()
    turner.damaged = [1]
    var run = TurnedRun(turner)
    _ = run.take(started)
    var items = [0, 1, 2].flatMap { run.take(.frame(Self.frame($0))) }
    #expect(words(items) == ["start 1", "frame 0", "lost 1+1 broken", "frame 2"])
    #expect(run.fault?.contains("it is damaged") == true)
    turner.size = PixelSize(width: 6, height: 4)
    items = run.take(.frame(Self.frame(3)))
    #expect(words(items) == ["lost 3+1 broken"])
  }

  @Test("a first picture that told a format nobody else has makes a new run necessary, and one that differs does not")
  func liar() {
    let turner = FakeTurner()
    var run = TurnedRun(turner)
    _ = run.take(started)
    _ = run.take(.frame(Self.frame(0)))
    turner.size = PixelSize(width: 6, height: 4)
    _ = run.take(.frame(Self.frame(1)))
    turner.size = PixelSize(width: 2, height: 4)
    _ = run.take(.frame(Self.frame(2)))
    #expect(!run.mustBeginAnew)
    turner.size = PixelSize(width: 6, height: 4)
    for number in UInt64(3)..<6 { #expect(words(run.take(.frame(Self.frame(number)))) == ["lost \(number)+1 broken"]) }
    #expect(run.mustBeginAnew)
  }

  @Test("so does a first picture that could not be turned, where the next ones can")
  func lateBloomer() {
    let turner = FakeTurner()
    turner.refusal = .sampling
    var run = TurnedRun(turner)
    _ = run.take(started)
    _ = run.take(.frame(Self.frame(0)))
    turner.refusal = nil
    for number in UInt64(1)..<3 { _ = run.take(.frame(Self.frame(number))) }
    #expect(!run.mustBeginAnew)
    _ = run.take(.frame(Self.frame(3)))
    #expect(run.mustBeginAnew)
  }

  @Test("pictures that cannot be turned stay as they are, and why is known")
  func refused() {
    let turner = FakeTurner()
    turner.refusal = .sampledInFours
    var run = TurnedRun(turner)
    _ = run.take(started)
    let items = run.take(.frame(Self.frame(0))) + run.take(.frame(Self.frame(1)))
    #expect(words(items) == ["start 1", "frame 0", "frame 1"])
    #expect(items.compactMap(\.frame).allSatisfy { $0.size == PixelSize(width: 4, height: 2) })
    #expect(run.refusal == .sampledInFours)
  }
}
