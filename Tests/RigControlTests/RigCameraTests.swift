import CamrigModel
import CaptureSupport
import Glibc
import RigControl
import Settings
import TestSupport
import Testing

@Suite("The rig's cameras", .timeLimit(.minutes(5)), .serialized)
struct RigCameraTests {
  private let one = CameraID("test-1")

  @Test("armed they are open, and closed when that ends")
  func arms() async throws {
    let bench = RigBench(demo: 2)
    try await bench.rig.start()
    #expect(await bench.state(one) == .idle)
    #expect(await bench.rig.arm(true).armed)
    await bench.become(one, .streaming)
    await bench.become(CameraID("test-2"), .streaming)
    #expect(!(await bench.rig.arm(false).armed))
    await bench.become(one, .idle)
    await bench.become(CameraID("test-2"), .idle)
    await eventually {
      bench.events.compactMap { if case .armed(let armed) = $0 { armed } else { nil } } == [true, false]
    }
    await bench.rig.shutdown()
  }

  @Test("a choice that the disk refuses holds, and the rig's troubles name it until the disk takes it")
  func unkept() async throws {
    let bench = RigBench(demo: 0)
    try await bench.rig.start()
    let webcam = await bench.plug(1)
    #expect(await bench.rig.status().troubles.isEmpty)
    // The file is written anew under this name, just now perhaps.
    let obstacle = bench.directory.path + "/settings.json.new"
    await eventually { mkdir(obstacle, 0o700) == 0 }
    let request = { CameraSetRequest(camera: webcam.rawValue, picture: $0) }
    _ = try await bench.rig.setCamera(request(PictureChoice(mirror: true)))
    // It is kept a moment later.
    await eventually {
      bench.timer.expireAll()
      return await bench.rig.status().troubles.contains { $0.contains("settings.json") }
    }
    #expect(await bench.rig.cameras().first?.picture == PictureChoice(mirror: true))
    rmdir(obstacle)
    _ = try await bench.rig.setCamera(request(PictureChoice(rotate: 180)))
    await eventually {
      bench.timer.expireAll()
      return await bench.rig.status().troubles.isEmpty
    }
    await bench.rig.shutdown()
  }

  @Test(
    "a picture that is turned stays so when it is plugged in again; H.264 that cannot be turned is refused, and says why"
  )
  func turned() async throws {
    let bench = RigBench(demo: 0)
    try await bench.rig.start()
    let webcam = await bench.plug(1)
    let choice = PictureChoice(mirror: true, rotate: 90)
    #expect(
      try await bench.rig.setCamera(CameraSetRequest(camera: webcam.rawValue, picture: choice)).picture == choice)
    bench.unplug(1)
    await bench.become(webcam, .offline)
    do throws(RigError) {
      _ = try await bench.rig.setCamera(CameraSetRequest(camera: webcam.rawValue, format: .h264))
      Issue.record("H.264 is not turned")
    } catch {
      #expect(error.code == .pictureRefused)
      // It is not plugged in: what it offers nobody knows.
      #expect(error.message.contains("if it has one: camrigctl camera set CAMERA --format"))
    }
    _ = await bench.rig.arm(true)
    await bench.plug(1)
    await bench.become(webcam, .streaming)
    let camera = try await bench.rig.camera(webcam.rawValue)
    #expect(camera.picture == choice && camera.wish.pixelFormat == nil && camera.pictureRefusal == nil)
    let granted = try #require(camera.granted).size
    let upright = PixelSize(width: granted.height, height: granted.width)
    await eventually { (try? await bench.rig.camera(webcam.rawValue))?.delivered?.size == upright }
    await bench.rig.shutdown()
  }

  @Test("one that comes while the rig is armed is opened too, and one that is switched off is let go")
  func armsLate() async throws {
    let bench = RigBench(demo: 1)
    try await bench.rig.start()
    _ = await bench.rig.arm(true)
    let webcam = await bench.plug(1)
    await bench.become(webcam, .streaming)
    #expect(try await bench.rig.enableCamera(webcam.rawValue, false).state == .disabled)
    _ = try await bench.rig.enableCamera(webcam.rawValue, true)
    await bench.become(webcam, .streaming)
    bench.unplug(1)
    await bench.become(webcam, .offline)
    await bench.plug(1)
    await bench.become(webcam, .streaming)
    await bench.rig.shutdown()
  }

  @Test("armed, they stay open after a take; not armed, they do not")
  func armedTake() async throws {
    let bench = RigBench(demo: 1)
    try await bench.rig.start()
    _ = await bench.rig.arm(true)
    await bench.become(one, .streaming)
    _ = try await bench.rig.startRecording(RecordingStartRequest())
    _ = await bench.rig.arm(false)
    #expect(await bench.state(one) == .streaming)
    _ = await bench.rig.arm(true)
    _ = try await bench.rig.stopRecording()
    #expect(await bench.state(one) == .streaming)
    _ = await bench.rig.arm(false)
    await bench.become(one, .idle)
    await bench.rig.shutdown()
  }

  @Test("KeepOpen= opens them at the start, and a reload without it closes them")
  func keepsOpen() async throws {
    let bench = RigBench(demo: 1) { $0.cameras.keepOpen = true }
    try await bench.rig.start()
    await bench.become(one, .streaming)
    #expect(!(await bench.rig.status().armed))
    await bench.rig.use(RigBench.configuration)
    await bench.become(one, .idle)
    await bench.rig.shutdown()
  }

  @Test("DefaultSize= and DefaultRate= are what a camera opens with")
  func defaults() async throws {
    let bench = RigBench(demo: 1) {
      $0.cameras.defaultSize = PixelSize(width: 640, height: 400)
      $0.cameras.defaultRate = FrameRate(15)
      $0.cameras.keepOpen = true
    }
    try await bench.rig.start()
    await bench.become(one, .streaming)
    #expect(try await bench.rig.camera("test-1").granted?.description == "MJPG 640x360 at 15")
    await bench.rig.shutdown()
  }

  @Test("a reload counts for what it may, and the media directory stays where it was")
  func reloads() async throws {
    let bench = RigBench(demo: 1)
    try await bench.rig.start()
    var configuration = RigBench.configuration
    configuration.rig.name = "Stage"
    configuration.storage.diskReserveBytes = 1 << 50
    configuration.storage.mediaDirectory = "/nowhere"
    await bench.rig.use(configuration)
    let status = await bench.rig.status()
    #expect(status.name == "Stage")
    #expect(status.storage.directory == bench.directory.path + "/takes")
    #expect(status.storage.message.contains("are kept free"))
    do {
      _ = try await bench.rig.startRecording(RecordingStartRequest())
      Issue.record("the reserve counts from now on")
    } catch {
      #expect(error.code == .diskLow)
    }
    await bench.rig.shutdown()
  }

  @Test("a wish for what a camera does not have, or a reset of what is no setting, says what there is")
  func wishes() async throws {
    let bench = RigBench(demo: 1)
    try await bench.rig.start()
    await eventually { await bench.rig.cameras().first?.device != nil }
    await #expect(
      throws: RigError(
        .formatUnsupported, "Test pattern 1 has no H264. It offers MJPG, YUYV, UYVY, NV12, YU12, GREY.")
    ) { try await bench.rig.setCamera(CameraSetRequest(camera: "test-1", format: .h264)) }
    await #expect(throws: RigError(.paramsInvalid, "reset takes size, rate, format and picture, not \"colour\".")) {
      try await bench.rig.setCamera(CameraSetRequest(camera: "test-1", reset: ["colour"]))
    }
    let set = CameraSetRequest(
      camera: "test-1", size: PixelSize(width: 320, height: 240), rate: FrameRate(15), format: .nv12)
    #expect(
      try await bench.rig.setCamera(set).wish
        == FormatWish(pixelFormat: .nv12, size: PixelSize(width: 320, height: 240), rate: FrameRate(15)))
    #expect(
      try await bench.rig.setCamera(CameraSetRequest(camera: "test-1", reset: ["format", "rate"])).wish
        == FormatWish(size: PixelSize(width: 320, height: 240)))
    await bench.rig.shutdown()
  }

  @Test("one that was unplugged is dark for a reason, and not so once it is back; without a stream it merely sleeps")
  func whyDark() async throws {
    let bench = RigBench(demo: 0)
    try await bench.rig.start()
    let webcam = await bench.plug(1)
    #expect(await bench.rig.whyDark(webcam) == nil)
    bench.unplug(1)
    await bench.become(webcam, .offline)
    let why = await bench.rig.whyDark(webcam)
    #expect(why?.code == .cameraOffline && why?.message == "It is not plugged in.")
    await bench.plug(1)
    #expect(await bench.rig.whyDark(webcam) == nil)
    _ = try await bench.rig.enableCamera(webcam.rawValue, false)
    #expect(await bench.rig.whyDark(webcam)?.code == .cameraDisabled)
    await bench.rig.shutdown()
  }

  @Test("the offset of its sound stays over a restart and a new place, and too much of it changes nothing")
  func soundOffset() async throws {
    let bench = RigBench(demo: 0)
    try await bench.rig.start()
    let webcam = await bench.plug(1)
    let set = { CameraSetRequest(camera: webcam.rawValue, rate: $1, soundOffsetMilliseconds: $0) }
    #expect(try await bench.rig.setCamera(set(120, nil)).soundOffsetMilliseconds == 120)
    await #expect(throws: RigError(.paramsInvalid, "-2001 ms is no offset. It is at most 2000 ms either way.")) {
      try await bench.rig.setCamera(set(-2001, FrameRate(5)))
    }
    let camera = try await bench.rig.camera(webcam.rawValue)
    #expect(camera.soundOffsetMilliseconds == 120 && camera.wish.rate == nil)
    await bench.rig.shutdown()
    let again = RigBench(demo: 0, in: bench.directory)
    try await again.rig.start()
    #expect(try await again.rig.camera(webcam.rawValue).soundOffsetMilliseconds == 120)
    #expect(try await again.rig.setCamera(set(0, nil)).soundOffsetMilliseconds == nil)
    await again.rig.shutdown()
  }

  @Test("one that went and another that came: the new one takes the place of the old, and monitors are told")
  func replaced() async throws {
    let bench = RigBench(demo: 0)
    try await bench.rig.start()
    let old = await bench.plug(1)
    _ = try await bench.rig.renameCamera(CameraRenameRequest(camera: old.rawValue, name: "Front"))
    bench.unplug(1)
    await bench.become(old, .offline)
    let new = await bench.plug(2)
    let camera = try await bench.rig.replaceCamera(CameraReplaceRequest(camera: "Front", with: new.rawValue))
    #expect(camera.id == old && camera.name == "Front" && camera.serial == "S2")
    #expect(await bench.rig.cameras().map(\.id) == [old])
    await eventually {
      bench.events.contains { if case .cameraForgotten(new) = $0 { true } else { false } }
    }
    await bench.rig.shutdown()
  }
}
