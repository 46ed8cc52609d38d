import CamrigModel
import RigControl
import TestSupport
import Testing

@Suite("The events of the rig", .timeLimit(.minutes(5)))
struct EventBusTests {
  private func event(_ number: Int) -> RigEvent { .cameraForgotten(CameraID("\(number)")) }

  private func word(_ event: RigEvent) -> String {
    switch event {
    case .eventsLost(let count): "lost \(count)"
    case .torches(let torches): "\(torches.count) torches"
    case .cameraForgotten(let id): id.rawValue
    case .controls(let changed): "controls \(changed.camera)"
    case .camera, .microphone, .microphoneForgotten, .armed, .take, .takeRepaired: "?"
    case .photo, .timelapse: "?"
    }
  }

  private func words(_ feed: EventFeed) async -> [String] {
    var words: [String] = []
    for await event in feed { words.append(word(event)) }
    return words
  }

  @Test("go to every subscriber in their order, from its subscription to the end")
  func order() async {
    let bus = EventBus()
    let early = bus.subscribe()
    for number in 0..<3 { bus.publish(event(number)) }
    let late = bus.subscribe()
    bus.publish(event(3))
    bus.finish()
    bus.publish(event(4))
    #expect(await words(early) == ["0", "1", "2", "3"])
    #expect(await words(late) == ["3"])
    #expect(await words(bus.subscribe()).isEmpty)
  }

  @Test("that a subscriber was too slow for are counted, and it is told so in their place")
  func tooSlow() async {
    let bus = EventBus()
    let (slow, quick) = (bus.subscribe(), bus.subscribe())
    var read: [String] = []
    for number in 0..<600 {
      bus.publish(event(number))
      if let event = await quick.next() { read.append(word(event)) }
    }
    bus.finish()
    #expect(read == (0..<600).map(String.init))
    #expect(await words(slow) == ["lost 88"] + (88..<600).map(String.init))
  }

  @Test("that were lost before they came to the bus are told of, and are not forgotten by a second loss")
  func lostBefore() async {
    let bus = EventBus()
    let feed = bus.subscribe()
    bus.publish(.eventsLost(7))
    for number in 0..<520 { bus.publish(event(number)) }
    bus.finish()
    #expect(await words(feed) == ["lost 15"] + (8..<520).map(String.init))
  }

  @Test("do not reach whoever has stopped reading, and a waiting reader ends with its task")
  func ends() async {
    let bus = EventBus()
    let feed = bus.subscribe()
    let reader = Task { await feed.next() == nil }
    reader.cancel()
    #expect(await reader.value)
    bus.publish(event(1))
    #expect(await feed.next() == nil)
  }
}
