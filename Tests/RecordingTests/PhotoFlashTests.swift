import CamrigModel
import Codec
import Glibc
import Recording
import TestSupport
import Testing

/// A light that is switched, and what a camera sees by it.
private final class TestLight: Sendable {
  private let state = Guarded((isOn: false, switched: [String]()))
  let lit: PhotoFlash.Lit

  init(_ lit: PhotoFlash.Lit = PhotoFlash.Lit(cameras: nil)) { self.lit = lit }

  var isOn: Bool { state.withLock { $0.isOn } }
  var switched: [String] { state.withLock { $0.switched } }

  var flash: PhotoFlash {
    PhotoFlash(
      on: { [self] in
        state.withLock { $0 = (!lit.isDark, $0.switched + ["on"]) }
        return lit
      }, restore: { [self] in state.withLock { $0 = (false, $0.switched + ["off"]) } })
  }
}

@Suite("A photo with light", .timeLimit(.minutes(5)))
struct PhotoFlashTests {
  private let shutter = TestShutter()
  private let dark = TestStream.jpeg(10)
  private let glaring = TestStream.jpeg(250)
  private let bright = TestStream.jpeg(120)

  private func take(
    _ camera: TestStream, _ light: TestLight, _ request: PhotoTakeRequest = PhotoTakeRequest()
  ) async throws -> ShotStarted {
    var request = request
    request.flash = .on
    return try await shutter.taker.take(
      PhotoWish(request), cameras: [camera.photoCamera()], flash: light.flash)
  }

  private func luma(_ shot: ShotStarted, _ photo: PhotoRecord) -> UInt8? {
    FileBytes.read(shot.folder + "/" + photo.file).withUnsafeBytes { try? JPEGDecoder().decode($0, .luma) }?.bytes.first
  }

  @Test("is taken when the camera has got used to the light, which goes off afterwards")
  func lit() async throws {
    let left = shutter.camera("left")
    let light = TestLight()
    let started = try await take(left, light)
    let glare = Guarded(0)
    // Its exposure needs a while.
    let record = await shutter.end(started.shot) {
      guard light.isOn else { return left.frame(dark) }
      let count = glare.withLock { count in
        count += 1
        return count
      }
      left.frame(count < 5 ? glaring : bright)
    }
    let photo = try #require(record.photos.first)
    #expect(photo.flash == true)
    #expect(luma(started, photo).map { (110...130).contains($0) } == true)
    #expect(light.switched == ["on", "off"])
    let bytes = FileBytes.read(started.folder + "/" + photo.file)
    // 0x9209, a short, one of them, 9: fired, and was asked to.
    let tag: [UInt8] = [0x09, 0x92, 3, 0, 1, 0, 0, 0, 9, 0]
    #expect(bytes.indices.dropLast(10).contains { bytes[$0..<$0 + 10].elementsEqual(tag) })
  }

  @Test("that was not asked for leaves the lights alone")
  func unasked() async throws {
    let left = shutter.camera("left")
    let light = TestLight()
    let started = try await shutter.taker.take(
      PhotoWish(PhotoTakeRequest()), cameras: [left.photoCamera()], flash: light.flash)
    let record = await shutter.end(started.shot) { left.frame(dark) }
    #expect(record.photos.map(\.flash) == [nil])
    #expect(light.switched == [])
  }

  @Test("after a self-timer has its light in time, and is not late")
  func timer() async throws {
    let left = shutter.camera("left")
    let light = TestLight()
    let started = try await take(left, light, PhotoTakeRequest(timerSeconds: 4))
    for _ in 0..<2 { await shutter.sleeper.pass(shutter.clock) }
    // Two seconds before the picture; the clock stands still until the cameras give more.
    await eventually { light.isOn }
    #expect(started.at.nanoseconds - shutter.clock.anchor.wall.nanoseconds == 2_000_000_000)
    let record = await shutter.end(started.shot) {
      left.frame(bright)
      shutter.sleeper.endAll()
    }
    let photo = try #require(record.photos.first)
    #expect(photo.at >= started.at && photo.flash == true)
    #expect(light.switched == ["on", "off"])
  }

  @Test("a fast burst keeps its light, a slow one has it for each picture")
  func burst() async throws {
    let left = shutter.camera("left")
    for (interval, times) in [(nil, 1), (8.0, 3)] {
      let light = TestLight()
      let started = try await take(left, light, PhotoTakeRequest(count: 3, intervalSeconds: interval))
      let record = await shutter.end(started.shot) {
        left.frame(light.isOn ? bright : dark)
        shutter.sleeper.endAll()
      }
      #expect(record.photos.map(\.flash) == [true, true, true])
      #expect(record.photos.allSatisfy { luma(started, $0).map { $0 > 100 } == true })
      #expect(light.switched == Array(repeating: ["on", "off"], count: times).flatMap { $0 })
    }
  }

  @Test("that is cancelled leaves no light on", arguments: [0.0, 2.0])
  func cancelled(_ timer: Double) async throws {
    let left = shutter.camera("left")
    let light = TestLight()
    let started = try await take(left, light, PhotoTakeRequest(timerSeconds: timer))
    await eventually { light.isOn }
    _ = try await shutter.taker.cancel(nil)
    let record = await shutter.end(started.shot) {}
    #expect(record.photos.isEmpty)
    #expect(light.switched == ["on", "off"])
  }

  @Test("one whose light fails is taken without it, and says so")
  func failing() async throws {
    let left = shutter.camera("left")
    let light = TestLight(PhotoFlash.Lit(failures: [PhotoFlash.Lit.Failure(camera: left.id, message: "It is broken.")]))
    let started = try await take(left, light)
    let record = await shutter.end(started.shot) { left.frame(dark) }
    #expect(record.photos.map(\.flash) == [nil])
    #expect(record.failures == [PhotoFailure(camera: left.id, cameraName: "left", message: "It is broken.")])
    #expect(light.switched == ["on", "off"])
  }

  @Test("has the shutter for itself, for another would have its light by chance")
  func exclusive() async throws {
    let left = shutter.camera("left")
    let light = TestLight()
    let started = try await take(left, light)
    await #expect(throws: PhotoError.busy(started.shot)) { try await take(left, light) }
    _ = await shutter.end(started.shot) { left.frame(bright) }
  }
}
