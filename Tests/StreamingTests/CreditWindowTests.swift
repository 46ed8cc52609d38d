import CamrigModel
import Streaming
import Testing

@Suite("A monitor's credit")
struct CreditWindowTests {
  private func time(_ milliseconds: Int) -> MediaTime {
    MediaTime(seconds: 9, microseconds: Int64(milliseconds) * 1000)
  }

  @Test("so many pictures are on their way and no more; each acknowledgement makes room", arguments: 1...4)
  func pictures(size: Int) {
    var window = CreditWindow(size: size, byteLimit: 1 << 20)
    for sequence in 0..<UInt64(size) {
      #expect(window.hasRoom(for: 100))
      window.send(sequence, byteCount: 100, at: time(0))
    }
    #expect(!window.hasRoom(for: 100))
    #expect(window.acknowledge(0, at: time(30))?.took == .milliseconds(30))
    #expect(window.hasRoom(for: 100))
  }

  @Test("a window is 1 to 4 pictures, whatever is asked for")
  func clamps() {
    #expect([-1, 0, 1, 4, 5, 900].map { CreditWindow(size: $0, byteLimit: 0).size } == [1, 1, 1, 4, 4, 4])
  }

  @Test("bytes are bounded, too, the next picture's included; but one picture always goes")
  func bytes() {
    var window = CreditWindow(size: 4, byteLimit: 1000)
    #expect(window.hasRoom(for: 5000))
    window.send(0, byteCount: 600, at: time(0))
    #expect(window.hasRoom(for: 400))
    #expect(!window.hasRoom(for: 401))
    window.send(1, byteCount: 400, at: time(1))
    #expect(window.bytesInFlight == 1000)
    #expect(!window.hasRoom(for: 1))
    window.byteLimit = 2000
    #expect(window.hasRoom(for: 1000))
  }

  @Test("an acknowledgement is for all before it, too")
  func cumulative() {
    var window = CreditWindow(size: 4, byteLimit: 1 << 20)
    for sequence in UInt64(0)..<4 { window.send(sequence, byteCount: 10, at: time(Int(sequence))) }
    let receipt = window.acknowledge(2, at: time(50))
    #expect(receipt == CreditWindow.Receipt(byteCount: 30, sent: time(0), acknowledged: time(50)))
    #expect(window.picturesInFlight == 1)
    #expect(window.bytesInFlight == 10)
  }

  @Test("what was acknowledged before, or never sent, changes nothing")
  func nonsense() {
    var window = CreditWindow(size: 2, byteLimit: 1 << 20)
    window.send(0, byteCount: 10, at: time(0))
    window.send(1, byteCount: 10, at: time(0))
    #expect(window.acknowledge(7, at: time(1)) == nil)
    #expect(window.acknowledge(.max, at: time(1)) == nil)
    #expect(window.picturesInFlight == 2)
    #expect(window.acknowledge(1, at: time(1)) != nil)
    #expect(window.acknowledge(1, at: time(2)) == nil)
    #expect(window.acknowledge(0, at: time(2)) == nil)
    #expect(window.bytesInFlight == 0)
  }
}

@Suite("What a link carries")
struct LinkEstimateTests {
  /// Pictures of so many bytes sent one after the other over a link of 1000 bytes a millisecond and a way of 40 ms.
  private func estimate(_ bytes: [Int], told: Duration?) -> LinkEstimate {
    var link = LinkEstimate()
    var now = MediaTime(seconds: 5, microseconds: 0)
    for count in bytes {
      let arrival = now + .milliseconds(40) + .microseconds(count)
      link.add(CreditWindow.Receipt(byteCount: count, sent: now, acknowledged: arrival), leastRoundTrip: told)
      now = arrival
    }
    return link
  }

  @Test("with the round trip known one picture tells it")
  func told() {
    let link = estimate([20_000], told: .milliseconds(40))
    #expect(link.service(100_000) == .milliseconds(100))
    #expect(link.roundTrip == .milliseconds(40))
    #expect((990_000...1_010_000).contains(link.bytesPerSecond ?? 0))
  }

  @Test("without it two sizes do")
  func fits() {
    let link = estimate([200_000, 200_000, 20_000, 20_000, 20_000], told: nil)
    #expect(link.roundTrip == .milliseconds(40))
    #expect(link.service(100_000) == .milliseconds(100))
  }

  @Test("what is told of a part of the way only is corrected")
  func proxy() {
    let link = estimate([200_000, 20_000, 20_000, 20_000, 20_000], told: .milliseconds(1))
    #expect(link.roundTrip == .milliseconds(40))
  }

  @Test("pictures that wait for each other on the way are not each blamed for all of it")
  func pipelined() {
    var link = LinkEstimate()
    let start = MediaTime(seconds: 5, microseconds: 0)
    for index in 1...4 {
      let receipt = CreditWindow.Receipt(
        byteCount: 20_000, sent: start, acknowledged: start + .milliseconds(40 + 20 * index))
      link.add(receipt, leastRoundTrip: .milliseconds(40))
    }
    #expect(link.service(20_000) == .milliseconds(20))
  }

  @Test("a monitor that acknowledges after a year, or at once, confuses nothing", arguments: [0, 365 * 86400])
  func nonsense(seconds: Int) {
    var tuning = PreviewTuning(PreviewForm())
    let source = PreviewSource(format: .mjpeg, size: PixelSize(width: 16000, height: 16000))
    tuning.setSource(source, cameraRate: FrameRate(1000))
    let sent = MediaTime(seconds: 5, microseconds: 0)
    for index in 0..<50 {
      tuning.send(byteCount: index % 2 == 0 ? 32 : 64 << 20, size: source.size)
      let arrival = sent + .seconds(seconds)
      tuning.arrive(CreditWindow.Receipt(byteCount: 32, sent: sent, acknowledged: arrival))
      #expect(tuning.byteLimit > 0)
    }
    if seconds > 0 { #expect(tuning.isReduced) }
  }

  @Test("a stall is in the mean and not in the median, and does not outweigh all else")
  func stalls() {
    var link = estimate(Array(repeating: 10_000, count: 9), told: .milliseconds(40))
    let now = MediaTime(seconds: 6, microseconds: 0)
    link.add(
      CreditWindow.Receipt(byteCount: 10_000, sent: now, acknowledged: now + .milliseconds(4050)),
      leastRoundTrip: .milliseconds(40))
    #expect(link.service(10_000) == .milliseconds(10))
    #expect(link.meanService(10_000) == .milliseconds(15))
  }
}
