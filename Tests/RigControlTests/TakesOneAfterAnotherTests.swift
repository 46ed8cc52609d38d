import CamrigModel
import RigControl
import TestSupport
import Testing

@Suite("What is shown of a take after another one")
struct TakesOneAfterAnotherTests {
  private let clock = TestClock()
  private let left = CameraID("left")
  private let right = CameraID("right")

  private func started(_ take: String, _ cameras: [CameraID]) -> TakeEvent {
    .started(
      TakeStarted(
        take: take, name: nil, folder: "/takes/\(take)", start: clock.anchor,
        cameras: cameras.map { TakeCameraStart(id: $0, name: $0.rawValue, offsetSeconds: 0) }))
  }

  private func clip(_ take: String, _ camera: CameraID) -> TakeEvent {
    .clipOpened(
      TakeClipEvent(
        take: take, camera: camera,
        clip: ClipRecord(
          file: "1.mov", number: 1, state: .recording,
          format: VideoFormat(.mjpeg, PixelSize(width: 8, height: 8), rate: nil), anchor: clock.anchor,
          firstTime: clock.now, lastTime: clock.now)))
  }

  private func lost(_ take: String, _ camera: CameraID, _ count: UInt64) -> TakeEvent {
    .lossNoticed(TakeLossEvent(take: take, camera: camera, lost: [.disk: count], total: [.disk: count]))
  }

  @Test("the cameras of a start that failed are not among its own")
  func failedStart() {
    var state = RecordingState()
    state.apply(clip("T1", left))
    state.apply(clip("T2", right))
    state.apply(started("T2", [right]))
    #expect(state.status(now: clock.now)?.cameras.map(\.camera) == [right])
  }

  @Test("what a writer tells that was left to itself is not of it, and does not end it")
  func leftWriter() {
    var state = RecordingState()
    state.apply(started("T2", [left]))
    state.apply(clip("T2", left))
    state.apply(lost("T1", left, 900))
    state.apply(clip("T1", right))
    state.apply(.stopping(take: "T1", TakeStop(.diskFailed, "late")))
    let status = state.status(now: clock.now)
    #expect(status?.cameras.map(\.camera) == [left])
    #expect(status?.cameras.first?.lost == 0)
    #expect(status?.stopping == false)
    state.apply(lost("T2", left, 1))
    #expect(state.status(now: clock.now)?.cameras.first?.lost == 1)
  }
}
