import CamrigModel
import RigControl
import TestSupport
import Testing

@Suite("The line for systemctl status")
struct StatusLineTests {
  private var status = RigStatus(
    version: "1", name: "rig", started: TestClock().anchor.wall, clock: .synchronised, armed: false, recording: nil,
    storage: StorageStatus(
      directory: "/takes", freeBytes: 83_900_000_000, reserveBytes: 0, secondsLeft: nil, message: ""),
    cameras: [CameraDescription(id: CameraID("a"), name: "Front", state: .idle)], troubles: [])

  private var line: String { StatusLine(status).text }

  private static func recorded(_ name: String, lost: UInt64 = 0, inGap: Bool = false) -> RecordingCameraStatus {
    RecordingCameraStatus(
      camera: CameraID(name), name: name, clips: 1, frames: 1, bytes: 1, lost: lost, inGap: inGap)
  }

  @Test("says what the rig is ready for")
  mutating func ready() {
    #expect(line == "ready, 1 camera, 83 GB free")
    status.armed = true
    status.cameras.append(CameraDescription(id: CameraID("b"), name: "Side", state: .streaming))
    #expect(line == "armed, 2 cameras, 83 GB free")
  }

  @Test("counts what cannot be used apart")
  mutating func unusable() {
    status.cameras += [.busy, .busy, .failed, .offline, .disabled].enumerated().map {
      CameraDescription(id: CameraID("x\($0.offset)"), name: "X", state: $0.element)
    }
    #expect(line == "ready, 1 camera, 2 busy, 1 failed, 1 offline, 83 GB free")
  }

  @Test("names the take, what is lost and who sends no picture")
  mutating func recording() {
    let started = status.started
    status.recording = RecordingStatus(
      take: "T1", name: "Finale", started: started, seconds: 3, stopping: false, cameras: [Self.recorded("Front")])
    #expect(line == "recording T1, 1 camera, 83 GB free")
    status.recording?.cameras.append(Self.recorded("Side", lost: 7, inGap: true))
    #expect(line == "recording T1, 2 cameras, 7 frames lost, NO PICTURE from Side, 83 GB free")
    status.recording?.stopping = true
    #expect(line.hasPrefix("stopping T1, 2 cameras"))
  }

  @Test("says how long there is room, once it is less than an hour")
  mutating func room() {
    let started = status.started
    status.recording = RecordingStatus(
      take: "T1", name: nil, started: started, seconds: 3, stopping: false, cameras: [Self.recorded("Front")])
    status.storage.secondsLeft = 7200
    #expect(!line.contains("room"))
    status.storage.secondsLeft = 754
    #expect(line == "recording T1, 1 camera, 83 GB free, room for 12 min")
  }

  @Test("says what is wrong with the volume")
  mutating func storage() {
    status.storage.freeBytes = nil
    status.storage.message = "/takes is not there."
    #expect(line == "ready, 1 camera, /takes is not there.")
  }
}
