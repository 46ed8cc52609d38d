import CLinux
import CamrigModel
import CaptureSupport
import Recording
import RigControl
import TestSupport
import Testing

@Suite("The list of takes, while the rig runs for weeks", .timeLimit(.minutes(5)), .serialized)
struct UpkeepTests {
  private let hour = Duration.seconds(3600)

  private func take(_ bench: RigBench) async throws -> TakeManifest {
    _ = try await bench.rig.startRecording(RecordingStartRequest())
    return try await bench.rig.stopRecording()
  }

  private func edit(_ take: TakeManifest, _ bench: RigBench, _ name: String) throws {
    var edited = take
    edited.name = name
    try ManifestFile.write(edited, folder: bench.directory.path + "/takes/" + take.id)
  }

  @Test("what was deleted, edited or put there by hand is noticed within the hour")
  func hourly() async throws {
    let bench = RigBench(demo: 1)
    try await bench.rig.start()
    let takes = [try await take(bench), try await take(bench)]
    let folder = bench.directory.path + "/takes/"
    #expect(cl_remove_tree(folder + takes[0].id) == 0)
    try edit(takes[1], bench, "by hand")
    #expect(await bench.rig.takes(limit: 10).map(\.name) == [nil, nil])
    await bench.timer.expire(hour)
    await eventually { await bench.rig.takes(limit: 10).map(\.name) == ["by hand"] }
    // And every hour again.
    #expect(cl_remove_tree(folder + takes[1].id) == 0)
    await bench.timer.expire(hour)
    await eventually { await bench.rig.takes(limit: 10).isEmpty }
    await bench.rig.shutdown()
  }

  @Test("while a take runs nothing is looked for; that is done when it has ended")
  func waits() async throws {
    let bench = RigBench(demo: 1)
    try await bench.rig.start()
    let first = try await take(bench)
    _ = try await bench.rig.startRecording(RecordingStartRequest())
    try edit(first, bench, "by hand")
    await bench.timer.expire(hour)
    // The next hour begins once this one's look was seen to.
    await eventually { bench.timer.isWaiting(hour) }
    #expect(await bench.rig.takes(limit: 10).map(\.name) == [nil, nil])
    _ = try await bench.rig.stopRecording()
    await eventually { await bench.rig.takes(limit: 10).map(\.name) == [nil, "by hand"] }
    await bench.rig.shutdown()
  }
}
