import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("Photos in the network", .timeLimit(.minutes(5)))
struct PhotoFileTests {
  @Test("whole, in ranges, as a download, small, and not again where they are known; nothing else by these addresses")
  func files() async throws {
    let served = try await RigInNetwork(demo: 1)
    let token = try served.pair(.viewer)
    let auth = ["-s", "-k", "-H", "authorization: Bearer \(token)"]
    let url = try #require(served.link.status.urls.first { $0.hasPrefix("https:") })
    let started = try await served.rig.takePhoto(PhotoTakeRequest())
    await eventually { await served.rig.shots(limit: 1).first != nil }
    let shot = try #require(await served.rig.shots(limit: 1).first)
    let photo = try #require(shot.photos.first)
    let file = FileBytes.read(started.folder + "/" + photo.file)
    let address = "\(url)shots/\(shot.shot)/\(photo.file)"
    #expect(await Program.ended("curl", auth + [address]).output == file)
    #expect(await Program.ended("curl", auth + ["-r", "10-19", address]).output == Array(file[10..<20]))
    let head = await Program.ended("curl", auth + ["-I", address + "?download=1"]).text
    #expect(head.contains("filename=\"\(photo.file)\"") && head.contains("image/jpeg") && head.contains("immutable"))
    let small = await Program.ended("curl", auth + [address + "?longEdge=320"]).output
    FileBytes.write(small, to: served.directory.path + "/small.jpg")
    let info = await Program.ended("jpeginfo", ["-c", served.directory.path + "/small.jpg"])
    #expect(info.status == 0 && info.text.contains("320 x  180") && small.count < file.count, "\(info.text)")
    let fields = await Program.ended("curl", auth + ["-I", address + "?longEdge=320"]).text
      .split(whereSeparator: \.isNewline)
    let tag = try #require(fields.first { $0.lowercased().hasPrefix("etag:") }?.split(separator: " ").last)
    let again = await Program.ended(
      "curl",
      auth + [
        "-o", "/dev/null", "-w", "%{http_code}", "-H", "if-none-match: \(tag)",
        address + "?longEdge=320",
      ])
    #expect(again.text == "304")
    for path in [
      "shots/\(shot.shot)/shot.json", "shots/\(shot.shot)/none.jpg", "shots/../take.json",
      "shots/..%2f..%2f/settings.jpg",
      "shots/\(shot.shot)/..%2f..%2f..%2fsettings.json", "timelapses/x/y.jpg", "timelapses/../settings.json",
    ] {
      let answer = await Program.ended(
        "curl", auth + ["--path-as-is", "-o", "/dev/null", "-w", "%{http_code}", "\(url)\(path)"])
      #expect(["400", "404"].contains(answer.text), "\(path): \(answer.text)")
    }
    // A viewer looks; pressing is for operators.
    let refused = try await served.call(served.client(), token, "photo.take")
    #expect(refused["error"]?["data"]?["reason"]?.asString == "role.forbidden")
    await served.end()
  }

  @Test("the state shows a countdown, and a timelapse")
  func state() async throws {
    let served = try await RigInNetwork(demo: 1)
    let started = try await served.rig.takePhoto(PhotoTakeRequest(timerSeconds: 20))
    let countdown = try #require(await served.rig.status().photo?.countdown)
    #expect(countdown == PhotoStatus.Countdown(shot: started.shot, at: started.at, seconds: 20))
    _ = try await served.rig.cancelPhoto(nil)
    let timelapse = try await served.rig.startTimelapse(TimelapseStartRequest(intervalSeconds: 3600))
    await eventually { await served.rig.status().timelapse?.pictures == 1 }
    #expect(await served.rig.status().timelapse?.id == timelapse.timelapse)
    #expect(try await served.rig.stopTimelapse().cameras.map(\.pictures) == [1])
    await served.end()
  }
}
