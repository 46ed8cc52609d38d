import CamrigModel
import Streaming
import Testing

/// In simulated time over simulated links; a camera of 1080p30 MJPEG with pictures of about 200 KB.
@Suite("A preview on links of all kinds")
struct PreviewTuningTests {
  private typealias Link = LinkSimulation.Link

  private func run(_ seconds: Int, _ link: Link, wish: PreviewForm = PreviewForm()) -> [LinkSimulation.Arrival] {
    LinkSimulation(wish: wish) { _ in link }.run(.seconds(seconds))
  }

  @Test(
    "on 2 Mbit/s with 50 ms each way and 1 % loss it is 300 ms old in the median and 800 ms at the 95th percentile, and not older after ten minutes",
    arguments: [true, false])
  func slow(tellsRoundTrip: Bool) {
    let link = Link(
      bitsPerSecond: 2e6, delay: .milliseconds(50), lossPercent: 1, tellsRoundTrip: tellsRoundTrip)
    let arrivals = run(600, link)
    #expect(arrivals.latency(percentile: 50) <= .milliseconds(300))
    #expect(arrivals.latency(percentile: 95) <= .milliseconds(800))
    for minute in 0..<10 {
      let these = arrivals.during(minute * 60..<(minute + 1) * 60)
      #expect(these.latency(percentile: 50) <= .milliseconds(300))
      #expect(these.latency(percentile: 95) <= .milliseconds(800))
      // Still a moving picture.
      #expect(these.count >= 60 * 4)
    }
  }

  @Test("of the same without loss ten pictures a second come, in a size that tells faces")
  func slowAndClean() {
    let arrivals = run(120, Link(bitsPerSecond: 2e6, delay: .milliseconds(50)))
    #expect(arrivals.during(10..<120).count >= 110 * 9)
    #expect(arrivals.during(10..<120).allSatisfy { $0.size.longEdge >= 480 })
    #expect(arrivals.latency(percentile: 95) <= .milliseconds(200))
  }

  @Test("a fast link keeps full size and rate, however long its way", arguments: [1, 50, 150], [true, false])
  func fast(milliseconds: Int, tellsRoundTrip: Bool) {
    let link = Link(bitsPerSecond: 1e9, delay: .milliseconds(milliseconds), tellsRoundTrip: tellsRoundTrip)
    let arrivals = run(90, link)
    // An unusual way of which nobody tells is at first taken for a slow link.
    let known = tellsRoundTrip || milliseconds < 100 ? arrivals : arrivals.during(60..<90)
    #expect(known.allSatisfy { $0.step == 0 })
    // Four on their way are not enough for 30 a second on a way of 300 ms.
    let most = min(30, 4000 / (2 * milliseconds + 3))
    #expect(arrivals.during(60..<90).count >= 30 * most * 9 / 10)
    #expect(arrivals.latency(percentile: 95) <= .milliseconds(milliseconds + 50))
  }

  @Test(
    "over a long way the first picture is small and comes soon, whatever the link carries", arguments: [2e6, 20e6, 1e9])
  func begins(bitsPerSecond: Double) throws {
    let arrivals = run(10, Link(bitsPerSecond: bitsPerSecond, delay: .milliseconds(50)))
    let first = try #require(arrivals.first)
    #expect(first.size.longEdge <= 320)
    #expect(first.latency <= .milliseconds(150))
    // A picture of 200 KB takes 0.8 s at 2 Mbit/s; none is sent before the link is known.
    #expect(arrivals.latency(percentile: 100) <= .milliseconds(350))
  }

  @Test("a fast link over a long way has full size within a second")
  func growsFast() {
    let arrivals = run(10, Link(bitsPerSecond: 1e9, delay: .milliseconds(50)))
    let small = arrivals.prefix { $0.size.longEdge < 1920 }
    #expect((1...30).contains(small.count))
    #expect(small.last?.time ?? .zero <= .seconds(1))
    #expect(zip(small.dropFirst(), small).allSatisfy { $0.size.area >= $1.size.area })
    #expect(arrivals.dropFirst(small.count).allSatisfy { $0.size.longEdge == 1920 && $0.step == 0 })
  }

  @Test("in a local network the first picture is a full one, as the camera sent it")
  func nearby() {
    let arrivals = run(1, Link(bitsPerSecond: 100e6, delay: .milliseconds(2)))
    #expect(arrivals.first?.size.longEdge == 1920)
  }

  @Test("a link that is a little too slow for all pictures gets fewer of them, in full size")
  func rateFirst() {
    let arrivals = run(60, Link(bitsPerSecond: 40e6, delay: .milliseconds(5)))
    #expect(arrivals.allSatisfy { $0.size.longEdge == 1920 })
    #expect((50 * 10...50 * 25).contains(arrivals.during(10..<60).count))
    #expect(arrivals.during(10..<60).latency(percentile: 95) <= .milliseconds(120))
  }

  @Test("where even the smallest picture is slow there are fewer, and none grows old", arguments: [500e3, 100e3])
  func verySlow(bitsPerSecond: Double) {
    let arrivals = run(300, Link(bitsPerSecond: bitsPerSecond, delay: .milliseconds(100)))
    let later = arrivals.during(30..<300)
    #expect(later.count >= 270)
    #expect(later.latency(percentile: 95) <= .milliseconds(700))
  }

  @Test("a link with a long way and room is used, though nobody tells how long the way is")
  func longWay() {
    let arrivals = run(120, Link(bitsPerSecond: 8e6, delay: .milliseconds(250), tellsRoundTrip: false))
    let later = arrivals.during(40..<120)
    #expect(later.count >= 80 * 5)
    #expect(later.allSatisfy { $0.size.longEdge >= 720 })
    #expect(later.latency(percentile: 95) <= .milliseconds(450))
  }

  @Test("a link that breaks down is followed at once, and comes back to all when it recovers")
  func recovers() {
    let simulation = LinkSimulation { time in
      let isSlow = (.seconds(30) ..< .seconds(90)).contains(time)
      return Link(bitsPerSecond: isSlow ? 2e6 : 1e9, delay: .milliseconds(10))
    }
    let arrivals = simulation.run(.seconds(240))
    #expect(arrivals.during(0..<30).allSatisfy { $0.step == 0 })
    #expect(arrivals.latency(percentile: 100) <= .seconds(3))
    #expect(arrivals.during(35..<90).latency(percentile: 95) <= .milliseconds(200))
    // Not in one leap: the steps between are seen.
    let climbing = arrivals.during(90..<160).map(\.step)
    #expect(Set(climbing).count > 5)
    #expect(zip(climbing.dropFirst(), climbing).allSatisfy { $0 <= $1 && $1 - $0 <= 1 })
    #expect(arrivals.during(160..<240).allSatisfy { $0.step == 0 })
  }

  @Test("a single stall of seconds costs nothing but itself")
  func stall() {
    let simulation = LinkSimulation { time in
      let isStalled = (.seconds(30) ..< .milliseconds(30_030)).contains(time)
      return Link(
        bitsPerSecond: 1e9, delay: .milliseconds(5), lossPercent: isStalled ? 100.0 / 150 : 0, timeout: .seconds(3))
    }
    let arrivals = simulation.run(.seconds(60))
    #expect(arrivals.latency(percentile: 100) >= .seconds(3))
    #expect(arrivals.during(40..<60).count >= 20 * 29)
  }

  @Test("on a link that allows a step only just, it does not swing up and down")
  func hysteresis() {
    for bits in stride(from: 3e6, through: 30e6, by: 4.5e6) {
      let arrivals = run(240, Link(bitsPerSecond: bits, delay: .milliseconds(20))).during(40..<240)
      let changes = zip(arrivals.dropFirst(), arrivals).filter { $0.step != $1.step }.count
      #expect(changes <= 12, "\(bits)")
    }
  }

  @Test("a viewer who asks for little gets just that")
  func little() {
    let wish = PreviewForm(longEdge: 640, rate: FrameRate(5))
    let arrivals = run(60, Link(bitsPerSecond: 2e6, delay: .milliseconds(50)), wish: wish)
    #expect(arrivals.allSatisfy { $0.size == PixelSize(width: 480, height: 270) && $0.step == 0 })
    #expect(abs(arrivals.count - 300) <= 3)
  }
}

@Suite("The ladder of a preview's forms")
struct PreviewLadderTests {
  private func words(_ wish: PreviewForm, _ source: PreviewSource, _ rate: FrameRate) -> [String] {
    PreviewLadder(wish, source: source, cameraRate: rate).steps.map { "\($0.size.longEdge)@\($0.rate)" }
  }

  @Test("first the rate goes down to ten, then the size, then both")
  func order() {
    let source = PreviewSource(format: .mjpeg, size: PixelSize(width: 1920, height: 1080))
    #expect(
      words(PreviewForm(), source, FrameRate(30)) == [
        "1920@30", "1920@45/2", "1920@15", "1920@10", "1680@10", "1440@10", "1200@10", "960@10", "720@10", "480@10",
        "480@5", "240@5", "240@5/2", "240@5/4",
      ])
  }

  @Test("it begins with what was asked for, of what the camera has")
  func wish() {
    let source = PreviewSource(format: .yuyv, size: PixelSize(width: 640, height: 480))
    #expect(
      words(PreviewForm(longEdge: 500, rate: FrameRate(12)), source, FrameRate(30)) == [
        "500@12", "480@12", "400@12", "400@6", "320@6", "240@6", "160@6", "160@3", "160@3/2",
      ])
    #expect(words(PreviewForm(longEdge: 9999, rate: FrameRate(60)), source, FrameRate(25)).first == "640@25")
    #expect(words(PreviewForm(rate: FrameRate(1)), source, FrameRate(30)).allSatisfy { $0.hasSuffix("@1") })
  }

  @Test("each step costs less than the one before")
  func falls() {
    for format in [PixelFormat.mjpeg, .h264] {
      for size in ["3840x2160", "1280x720", "641x479", "160x120"] {
        let ladder = PreviewLadder(
          PreviewForm(), source: PreviewSource(format: format, size: PixelSize(size)!),
          cameraRate: FrameRate(30000, 1001))
        let costs = ladder.steps.map { Double($0.size.area) * $0.rate.perSecond }
        #expect(zip(costs.dropFirst(), costs).allSatisfy { $0 < $1 })
      }
    }
  }
}
