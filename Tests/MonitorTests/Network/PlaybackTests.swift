import CamrigModel
import DaemonKit
import RigControl
import TestSupport
import Testing

@Suite("A clip that is played in the page", .timeLimit(.minutes(3)), .serialized)
struct PlaybackTests {
  @Test("ends with a text that names the disk where that gives no further picture, and is refused until it does")
  func hangs() async throws {
    // A slow machine may take some time over a picture from a disk that does not hang.
    let served = try await RigInNetwork(demo: 1, readingPatience: .seconds(3))
    _ = try await served.rig.startRecording(RecordingStartRequest())
    await eventually { await served.rig.status().recording?.cameras.first?.frames ?? 0 > 150 }
    let take = try await served.rig.stopRecording()
    let clip = try #require(take.cameras.first?.clips.first?.file)
    let volume = try await served.rig.takeFile(take.id, clip).volume
    let url = "http://127.0.0.1:\(try served.port("http"))/takes/\(take.id)/\(clip)/frames"
    let auth = ["-sN", "-H", "Authorization: Bearer \(try served.pair(.viewer))"]
    let pictures = served.directory.path + "/pictures"

    let client = RunningProgram("curl", auth + ["-o", pictures, url])
    await eventually { !FileBytes.read(pictures).isEmpty }
    let hanging = HangingVolume(volume)
    #expect(await client.ended().status == 0)
    let end = "\r\n\r\n\(volume.silence)\r\n--camrigpicture\r\n"
    #expect(String(decoding: FileBytes.read(pictures).suffix(end.utf8.count), as: UTF8.self) == end)

    let refused = await Program.ended("curl", auth + ["-w", "%{http_code}", url])
    #expect(refused.text.hasSuffix("503") && refused.text.contains(volume.silence.description))
    hanging.answer()
    await eventually {
      await Program.ended("curl", auth + ["-o", "/dev/null", "-w", "%{http_code}", url + "?from=4.9"]).text == "200"
    }
    await served.end()
  }
}
