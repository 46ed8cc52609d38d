import CamrigModel
import Codec
import Recording
import TestSupport
import Testing

@Suite("A photo of an H.264 camera", .timeLimit(.minutes(5)))
struct PhotoH264Tests {
  private let shutter = TestShutter()

  private func press(_ camera: H264Camera) async throws -> ShotStarted {
    try await shutter.taker.take(PhotoWish(PhotoTakeRequest()), cameras: [camera.photoCamera])
  }

  /// It is whole, and shows the picture of its moment and no other.
  private func check(_ started: ShotStarted, _ record: ShotRecord, _ camera: H264Camera) throws {
    #expect(record.failures.isEmpty)
    let photo = try #require(record.photos.first)
    #expect(photo.at >= started.at)
    #expect(photo.encoded)
    let bytes = FileBytes.read(started.folder + "/" + photo.file)
    #expect(JPEGCheck.check(bytes) == H264Camera.size)
    let picture = try bytes.withUnsafeBytes { try JPEGDecoder().decode($0, .luma) }
    let mean = Double(picture.bytes.reduce(0) { $0 + Int($1) }) / Double(picture.bytes.count)
    let wanted = try #require(camera.lightness(at: photo.at))
    #expect(abs(mean - wanted) < 6, "\(mean) for \(wanted)")
    #expect(camera.stream.demands.withLock { $0 } == 0)
  }

  @Test("that is joined between two keyframes is asked for one, and the photo is the first that can be shown")
  func obeys() async throws {
    let camera = try H264Camera("left", .asked, clock: shutter.clock)
    for _ in 0..<3 { camera.next() }
    let started = try await press(camera)
    let record = await shutter.end(started.shot) {
      // It waits with its pictures, so that however late the shutter is nothing is over before it looks.
      if camera.requests > 0, camera.keyframesSent == 0 { camera.next() }
    }
    try check(started, record, camera)
    #expect(camera.requests > 0 && camera.keyframesSent == 1)
  }

  @Test("that takes no notice of the request is waited for until its own keyframe")
  func disobeys() async throws {
    let camera = try H264Camera("left", .eachSecond, clock: shutter.clock)
    for _ in 0..<3 { camera.next() }
    let started = try await press(camera)
    let record = await shutter.end(started.shot) {
      // As many as there are in a second and a half, the keyframe and some that build on it among them.
      if camera.requests > 0, camera.picturesSent < 40 { camera.next() }
    }
    try check(started, record, camera)
    #expect(camera.requests > 0)
    // The pictures before it cannot be shown.
    let photo = try #require(record.photos.first)
    #expect(photo.at.nanoseconds - started.at.nanoseconds >= 600_000_000)
  }

  @Test("whose keyframe is damaged is asked for another one, and the damage is no photo")
  func damaged() async throws {
    let camera = try H264Camera("left", .asked, clock: shutter.clock)
    for _ in 0..<3 { camera.next() }
    let started = try await press(camera)
    let record = await shutter.end(started.shot) {
      // One more request may have been on its way while the damaged keyframe came.
      let isFirst = camera.keyframesSent == 0
      if camera.requests > (isFirst ? 0 : camera.requestsAtKeyframe + 1), camera.keyframesSent < 2 {
        camera.next(damaged: isFirst)
      }
    }
    try check(started, record, camera)
    #expect(camera.keyframesSent == 2)
  }

  @Test("whose keyframe is in the ring is not asked: the newest picture is the photo, made by those it builds on")
  func fromRing() async throws {
    let camera = try H264Camera("left", .eachSecond, clock: shutter.clock)
    for _ in 0..<30 { camera.next() }
    let started = try await press(camera)
    let record = await shutter.end(started.shot) {
      if camera.picturesSent < 33 { camera.next() }
    }
    try check(started, record, camera)
    #expect(camera.requests == 0)
  }
}
