import CamrigModel
import Codec
import Frames
import Streaming
import TestSupport
import Testing

@Suite("One picture of a camera", .timeLimit(.minutes(5)))
struct OnePictureTests {
  private let hub = FrameHub(prerollLength: .seconds(5), prerollCapacityBytes: 8 << 20)
  private let orders = CameraOrdersSeen()
  private let preview: CameraPreview

  init() {
    let orders = orders
    preview = CameraPreview(
      PreviewCamera(hub: hub, demand: { orders.add("demand") }, release: { orders.add("release") }))
  }

  private func frame(_ outcome: OnePicture) -> Frame? {
    if case .picture(let frame) = outcome { frame } else { nil }
  }

  private func why(_ outcome: OnePicture) -> String? {
    if case .none(let why) = outcome { why } else { nil }
  }

  @Test(
    "is the newest when the camera is ready; it is open meanwhile, and nothing is made of what comes before",
    arguments: [PreviewForm(), PreviewForm(longEdge: 320)])
  func ready(form: PreviewForm) async throws {
    let camera = try PatternCamera()
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let (preview, orders) = (preview, orders)
    let one = Task {
      await OnePicture.of(preview, form, within: .seconds(240)) {
        for await _ in gate { break }
        return nil
      }
    }
    await eventually { orders.all == ["demand"] }
    hub.publish(camera.pictures.start)
    for sequence in UInt64(0)...5 { hub.publish(.frame(try camera.frame(sequence))) }
    opener.yield()
    let picture = try #require(frame(await one.value))
    #expect(picture.sequence == 5)
    #expect(picture.size.longEdge == (form.longEdge == 320 ? 320 : 1280))
    #expect(preview.status.madeCount <= 1 && preview.status.shownCount == 1)
    #expect(orders.all == ["demand", "release"])
  }

  @Test("of a camera that is ready and has none yet it is the next one")
  func next() async throws {
    let camera = try PatternCamera()
    let (preview, orders) = (preview, orders)
    let one = Task { await OnePicture.of(preview, PreviewForm(), within: .seconds(240)) { nil } }
    await eventually { orders.all == ["demand"] }
    hub.publish(camera.pictures.start)
    hub.publish(.frame(try camera.frame(7)))
    #expect(frame(await one.value)?.sequence == 7)
  }

  @Test("where no picture comes the reason is said at once; one that has come is shown all the same")
  func problem() async throws {
    let nothing = await OnePicture.of(preview, PreviewForm(), within: .seconds(240)) { "left is in use." }
    #expect(why(nothing) == "left is in use.")
    let camera = try PatternCamera()
    hub.publish(camera.pictures.start)
    hub.publish(.frame(try camera.frame(0)))
    for edge in [1280, 320] {
      let last = await OnePicture.of(preview, PreviewForm(longEdge: edge), within: .seconds(240)) { "left is silent." }
      #expect(frame(last)?.size.longEdge == edge)
    }
  }

  @Test("a camera that is silent is given up when its time is over")
  func late() async {
    let none = await OnePicture.of(preview, PreviewForm(), within: .milliseconds(1)) { nil }
    #expect(frame(none) == nil && why(none) == nil)
    #expect(orders.all == ["demand", "release"])
  }
}
