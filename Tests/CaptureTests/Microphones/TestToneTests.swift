import CLinux
import CamrigModel
import Capture
import Codec
import Sound
import TestSupport
import Testing

@Suite("The test tone", .timeLimit(.minutes(5)))
struct TestToneTests {
  /// Sample frames that a device delivered, and when the one after the last was.
  private func record(_ tone: OpenTestTone, _ clock: TestClock, seconds: Int) throws -> ([Float], SoundPiece) {
    try tone.start()
    let wake = cl_eventfd()
    var samples: [Float] = []
    var last: SoundPiece?
    for _ in 0..<(seconds * 50) {
      clock.advance(by: .milliseconds(20))
      if case .piece(let piece) = try tone.next(timeout: .zero, wake: wake) {
        samples += piece.samples
        last = piece
      }
    }
    return (samples, try #require(last))
  }

  @Test("it beeps when the picture flashes, by whatever clock it counts its samples", arguments: [0.0, -500, 5000])
  func beeps(ppm: Double) throws {
    let clock = TestClock(media: MediaTime(nanoseconds: 5_500_000_000))
    let tone = OpenTestTone(clock: clock, clockErrorPPM: ppm)
    let (samples, last) = try record(tone, clock, seconds: 10)
    #expect(abs(Double(samples.count) - 480_000 * (1 + ppm / 1e6)) <= 1000)
    // By the driver's word alone: the last piece's stamp, and the rate that the error makes.
    let rate = 48000 * (1 + ppm / 1e6)
    let first = last.time - .nanoseconds(Int64(Double(samples.count) / rate * 1e9))
    var beeps: [Double] = []
    var quiet = 4800
    for (index, sample) in samples.enumerated() {
      if sample != 0, quiet >= 4800 { beeps.append(first.seconds + Double(index) / rate) }
      quiet = sample == 0 ? quiet + 1 : 0
    }
    #expect(beeps.count == 10)
    for (number, beep) in beeps.enumerated() { #expect(abs(beep - Double(6 + number)) < 0.000_2, "\(beep)") }
  }

  @Test("what nobody fetches for more than a second is lost, and it says so")
  func overrun() throws {
    let clock = TestClock()
    let tone = OpenTestTone(clock: clock, clockErrorPPM: 0)
    try tone.start()
    clock.advance(by: .seconds(2))
    guard case .interrupted = try tone.next(timeout: .zero, wake: cl_eventfd()) else {
      Issue.record("it kept two seconds")
      return
    }
  }

  @Test("the white square is lit in the first tenth of each second, and dark after it")
  func flash() throws {
    let size = PixelSize(width: 320, height: 240)
    let renderer = try TestPatternRenderer(format: VideoFormat(.grey, size, rate: FrameRate(30)))
    let square = TestPattern.flash(in: size)
    let middle = (square.y + square.side / 2) * size.width + square.x + square.side / 2
    func luma(_ milliseconds: Int64) throws -> UInt8 {
      let time = MediaTime.atMilliseconds(milliseconds)
      return try renderer.render(
        counter: 1, time: WallTime(nanoseconds: 0), flash: TestPattern.isFlashing(at: time)
      ) { (bytes: UnsafeRawBufferPointer) -> UInt8 in bytes[middle] }
    }
    let seen = try [0, 99, 100, 999, 1000].map { try luma($0) }
    #expect(seen == [235, 235, 48, 48, 235])
  }
}

extension MediaTime {
  fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}
