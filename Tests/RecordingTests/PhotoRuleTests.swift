import CamrigModel
import Recording
import TestSupport
import Testing

@Suite("Names of shots")
struct ShotNameTests {
  private let wall = WallTime(rfc3339: "2026-11-30T09:05:07.123999Z")!

  @Test("UTC to the millisecond, the boot's mark where the clock is not trusted, a number where it is taken")
  func folder() {
    #expect(
      ShotName.folder(at: wall, sync: .synchronised, boot: "3f2a9c01", attempt: 1) == "20261130T090507.123Z")
    #expect(
      ShotName.folder(at: wall, sync: .unsynchronised, boot: "3f2a9c01", attempt: 1) == "20261130T090507.123Z-3f2a9c01")
    #expect(ShotName.folder(at: wall, sync: .synchronised, boot: "3f2a9c01", attempt: 2) == "20261130T090507.123Z-2")
    let year1970 = WallTime(nanoseconds: 20_000_000_000)
    #expect(
      ShotName.folder(at: year1970, sync: .unknown, boot: "3f2a9c01", attempt: 1) == "19700101T000020.000Z-3f2a9c01")
  }

  @Test("photos keep their shot's name in theirs, and a burst sorts")
  func photo() {
    #expect(ShotName.photo(shot: "S", stem: "left", number: 1, of: 1) == "S-left.jpg")
    #expect(ShotName.photo(shot: "S", stem: "left", number: 7, of: 12) == "S-left-007.jpg")
  }
}

@Suite("When the shutter opens")
struct ShutterPlanTests {
  private let pressed = MediaTime(seconds: 100, microseconds: 0)

  @Test("without a timer at once, and once")
  func atOnce() {
    var plan = ShutterPlan(pressed: pressed)
    #expect(plan.next(now: pressed) == .expose(number: 1, after: pressed))
    plan.exposed(newest: pressed + .milliseconds(20), now: pressed + .milliseconds(30))
    #expect(plan.next(now: pressed + .milliseconds(30)) == .done)
  }

  @Test("a timer tells each second that is left, also after having slept through some")
  func countdown() {
    var plan = ShutterPlan(pressed: pressed, timer: .milliseconds(2500))
    #expect(plan.next(now: pressed) == .tell(secondsLeft: 3))
    #expect(plan.next(now: pressed) == .wait(until: pressed + .milliseconds(500)))
    #expect(plan.next(now: pressed + .milliseconds(500)) == .tell(secondsLeft: 2))
    #expect(plan.next(now: pressed + .milliseconds(500)) == .wait(until: pressed + .milliseconds(1500)))
    #expect(plan.next(now: pressed + .milliseconds(1600)) == .tell(secondsLeft: 1))
    #expect(plan.next(now: pressed + .milliseconds(1600)) == .wait(until: pressed + .milliseconds(2500)))
    #expect(plan.next(now: pressed + .milliseconds(2600)) == .expose(number: 1, after: pressed + .milliseconds(2500)))
  }

  @Test("a burst keeps its interval, and does not hurry after it has fallen behind")
  func burst() {
    var plan = ShutterPlan(pressed: pressed, count: 3, interval: .milliseconds(500))
    plan.exposed(newest: pressed + .milliseconds(30), now: pressed + .milliseconds(40))
    #expect(plan.next(now: pressed + .milliseconds(40)) == .wait(until: pressed + .milliseconds(530)))
    #expect(plan.next(now: pressed + .milliseconds(531)) == .expose(number: 2, after: pressed + .milliseconds(530)))
    plan.exposed(newest: pressed + .milliseconds(3000), now: pressed + .milliseconds(3010))
    #expect(plan.next(now: pressed + .milliseconds(3010)) == .wait(until: pressed + .milliseconds(3500)))
    plan.exposed(newest: nil, now: pressed + .milliseconds(7500))
    #expect(plan.next(now: pressed + .milliseconds(7500)) == .done)
  }

  @Test("without an interval each picture of a burst is another one")
  func fast() {
    var plan = ShutterPlan(pressed: pressed, count: 2)
    plan.exposed(newest: pressed + .milliseconds(33), now: pressed + .milliseconds(33))
    #expect(
      plan.next(now: pressed + .milliseconds(33)) == .expose(number: 2, after: pressed + .nanoseconds(33_000_001)))
  }
}

@Suite("Pictures of several cameras at once")
struct SimultaneousChoiceTests {
  private func ms(_ milliseconds: Int64) -> MediaTime { MediaTime(nanoseconds: milliseconds * 1_000_000) }

  @Test("one camera: its first picture that is not older than the press")
  func one() {
    var choice = SimultaneousChoice<String>(cameras: 1, after: ms(100))
    choice.offer("old", at: ms(99), of: 0)
    #expect(!choice.isDone)
    choice.offer("new", at: ms(100), of: 0)
    #expect(choice.isDone && choice[0] == "new" && choice.spread == nil)
  }

  @Test("the slowest gives the moment, the others the nearest to it, before or after")
  func nearest() {
    var choice = SimultaneousChoice<String>(cameras: 3, after: ms(100))
    choice.offer("a1", at: ms(101), of: 0)
    choice.offer("a2", at: ms(134), of: 0)
    choice.offer("b1", at: ms(120), of: 1)
    choice.offer("c1", at: ms(150), of: 2)
    #expect(!choice.isDone && !choice.isOpen(2))
    choice.offer("a3", at: ms(167), of: 0)
    choice.offer("b2", at: ms(153), of: 1)
    #expect(choice.isDone)
    #expect(choice[0] == "a2" && choice[1] == "b2" && choice[2] == "c1")
    #expect(choice.spread == .milliseconds(19))
  }

  @Test("a camera that gives no further picture has its last one, which is not the moment of the others")
  func last() {
    var choice = SimultaneousChoice<String>(cameras: 2, after: ms(2000))
    choice.makeDo("a", at: ms(300), of: 0)
    #expect(!choice.isDone && !choice.isOpen(0))
    choice.offer("a2", at: ms(2100), of: 0)
    choice.offer("b", at: ms(2005), of: 1)
    #expect(choice.isDone && choice[0] == "a" && choice[1] == "b" && choice.spread == .milliseconds(1705))
  }

  @Test("a picture that is new enough stays")
  func notLast() {
    var choice = SimultaneousChoice<String>(cameras: 2, after: ms(2000))
    choice.offer("a", at: ms(2001), of: 0)
    choice.makeDo("old", at: ms(300), of: 0)
    choice.giveUp(1)
    #expect(choice.isDone && choice[0] == "a")
  }

  @Test("nobody waits for a camera that gives nothing, whenever that is known")
  func missing() {
    var choice = SimultaneousChoice<String>(cameras: 3, after: ms(0))
    choice.giveUp(0)
    choice.offer("b", at: ms(5), of: 1)
    #expect(!choice.isDone)
    choice.giveUp(2)
    #expect(choice.isDone && choice[0] == nil && choice[1] == "b" && choice[2] == nil)
  }
}

@Suite("A camera that has just been started")
struct WarmUpTests {
  private let began = MediaTime(seconds: 50, microseconds: 0)

  private func readyAfter(_ brightness: [Double?]) -> Int? {
    var warmUp = WarmUp(began: began)
    for (index, mean) in brightness.enumerated()
    where warmUp.picture(brightness: mean, at: began + .milliseconds(33 * (index + 1))) {
      return index + 1
    }
    return nil
  }

  @Test("twenty dark pictures are passed over, and five that are alike taken")
  func dark() {
    let dark = (0..<20).map { Double($0) * 1.5 }
    #expect(readyAfter(dark + Array(repeating: 120, count: 10)) == 25)
  }

  @Test("after two seconds it is taken as it is: a scene may flicker, or be no JPEG to anybody")
  func flicker() {
    #expect(readyAfter((0..<100).map { $0 % 2 == 0 ? 40 : 90 }) == 61)
    #expect(readyAfter(Array(repeating: nil, count: 100)) == 61)
  }

  @Test("the two seconds are over by the clock too, without a picture")
  func clock() {
    let warmUp = WarmUp(began: began)
    #expect(!warmUp.isOver(at: began + .milliseconds(1999)) && warmUp.isOver(at: began + .milliseconds(2000)))
  }

  @Test("a dark room is no camera that wakes up")
  func night() { #expect(readyAfter([1.0, 1.1, 1.2, 1.0, 1.1]) == 5) }
}

@Suite("The format of a still")
struct StillFormatTests {
  private func device(_ formats: [(PixelFormat?, [String])]) -> DeviceDescription {
    DeviceDescription(
      driver: "x", card: "x", bus: "x", node: "/dev/video0",
      formats: formats.map { format, sizes in
        FormatDescription(
          fourcc: format?.rawValue ?? "RGGB", label: "", pixelFormat: format,
          sizes: sizes.map { SizeDescription(size: PixelSize($0)!, rates: [FrameRate(5)]) })
      })
  }

  @Test("the largest size wins; of one size JPEG, then raw, then H.264")
  func choice() {
    #expect(
      StillFormat.wish(for: device([(.mjpeg, ["1920x1080"]), (.yuyv, ["2592x1944", "640x480"])]))
        == FormatWish(pixelFormat: .yuyv, size: PixelSize(width: 2592, height: 1944)))
    #expect(
      StillFormat.wish(for: device([(.h264, ["1920x1080"]), (.nv12, ["1920x1080"]), (.mjpeg, ["1920x1080"])]))?
        .pixelFormat == .mjpeg)
    #expect(
      StillFormat.wish(for: device([(.h264, ["1920x1080"]), (.nv12, ["1920x1080"])]))?.pixelFormat == .nv12)
    #expect(StillFormat.wish(for: device([(nil, ["4000x3000"])])) == nil)
  }
}

@Suite("What may be asked of the shutter")
struct PhotoWishTests {
  @Test("the bounds, in words")
  func bounds() throws {
    for request in [
      PhotoTakeRequest(timerSeconds: 20.1), PhotoTakeRequest(timerSeconds: -1), PhotoTakeRequest(timerSeconds: .nan),
      PhotoTakeRequest(count: 0), PhotoTakeRequest(count: 101), PhotoTakeRequest(intervalSeconds: 61),
    ] {
      #expect(throws: PhotoError.self) { try PhotoWish(request) }
    }
    let wish = try PhotoWish(PhotoTakeRequest(timerSeconds: 20, count: 100, intervalSeconds: 0.5, source: .still))
    #expect(wish.timer == .seconds(20) && wish.count == 100 && wish.interval == .milliseconds(500))
    #expect(try PhotoWish() == PhotoWish(PhotoTakeRequest(timerSeconds: 0, count: 1)))
  }
}
