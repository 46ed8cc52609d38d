import CamrigModel
import RigControl
import TestSupport
import Testing

@Suite("The running take, put together from its events")
struct RecordingStateTests {
  private let clock = TestClock()
  private let front = CameraID("front")
  private let side = CameraID("side")

  private func started(problem: String? = nil) -> TakeEvent {
    .started(
      TakeStarted(
        take: "T1", name: "Finale", folder: "/takes/T1", start: clock.anchor,
        cameras: [
          TakeCameraStart(id: front, name: "Front", offsetSeconds: 0.1),
          TakeCameraStart(id: side, name: "Side", problem: problem),
        ]))
  }

  private func clip(_ camera: CameraID, _ number: Int) -> TakeEvent {
    .clipOpened(
      TakeClipEvent(
        take: "T1", camera: camera,
        clip: ClipRecord(
          file: "\(camera)-\(number).mov", number: number, state: .recording,
          format: VideoFormat(.mjpeg, PixelSize(width: 8, height: 8), rate: nil), anchor: clock.anchor,
          firstTime: clock.now, lastTime: clock.now)))
  }

  private func gap(_ camera: CameraID) -> TakeGapEvent {
    TakeGapEvent(
      take: "T1", camera: camera,
      gap: TakeGap(reason: .unplugged, from: clock.now, fromWall: clock.anchor.wall, message: nil))
  }

  private func progress(_ camera: CameraID, frames: UInt64, bytes: UInt64, lost: UInt64 = 0) -> TakeEvent {
    .progress(
      TakeProgress(
        take: "T1", camera: camera, clip: 1, run: 1, capturedSequence: frames, capturedTime: clock.now,
        written: frames, syncedRun: 1, syncedSequence: frames, syncedTime: clock.now, syncSeconds: 0.01, lost: lost,
        bytes: bytes))
  }

  private func camera(_ id: CameraID, _ state: RecordingState) -> RecordingCameraStatus? {
    state.status(now: clock.now)?.cameras.first { $0.camera == id }
  }

  @Test("there is none before its start is told, though its first clips are open already")
  func beforeStart() {
    var state = RecordingState()
    state.apply(clip(front, 1))
    #expect(state.status(now: clock.now) == nil)
    state.apply(started())
    #expect(camera(front, state)?.clips == 1)
    #expect(camera(front, state)?.name == "Front")
  }

  @Test("it has its name, its age and its cameras by their names")
  func shown() {
    var state = RecordingState()
    state.apply(started())
    clock.advance(by: .seconds(61))
    let status = state.status(now: clock.now)
    #expect(status?.take == "T1" && status?.name == "Finale" && status?.seconds == 61 && status?.stopping == false)
    #expect(status?.cameras.map(\.name) == ["Front", "Side"])
  }

  @Test("a camera that could not deliver at the start is in a gap until its first clip")
  func late() {
    var state = RecordingState()
    state.apply(started(problem: "Side is busy."))
    #expect(camera(side, state)?.inGap == true && camera(front, state)?.inGap == false)
    state.apply(clip(side, 1))
    #expect(camera(side, state)?.inGap == false)
  }

  @Test("a gap is shown while it lasts, and a new clip or a picture ends it")
  func gaps() {
    var state = RecordingState()
    state.apply(clip(front, 1))
    state.apply(started())
    state.apply(.gapOpened(gap(front)))
    #expect(camera(front, state)?.inGap == true)
    state.apply(clip(front, 2))
    #expect(camera(front, state)?.inGap == false && camera(front, state)?.clips == 2)
    state.apply(.gapOpened(gap(front)))
    state.apply(.gapClosed(gap(front)))
    #expect(camera(front, state)?.inGap == false)
  }

  @Test("counts are those of the last event")
  func counts() {
    var state = RecordingState()
    state.apply(started())
    state.apply(progress(front, frames: 30, bytes: 3000, lost: 1))
    state.apply(
      .lossNoticed(TakeLossEvent(take: "T1", camera: front, lost: [.disk: 2], total: [.disk: 2, .broken: 1])))
    #expect(camera(front, state)?.frames == 30 && camera(front, state)?.bytes == 3000)
    #expect(camera(front, state)?.lost == 3)
  }

  @Test("its byte rate is that of all cameras, known from the second figure on")
  func byteRate() {
    var state = RecordingState()
    state.apply(started())
    for camera in [front, side] { state.apply(progress(camera, frames: 0, bytes: 1000)) }
    #expect(state.bytesPerSecond == nil)
    clock.advance(by: .seconds(2))
    for camera in [front, side] { state.apply(progress(camera, frames: 60, bytes: 5000)) }
    #expect(state.bytesPerSecond == 4000)
    clock.advance(by: .seconds(1))
    state.apply(progress(front, frames: 90, bytes: 17_000))
    // 0.8 of 2000 and 0.2 of 12000, beside 2000.
    #expect(state.bytesPerSecond == 6000)
  }

  @Test("it is stopping once that is told, and then there is none")
  func stops() {
    var state = RecordingState()
    state.apply(started())
    state.apply(.stopping(take: "T1", TakeStop(.requested, "")))
    #expect(state.status(now: clock.now)?.stopping == true)
    state.apply(.stopped(TakeManifest(id: "T1", state: .finished, start: clock.anchor)))
    #expect(state.status(now: clock.now) == nil && state.bytesPerSecond == nil)
    state.apply(started())
    #expect(state.status(now: clock.now)?.stopping == false)
  }
}
