import CamrigModel
import Frames
import Testing

@Suite("Sound shared among readers")
struct SoundHubTests {
  private static let run = SoundRun(number: 1, rate: 1000, channels: 2, time: .at(0))

  /// A block of `count` sample frames of the run above.
  private func block(at position: Int64, count: Int = 100) -> SoundItem {
    .block(
      SoundBlock(
        run: 1, position: position, presentationTime: .at(position), channels: 2,
        samples: [Float](repeating: 0, count: count * 2)))
  }

  private func describe(_ items: [SoundItem]?) -> [String] {
    (items ?? []).map { item in
      switch item {
      case .started(let run): "started \(run.number)"
      case .block(let block): "block \(block.position)+\(block.count)"
      case .lost(let loss): "lost \(loss.position)+\(loss.count) \(loss.cause.rawValue)"
      case .ended(let end): "ended \(end.reason.rawValue)"
      }
    }
  }

  @Test("a reader that comes later gets the run's start and the sound since the moment it asks for")
  func preroll() {
    let hub = SoundHub(prerollLength: .milliseconds(300))
    hub.publish(.started(Self.run))
    for position in stride(from: Int64(0), to: 1000, by: 100) { hub.publish(block(at: position)) }
    let queue = SoundQueue(capacitySamples: 10_000)
    hub.add(queue, from: .at(750))
    hub.publish(block(at: 1000))
    #expect(
      describe(queue.take()) == ["started 1", "block 700+100", "block 800+100", "block 900+100", "block 1000+100"])
  }

  @Test("the ring holds no more than its length, losses included")
  func ringIsBounded() {
    let hub = SoundHub(prerollLength: .milliseconds(200))
    hub.publish(.started(Self.run))
    hub.publish(block(at: 0))
    hub.publish(.lost(SoundLoss(cause: .xrun, run: 1, position: 100, count: 400, time: .at(100))))
    hub.publish(block(at: 500))
    let queue = SoundQueue(capacitySamples: 10_000)
    hub.add(queue, from: .at(0))
    #expect(describe(queue.take()) == ["started 1", "lost 100+400 xrun", "block 500+100"])
  }

  @Test("sound of an earlier run is not given to whoever comes in the next")
  func newRun() {
    let hub = SoundHub(prerollLength: .seconds(1))
    hub.publish(.started(Self.run))
    hub.publish(block(at: 0))
    hub.publish(.ended(StreamEnd(run: 1, reason: .unplugged, time: .at(100))))
    #expect(hub.run == nil)
    let queue = SoundQueue(capacitySamples: 10_000)
    hub.add(queue, from: .at(0))
    #expect(describe(queue.take()) == [])
  }

  @Test("what a full queue does not take is one exact loss in its place")
  func overflow() {
    let queue = SoundQueue(capacitySamples: 400)
    for position in stride(from: Int64(0), to: 500, by: 100) { queue.offer(block(at: position)) }
    #expect(describe(queue.take()) == ["block 0+100", "block 100+100", "lost 200+300 queueOverflow"])
    queue.offer(block(at: 500))
    #expect(describe(queue.take()) == ["block 500+100"])
  }

  @Test("a closed queue gives what waits, then nil")
  func close() {
    let queue = SoundQueue(capacitySamples: 400)
    queue.offer(block(at: 0))
    queue.close()
    queue.offer(block(at: 100))
    #expect(describe(queue.take()) == ["block 0+100"])
    #expect(queue.take() == nil)
  }

  @Test("a listener hears each item until it is removed")
  func listener() {
    let heard = Guarded([String]())
    let hub = SoundHub(prerollLength: .zero)
    let number = hub.addListener { item in
      let text = describe([item])
      heard.withLock { $0 += text }
    }
    hub.publish(.started(Self.run))
    hub.publish(block(at: 0))
    hub.removeListener(number)
    hub.publish(block(at: 100))
    #expect(heard.withLock { $0 } == ["started 1", "block 0+100"])
  }
}

extension MediaTime {
  fileprivate static func at(_ milliseconds: Int64) -> MediaTime { MediaTime(nanoseconds: milliseconds * 1_000_000) }
}
