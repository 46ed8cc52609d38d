import CamrigModel
import Codec
import Glibc
import Recording
import TestSupport
import Testing

@Suite("The shutter", .timeLimit(.minutes(5)))
struct PhotoTakerTests {
  private let shutter = TestShutter()

  private func take(
    _ cameras: [PhotoCamera], _ request: PhotoTakeRequest = PhotoTakeRequest(), isRecording: Bool = false
  ) async throws -> ShotStarted {
    try await shutter.taker.take(PhotoWish(request), cameras: cameras, isRecording: isRecording)
  }

  private func bytes(_ shot: ShotStarted, _ photo: PhotoRecord) -> [UInt8] {
    FileBytes.read(shot.folder + "/" + photo.file)
  }

  @Test("a picture that is not older than the press, kept byte for byte, with EXIF in front")
  func one() async throws {
    let left = shutter.camera("left")
    let jpeg = TestStream.jpeg()
    let pressed = shutter.clock.anchor
    let started = try await take([left.photoCamera()])
    #expect(started.shot == "20261130T090509.401Z" && started.at == pressed.wall)
    let record = await shutter.end(started.shot) { left.frame(jpeg) }
    let photo = try #require(record.photos.first)
    #expect(record.photos.count == 1 && record.failures.isEmpty && record.spreadMilliseconds == nil)
    #expect(photo.file == "\(started.shot)-left.jpg" && photo.camera == left.id && !photo.encoded)
    #expect(photo.at >= pressed.wall && photo.width == 64 && photo.height == 48)
    let bytes = bytes(started, photo)
    #expect(bytes.count == photo.bytes && bytes.suffix(jpeg.count - 20) == jpeg.suffix(jpeg.count - 20))
    #expect(String(decoding: bytes, as: UTF8.self).contains("Exif"))
    #expect(
      shutter.events == [
        .taken(PhotoTaken(shot: started.shot, camera: left.id, file: photo.file)), .finished(record),
      ])
    #expect(shutter.catalog.shots() == [record])
    #expect(ShotFolder(started.shot, in: shutter.media).read() == record)
    #expect(left.demands.withLock { $0 } == 0)
    #expect(shutter.taker.status.last?.file == photo.file)
  }

  @Test("tells the take that recorded its camera when it was taken, which others need not be in")
  func ofTake() async throws {
    let (left, right) = (shutter.camera("left"), shutter.camera("right"))
    let jpeg = TestStream.jpeg()
    let cameras = [left.photoCamera(take: { "20261130T090000Z" }), right.photoCamera()]
    let started = try await take(cameras, isRecording: true)
    let record = await shutter.end(started.shot) { for stream in [left, right] { stream.frame(jpeg) } }
    #expect(record.photos.map(\.take) == ["20261130T090000Z", nil])
    #expect(ShotFolder(started.shot, in: shutter.media).read() == record)
  }

  @Test("several cameras at once, with what they lie apart")
  func several() async throws {
    let streams = ["left", "right"].map { shutter.camera($0) }
    let jpeg = TestStream.jpeg()
    let started = try await take(streams.map { $0.photoCamera() })
    let record = await shutter.end(started.shot) { for stream in streams { stream.frame(jpeg) } }
    #expect(record.photos.map(\.cameraName) == ["left", "right"])
    let spread = try #require(record.spreadMilliseconds)
    // Their pictures come 40 ms after each other in turn.
    #expect(spread == 40)
    let apart = record.photos[1].at.nanoseconds - record.photos[0].at.nanoseconds
    #expect(abs(apart) == 40_000_000)
  }

  @Test("two shots in one millisecond are two folders")
  func sameTime() async throws {
    let left = shutter.camera("left")
    let first = try await take([left.photoCamera()])
    let second = try await take([left.photoCamera()])
    #expect(second.shot == first.shot + "-2")
    let jpeg = TestStream.jpeg()
    for started in [first, second] {
      #expect(await shutter.end(started.shot) { left.frame(jpeg) }.photos.count == 1)
    }
  }

  @Test("an idle camera is opened, passed over while it wakes up, and let go")
  func idle() async throws {
    let left = TestStream("left", clock: shutter.clock)
    let started = try await take([left.photoCamera()])
    await eventually { left.demands.withLock { $0 } == 1 }
    left.begin()
    let (dark, bright) = (TestStream.jpeg(5), TestStream.jpeg(120))
    for number in 0..<15 {
      left.frame(number % 2 == 0 ? dark : TestStream.jpeg(UInt8(5 + number * 2)))
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(shutter.finished.isEmpty)
    let record = await shutter.end(started.shot) { left.frame(bright) }
    let photo = try #require(record.photos.first)
    let picture = bytes(started, photo).withUnsafeBytes { try? JPEGDecoder().decode($0, .luma) }
    #expect(picture?.bytes.allSatisfy { $0 > 100 } == true)
    #expect(left.demands.withLock { $0 } == 0)
  }

  @Test("a camera that gives one picture and then nothing has that one for its photo")
  func onlyOne() async throws {
    let left = TestStream("left", clock: shutter.clock)
    let isSilent = Guarded(false)
    let camera = left.photoCamera(problem: { isSilent.withLock { $0 } ? "left has stalled." : nil })
    let started = try await take([camera])
    await eventually { left.demands.withLock { $0 } == 1 }
    left.begin()
    left.frame(TestStream.jpeg(80))
    isSilent.withLock { $0 = true }
    shutter.clock.advance(by: WarmUp.longest)
    let record = await shutter.end(started.shot) {}
    let photo = try #require(record.photos.first)
    #expect(record.photos.count == 1 && record.failures.isEmpty)
    #expect(photo.at.nanoseconds - started.at.nanoseconds == 40_000_000)
  }

  @Test("the last picture of a camera that has fallen silent is no photo of a later moment")
  func oneTooEarly() async throws {
    let left = TestStream("left", clock: shutter.clock)
    let isSilent = Guarded(false)
    let camera = left.photoCamera(problem: { isSilent.withLock { $0 } ? "left has stalled." : nil })
    let started = try await take([camera], PhotoTakeRequest(timerSeconds: 3))
    await eventually { left.demands.withLock { $0 } == 1 }
    left.begin()
    left.frame(TestStream.jpeg(80))
    isSilent.withLock { $0 = true }
    for _ in 0..<3 { await shutter.sleeper.pass(shutter.clock) }
    let record = await shutter.end(started.shot) {}
    #expect(record.photos.isEmpty && record.failures.map(\.message) == ["left has stalled."])
  }

  @Test("raw pictures become JPEGs of high quality")
  func raw() async throws {
    let left = shutter.camera("left", pixelFormat: .yuyv)
    let started = try await take([left.photoCamera()])
    let raw = (0..<(64 * 48 * 2)).map { UInt8(truncatingIfNeeded: $0 % 2 == 0 ? $0 : 128) }
    let record = await shutter.end(started.shot) { left.frame(raw) }
    let photo = try #require(record.photos.first)
    #expect(photo.encoded)
    let bytes = bytes(started, photo)
    #expect(JPEGCheck.check(bytes) == PixelSize(width: 64, height: 48))
    // Quality 92 divides the first coefficient of the standard table, 16, to 3.
    let table = try #require(bytes.indices.dropLast(5).first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xdb })
    #expect(bytes[table + 5] <= 3)
  }

  @Test("a camera that gives nothing is told, and the others do not suffer")
  func failing() async throws {
    let left = shutter.camera("left")
    let right = shutter.camera("right")
    // What came before the press does not count.
    shutter.clock.advance(by: .milliseconds(1))
    let started = try await take([left.photoCamera(), right.photoCamera(problem: { "right was unplugged." })])
    let jpeg = TestStream.jpeg()
    let record = await shutter.end(started.shot) { left.frame(jpeg) }
    #expect(record.photos.map(\.camera) == [left.id])
    #expect(record.failures == [PhotoFailure(camera: right.id, cameraName: "right", message: "right was unplugged.")])
    #expect(
      shutter.events.contains(
        .failed(PhotoFailed(shot: started.shot, camera: right.id, message: "right was unplugged."))))
  }

  @Test("a shot without a photo leaves nothing behind")
  func nothing() async throws {
    let left = TestStream("left", clock: shutter.clock)
    let started = try await take([left.photoCamera(problem: { "left is busy." })])
    let record = await shutter.end(started.shot) {}
    #expect(record.photos.isEmpty && record.failures.map(\.message) == ["left is busy."])
    #expect(access(started.folder, F_OK) != 0)
    #expect(shutter.catalog.shots().isEmpty)
  }

  @Test("below the reserve nothing is taken, with the figures and at once")
  func reserve() async throws {
    let shutter = TestShutter(reserveBytes: 1 << 60)
    let left = shutter.camera("left")
    let refusal = await shutter.refusal([left.photoCamera()])
    #expect(refusal?.description.contains("are kept free") == true, "\(String(describing: refusal))")
    #expect(left.demands.withLock { $0 } == 0)
  }

  @Test("a self-timer is counted down for everybody, and can be cancelled")
  func timer() async throws {
    let left = shutter.camera("left")
    let started = try await take([left.photoCamera()], PhotoTakeRequest(timerSeconds: 2))
    #expect(started.at.nanoseconds - shutter.clock.anchor.wall.nanoseconds == 2_000_000_000)
    #expect(await shutter.sleeper.pass(shutter.clock) == .seconds(1))
    await eventually { self.shutter.events.count == 2 }
    #expect(
      shutter.events == [
        .countdown(PhotoCountdown(shot: started.shot, secondsLeft: 2)),
        .countdown(PhotoCountdown(shot: started.shot, secondsLeft: 1)),
      ])
    #expect(
      shutter.taker.status.countdown == PhotoStatus.Countdown(shot: started.shot, at: started.at, seconds: 2))
    // Nobody else has the shutter meanwhile.
    await #expect(throws: PhotoError.busy(started.shot)) { try await take([left.photoCamera()]) }
    #expect(try await shutter.taker.cancel(nil) == started.shot)
    let record = await shutter.end(started.shot) {}
    #expect(record.photos.isEmpty && access(started.folder, F_OK) != 0)
    #expect(shutter.taker.status == PhotoStatus())
    await #expect(throws: PhotoError.notRunning(nil)) { try await shutter.taker.cancel(nil) }
  }

  @Test("after the timer the photo is not older than its moment")
  func timed() async throws {
    let left = shutter.camera("left")
    let started = try await take([left.photoCamera()], PhotoTakeRequest(timerSeconds: 1))
    let jpeg = TestStream.jpeg()
    left.frame(jpeg)
    await shutter.sleeper.pass(shutter.clock)
    let record = await shutter.end(started.shot) { left.frame(jpeg) }
    #expect(try #require(record.photos.first).at >= started.at)
  }

  @Test("a burst is one shot, and its photos are different pictures that sort")
  func burst() async throws {
    let left = shutter.camera("left")
    let started = try await take([left.photoCamera()], PhotoTakeRequest(count: 5))
    let jpeg = TestStream.jpeg()
    let record = await shutter.end(started.shot) { left.frame(jpeg) }
    #expect(record.photos.map(\.file) == (1...5).map { "\(started.shot)-left-00\($0).jpg" })
    #expect(record.photos.map(\.number) == [1, 2, 3, 4, 5])
    #expect(Set(record.photos.map(\.at)).count == 5 && record.photos.map(\.at) == record.photos.map(\.at).sorted())
    #expect(shutter.taker.status.burst == nil)
  }
}

extension JPEGCheck {
  /// The size of a whole JPEG.
  static func check(_ bytes: [UInt8]) -> PixelSize? {
    guard case .good(let layout) = bytes.withUnsafeBytes({ check($0, expecting: nil) }) else { return nil }
    return layout.size
  }
}
