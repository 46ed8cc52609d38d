import CamrigModel
import Codec
import Frames
import Streaming
import TestSupport
import Testing

@Suite("A camera's preview", .timeLimit(.minutes(5)))
struct CameraPreviewTests {
  private let hub = FrameHub(prerollLength: .seconds(5), prerollCapacityBytes: 8 << 20)
  private let orders = CameraOrdersSeen()
  private let clock = TestClock()
  private let preview: CameraPreview

  init() {
    let orders = orders
    preview = CameraPreview(
      PreviewCamera(
        hub: hub, parameterSets: { orders.sets }, requestKeyframe: { orders.add("keyframe") },
        demand: { orders.add("demand") }, release: { orders.add("release") }), clock: clock)
  }

  /// Asks until a picture is there.
  private func wait(_ reader: PreviewReader) async throws -> PreviewPicture {
    let found = Found()
    await eventually { found.take(reader.next()) }
    return try #require(found.picture)
  }

  private func jpegSize(_ picture: PreviewPicture) -> PixelSize? {
    picture.frame.withBytes { bytes in
      if case .good(let layout) = JPEGCheck.check(bytes, expecting: nil) { layout.size } else { nil }
    }
  }

  // MARK: As the camera sends them

  @Test("a JPEG that fits reaches the viewer uncopied, on the camera's thread, without another")
  func passthrough() throws {
    let camera = try PatternCamera()
    let told = Count()
    let reader = preview.open(PreviewForm()) { told.add() }
    hub.publish(camera.pictures.start)
    #expect(reader.next() == nil)
    let frame = try camera.frame(0)
    hub.publish(.frame(frame))
    #expect(told.value == 1)
    clock.advance(by: .milliseconds(40))
    let picture = try #require(reader.next())
    #expect(picture.frame === frame)
    #expect(picture.sequence == 0)
    #expect(picture.presentationTime == frame.presentationTime)
    #expect(picture.size == frame.size)
    #expect(picture.age == .milliseconds(40))
    #expect(!preview.status.isMaking)
  }

  @Test("who comes first has the ring's newest picture at once")
  func instantFirst() throws {
    let camera = try PatternCamera()
    hub.publish(camera.pictures.start)
    for sequence in UInt64(0)...2 { hub.publish(.frame(try camera.frame(sequence))) }
    let reader = preview.open(PreviewForm()) {}
    #expect(reader.next()?.frame === hub.newest)
    #expect(reader.next() == nil)
  }

  @Test("the camera is wanted open once for each viewer, and let go once for each that goes, however it goes")
  func demand() {
    let first = preview.open(PreviewForm()) {}
    var second: PreviewReader? = preview.open(PreviewForm()) {}
    #expect(orders.all == ["demand", "demand"])
    first.close()
    first.close()
    #expect(orders.all == ["demand", "demand", "release"])
    _ = second
    second = nil
    #expect(orders.all == ["demand", "demand", "release", "release"])
    #expect(preview.status.viewerCount == 0)
  }

  @Test("while nobody looks no picture is held and nothing is heard")
  func nobody() throws {
    let camera = try PatternCamera()
    let small = FrameHub(prerollLength: .zero, prerollCapacityBytes: 1)
    let preview = CameraPreview(PreviewCamera(hub: small))
    let reader = preview.open(PreviewForm()) {}
    small.publish(camera.pictures.start)
    small.publish(.frame(try camera.frame(0)))
    #expect(preview.source == PreviewSource(format: .mjpeg, size: camera.pictures.size))
    weak var first: Frame?
    first = small.newest
    #expect(first != nil)
    reader.close()
    small.publish(.frame(try camera.frame(1)))
    #expect(first == nil)
    #expect(preview.source == nil)
  }

  @Test("a viewer that does not read holds nothing, and holds up neither the camera nor another viewer")
  func stalled() throws {
    let camera = try PatternCamera()
    let small = FrameHub(prerollLength: .zero, prerollCapacityBytes: 1)
    let preview = CameraPreview(PreviewCamera(hub: small))
    let stalled = preview.open(PreviewForm()) {}
    let fast = preview.open(PreviewForm()) {}
    small.publish(camera.pictures.start)
    weak var earlier: Frame?
    for sequence in UInt64(0)..<20 {
      let frame = try camera.frame(sequence)
      small.publish(.frame(frame))
      #expect(fast.next()?.frame === frame)
      #expect(earlier == nil)
      earlier = frame
    }
    #expect(stalled.next()?.skipped == 19)
  }

  // MARK: Made

  @Test(
    "a viewer of smaller pictures gets them, with the time and number of the camera's",
    arguments: [
      PixelFormat.mjpeg, .yuyv, .uyvy, .nv12, .yu12, .grey,
    ])
  func scaled(format: PixelFormat) async throws {
    let camera = try PatternCamera(format)
    let reader = preview.open(PreviewForm(longEdge: 640)) {}
    hub.publish(camera.pictures.start)
    for sequence in UInt64(0)...2 {
      hub.publish(.frame(try camera.frame(sequence)))
      let picture = try await wait(reader)
      #expect(picture.sequence == sequence)
      #expect(picture.presentationTime == Pictures.time(sequence))
      #expect(picture.size == PixelSize(width: 640, height: 360))
      #expect(jpegSize(picture) == picture.size)
      #expect(picture.skipped == 0)
    }
  }

  @Test("what several want alike is made once and shared")
  func shared() async throws {
    let camera = try PatternCamera()
    hub.publish(camera.pictures.start)
    hub.publish(.frame(try camera.frame(0)))
    let readers = (0..<8).map { _ in preview.open(PreviewForm(longEdge: 640)) {} }
    for sequence in UInt64(1)...5 {
      hub.publish(.frame(try camera.frame(sequence)))
      var frames: [Frame] = []
      for reader in readers {
        let found = Found()
        await eventually { found.take(reader.next()) && found.picture?.sequence == sequence }
        frames.append(try #require(found.picture).frame)
      }
      for frame in frames { #expect(frame === frames[0]) }
    }
    #expect(preview.status.madeCount <= 6)
    #expect(preview.status.sizesMade == [PixelSize(width: 640, height: 360)])
  }

  @Test("there is a thread while somebody needs pictures made, and only then; a new need starts another")
  func thread() async throws {
    let camera = try PatternCamera()
    hub.publish(camera.pictures.start)
    hub.publish(.frame(try camera.frame(0)))
    let preview = preview
    for round in UInt64(1)...3 {
      let reader = preview.open(PreviewForm(longEdge: 320)) {}
      #expect(preview.status.isMaking)
      hub.publish(.frame(try camera.frame(round)))
      #expect(try await wait(reader).size.longEdge == 320)
      if round == 2 { reader.setForm(PreviewForm()) } else { reader.close() }
      await eventually { !preview.status.isMaking }
      reader.close()
    }
  }

  @Test("who needs pictures made after others did gets the newest one at once", arguments: [PixelFormat.mjpeg, .nv12])
  func again(format: PixelFormat) async throws {
    let camera = try PatternCamera(format)
    hub.publish(camera.pictures.start)
    hub.publish(.frame(try camera.frame(0)))
    // As long as one looks, what the tap has given is gone from it.
    let other = preview.open(PreviewForm()) {}
    for _ in 0..<3 {
      let reader = preview.open(PreviewForm(longEdge: 320)) {}
      #expect(try await wait(reader).sequence == 0)
      reader.close()
      let preview = preview
      if format == .mjpeg { await eventually { !preview.status.isMaking } }
    }
    other.close()
  }

  @Test("a maker that is slower than the camera takes the newest picture, and tells what it passed over")
  func newest() async throws {
    let camera = try PatternCamera()
    hub.publish(camera.pictures.start)
    let reader = preview.open(PreviewForm(longEdge: 640)) {}
    var next: UInt64 = 0
    var counted = 0
    var last: UInt64?
    for _ in 0..<10 {
      for _ in 0..<7 {
        hub.publish(.frame(try camera.frame(next)))
        next += 1
      }
      let picture = try await wait(reader)
      if let last { #expect(picture.sequence > last) }
      last = picture.sequence
      counted += picture.skipped + 1
    }
    // Each picture is either shown or counted, but those that came since.
    #expect(counted <= Int(next) && counted >= Int(next) - 7)
  }

  @Test("a damaged picture is shown to nobody; the next one is")
  func damaged() async throws {
    let camera = try PatternCamera()
    let reader = preview.open(PreviewForm(longEdge: 640)) {}
    hub.publish(camera.pictures.start)
    #expect(reader.next() == nil)
    let whole = try camera.bytes(0)
    hub.publish(.frame(camera.pictures.frame(0, bytes: Array(whole[0..<(whole.count / 2)]))))
    let preview = preview
    await eventually { preview.status.damagedCount == 1 }
    #expect(reader.next() == nil)
    hub.publish(.frame(try camera.frame(1)))
    #expect(try await wait(reader).sequence == 1)
  }

  @Test("another size, another format and another run are followed by themselves")
  func changes() async throws {
    let reader = preview.open(PreviewForm(longEdge: 640)) {}
    let cameras = [
      try PatternCamera(.mjpeg, PixelSize(width: 1280, height: 720)),
      try PatternCamera(.mjpeg, PixelSize(width: 640, height: 480), run: 2),
      try PatternCamera(.yuyv, PixelSize(width: 640, height: 480), run: 3),
      try PatternCamera(.mjpeg, PixelSize(width: 1920, height: 1080), run: 4),
    ]
    for (camera, edge) in zip(cameras, [640, 640, 640, 480]) {
      hub.publish(camera.pictures.start)
      hub.publish(.frame(try camera.frame(0)))
      let picture = try await wait(reader)
      #expect(picture.frame.run == camera.pictures.run)
      #expect(picture.size.longEdge == edge)
      hub.publish(camera.pictures.end)
    }
  }

  @Test("viewers that come, go and change while the camera sends lose nothing and leave nothing")
  func crowd() async throws {
    let camera = try PatternCamera(.mjpeg, PixelSize(width: 320, height: 240))
    let frames = try (UInt64(0)..<200).map { try camera.frame($0) }
    let hub = hub
    let preview = preview
    hub.publish(camera.pictures.start)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for frame in frames {
          hub.publish(.frame(frame))
          await Task.yield()
        }
      }
      for index in 0..<8 {
        group.addTask {
          for round in 0..<10 {
            let form = PreviewForm(longEdge: (index + round) % 2 == 0 ? 160 : 640)
            let reader = preview.open(form) {}
            let picture = try await self.wait(reader)
            #expect(picture.size.longEdge == ((index + round) % 2 == 0 ? 160 : 320))
            reader.setForm(PreviewForm(longEdge: 80))
            reader.close()
            #expect(reader.next() == nil)
          }
        }
      }
      try await group.waitForAll()
    }
    await eventually { !preview.status.isMaking }
    #expect(preview.status.viewerCount == 0)
    #expect(orders.all.filter { $0 == "demand" }.count == orders.all.filter { $0 == "release" }.count)
  }
}

/// What a preview asked of its camera.
final class CameraOrdersSeen: Sendable {
  private let seen = Guarded<[String]>([])
  private let known = Guarded<H264ParameterSets?>(nil)
  func add(_ order: String) { seen.withLock { $0.append(order) } }
  var all: [String] { seen.withLock { $0 } }
  var sets: H264ParameterSets? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }
}

/// The picture that a test waited for.
final class Found: Sendable {
  private let kept = Guarded<PreviewPicture?>(nil)
  func take(_ picture: PreviewPicture?) -> Bool {
    kept.withLock { kept in
      if let picture { kept = picture }
      return kept != nil
    }
  }
  var picture: PreviewPicture? { kept.withLock { $0 } }
}

final class Count: Sendable {
  private let count = Guarded(0)
  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}
