import CamrigModel
import Frames
import Testing

@Suite("A tap at a camera's hub")
struct FrameTapTests {
  private let hub = FrameHub(prerollLength: .seconds(5), prerollCapacityBytes: 1 << 20)
  private let heard = Heard()

  private func tap(capacityBytes: Int = 1 << 20, capacityPictures: Int = 100) -> FrameTap {
    let heard = heard
    return FrameTap(capacityBytes: capacityBytes, capacityPictures: capacityPictures) { heard.add($0) }
  }

  private func numbers(_ pictures: FrameTap.Pictures?) -> [UInt64]? { pictures?.frames.map(\.sequence) }

  @Test("it has the newest picture, once, and nothing of what came before")
  func newestWins() {
    let tap = tap()
    hub.add(tap)
    hub.publish(start())
    for sequence in UInt64(0)...5 { hub.publish(picture(sequence)) }
    #expect(tap.newest?.sequence == 5)
    #expect(numbers(tap.take()) == [5])
    #expect(tap.take() == nil)
    hub.publish(picture(6))
    #expect(numbers(tap.take()) == [6])
  }

  @Test("who comes late has the ring's newest picture at once, the very same")
  func instantFirst() {
    hub.publish(start())
    hub.publish(picture(0))
    hub.publish(picture(1))
    let late = tap()
    hub.add(late)
    #expect(late.newest === hub.newest)
    #expect(numbers(late.take()) == [1])
  }

  @Test("pictures that build on each other come from the last keyframe on, then from the last taken one on")
  func chain() {
    hub.publish(start())
    for sequence in UInt64(0)...6 { hub.publish(picture(sequence, keyframe: sequence % 4 == 0)) }
    let tap = tap()
    hub.add(tap)
    let first = tap.take()
    #expect(numbers(first) == [4, 5, 6])
    #expect(first?.beginAfresh == true)
    hub.publish(picture(7, keyframe: false))
    let second = tap.take()
    #expect(numbers(second) == [7])
    #expect(second?.beginAfresh == false)
    for sequence in UInt64(8)...9 { hub.publish(picture(sequence, keyframe: sequence % 4 == 0)) }
    let third = tap.take()
    #expect(numbers(third) == [8, 9])
    #expect(third?.beginAfresh == true)
  }

  @Test("after a loss nothing comes before the next keyframe, but what was there before it")
  func loss() {
    let tap = tap()
    hub.add(tap)
    hub.publish(start())
    hub.publish(picture(0))
    hub.publish(picture(1, keyframe: false))
    hub.publish(gap(2, count: 1))
    hub.publish(picture(3, keyframe: false))
    #expect(numbers(tap.take()) == [0, 1])
    #expect(tap.waitsForKeyframe)
    hub.publish(picture(4, keyframe: false))
    #expect(tap.take() == nil)
    hub.publish(picture(5))
    #expect(!tap.waitsForKeyframe)
    #expect(numbers(tap.take()) == [5])
    #expect(!tap.waitsForKeyframe)
  }

  @Test("a loss does not matter where each picture stands for itself")
  func lossOfWholePictures() {
    let tap = tap()
    hub.add(tap)
    hub.publish(start())
    hub.publish(picture(0))
    hub.publish(gap(1, count: 1))
    hub.publish(picture(2))
    #expect(numbers(tap.take()) == [2])
  }

  @Test("what outgrows the slot is dropped up to the next keyframe", arguments: [(2500, 100), (1 << 20, 2)])
  func bounded(bytes: Int, pictures: Int) {
    let tap = tap(capacityBytes: bytes, capacityPictures: pictures)
    hub.add(tap)
    hub.publish(start())
    for sequence in UInt64(0)...2 { hub.publish(picture(sequence, keyframe: sequence == 0)) }
    #expect(tap.take() == nil)
    #expect(tap.waitsForKeyframe)
    hub.publish(picture(3, keyframe: false))
    #expect(tap.take() == nil)
    hub.publish(picture(4, bytes: 9999))
    #expect(numbers(tap.take()) == [4])
  }

  @Test("the end of a run empties it, and the next run goes on by itself")
  func runs() {
    let tap = tap()
    hub.add(tap)
    hub.publish(start(1))
    hub.publish(picture(0, run: 1))
    hub.publish(end(1))
    #expect(tap.newest == nil)
    hub.publish(start(2))
    hub.publish(picture(0, run: 2, keyframe: false))
    #expect(tap.take() == nil)
    hub.publish(picture(1, run: 2))
    #expect(tap.take()?.newest.run == 2)
  }

  @Test("a decoder that could not follow begins again with a keyframe, be it there or still to come")
  func startsOver() {
    let tap = tap()
    hub.add(tap)
    hub.publish(start())
    hub.publish(picture(0))
    _ = tap.take()
    hub.publish(picture(1, keyframe: false))
    tap.startOver()
    hub.publish(picture(2, keyframe: false))
    #expect(tap.take() == nil)
    hub.publish(picture(3))
    #expect(numbers(tap.take()) == [3])
    hub.publish(picture(4))
    tap.startOver()
    hub.publish(picture(5, keyframe: false))
    #expect(numbers(tap.take()) == [4, 5])
  }

  @Test("each item is told once it is there, and nothing after the tap is removed")
  func tells() {
    let tap = tap()
    hub.publish(start())
    hub.publish(picture(0))
    hub.add(tap)
    hub.publish(picture(1))
    hub.publish(gap(2, count: 1))
    hub.publish(end())
    hub.remove(tap)
    hub.publish(start(2))
    #expect(words(heard.items) == ["frame 1", "lost 2+1 driverGap", "end stopped"])
  }

  @Test("who is told may use the hub")
  func tellsWithoutLock() {
    let hub = hub
    let heard = heard
    let tap = FrameTap { _ in if let newest = hub.newest { heard.add(.frame(newest)) } }
    hub.add(tap)
    hub.publish(start())
    hub.publish(picture(3))
    #expect(words(heard.items) == ["frame 3"])
  }
}

private final class Heard: Sendable {
  private let kept = Guarded<[StreamItem]>([])
  func add(_ item: StreamItem) { kept.withLock { $0.append(item) } }
  var items: [StreamItem] { kept.withLock { $0 } }
}
