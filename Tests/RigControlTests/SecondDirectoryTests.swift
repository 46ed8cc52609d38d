import CLinux
import CamrigModel
import DaemonKit
import Glibc
import RigControl
import Settings
import TestSupport
import Testing

/// A named pipe in the place of a `take.json` holds up whoever opens it, as a volume that hangs does.
@Suite("Takes in two directories", .timeLimit(.minutes(3)), .serialized)
struct SecondDirectoryTests {
  private let directory = TemporaryDirectory()
  private var first: String { directory.path + "/first" }
  private var second: String { directory.path + "/second" }

  private func bench(readingPatience: Duration = Volume.readingPatience) -> RigBench {
    RigBench(demo: 1, in: directory, readingPatience: readingPatience) {
      $0.storage.mediaDirectory = first
      $0.storage.secondDirectory = second
    }
  }

  private func take(_ bench: RigBench) async throws -> TakeManifest {
    _ = try await bench.rig.startRecording(RecordingStartRequest())
    return try await bench.rig.stopRecording()
  }

  /// The volume that a rig asks for the files of a take.
  private func volume(_ bench: RigBench, of take: TakeManifest) async throws -> Volume {
    try await bench.rig.takeFile(take.id, "take.json").volume
  }

  @Test("while the first one hangs those of the second are listed, shown, proven and given out, and the first is named")
  func hangs() async throws {
    mkdir(second, 0o700)
    let bench = bench()
    try await bench.rig.start()
    // The first is not there yet.
    let away = try await take(bench)
    mkdir(first, 0o700)
    let here = try await take(bench)
    #expect(try await volume(bench, of: away).path == second)
    let volume = try await volume(bench, of: here)
    #expect(volume.path == first)

    let hanging = HangingVolume(volume)
    #expect(await bench.rig.takes(limit: 10).map(\.id) == [here.id, away.id])
    let clip = try #require(away.cameras.first?.clips.first?.file)
    #expect(try await bench.rig.take(away.id).id == away.id)
    #expect(try await bench.rig.takeFile(away.id, clip, playable: true).path == second + "/" + away.id + "/" + clip)
    #expect(try await bench.rig.verify(away.id).exact)
    await #expect(throws: RigError(.diskFailed, volume.silence.description)) { try await bench.rig.take(here.id) }
    // One that is on neither may be on the one that does not answer.
    await #expect(throws: RigError(.diskFailed, volume.silence.description)) { try await bench.rig.take("nowhere") }
    await eventually { await bench.rig.status().storage.message == volume.silence.description }

    hanging.answer()
    await eventually { (try? await bench.rig.take(here.id).id) == here.id }
    #expect(await bench.rig.status().storage.message == "")
    await bench.rig.shutdown()
  }

  // A link to itself answers ELOOP, as a disk that dies answers EIO.
  @Test("what is on a second one that answers errors is listed still, and is not called unknown; the log says once why")
  func errors() async throws {
    mkdir(second, 0o700)
    let bench = bench()
    try await bench.rig.start()
    let away = try await take(bench)
    mkdir(first, 0o700)
    let here = try await take(bench)
    #expect(rename(second, second + ".away") == 0)
    #expect(symlink("second", second) == 0)
    @Sendable func told() -> Int { bench.sink.lines.count { $0.message.contains("stay in the list") } }
    for _ in 1...2 {
      await bench.timer.expire(.seconds(3600))
      await eventually { bench.timer.isWaiting(.seconds(3600)) && told() == 1 }
    }
    #expect(await bench.rig.takes(limit: 10).map(\.id) == [here.id, away.id])
    for ask in [
      { _ = try await bench.rig.take(away.id) }, { _ = try await bench.rig.verify(away.id) },
    ] as [@Sendable () async throws -> Void] {
      let error = await #expect(throws: RigError.self) { try await ask() }
      #expect(error?.code == .diskFailed)
      #expect(error?.message.hasPrefix("\(second)/\(away.id) cannot be read or written: ") == true)
    }
    #expect(unlink(second) == 0)
    #expect(rename(second + ".away", second) == 0)
    #expect(try await bench.rig.take(away.id).id == away.id)
    // Once it can be told again what is gone, that goes; by then both comparisons are over.
    #expect(cl_remove_tree(first + "/" + here.id) == 0)
    await bench.timer.expire(.seconds(3600))
    await eventually { await bench.rig.takes(limit: 10).map(\.id) == [away.id] }
    #expect(told() == 1)
    await bench.rig.shutdown()
  }

  @Test("a hanging second one is named beside the first one's room")
  func secondHangs() async throws {
    mkdir(second, 0o700)
    let bench = bench()
    try await bench.rig.start()
    let away = try await take(bench)
    mkdir(first, 0o700)
    let volume = try await volume(bench, of: away)
    let hanging = HangingVolume(volume)
    await eventually { await bench.rig.status().troubles.contains(volume.silence.description) }
    let here = try await take(bench)
    #expect(try await bench.rig.take(here.id).id == here.id)
    hanging.answer()
    await eventually { await bench.rig.status().troubles.isEmpty }
    await bench.rig.shutdown()
  }

  @Test("a proof or a repair whose disk hangs in the midst ends with its name, and those of the other go on")
  func proofHangs() async throws {
    mkdir(second, 0o700)
    // A slow machine may take some time over a call that does not hang.
    let bench = bench(readingPatience: .seconds(3))
    try await bench.rig.start()
    let away = try await take(bench)
    mkdir(first, 0o700)
    let here = try await take(bench)
    let silence = RigError(.diskFailed, VolumeSilence(path: first).description)
    let manifest = first + "/\(here.id)/take.json"
    #expect(rename(manifest, manifest + ".away") == 0)
    #expect(mkfifo(manifest, 0o600) == 0)
    let begun = Task { try await bench.rig.verify(here.id) }
    let behind = Task { try await bench.rig.verify(here.id) }
    await #expect(throws: silence) { try await begun.value }
    await #expect(throws: silence) { try await behind.value }
    // Now at once, and no further thread hangs.
    for _ in 1...20 { await #expect(throws: silence) { try await bench.rig.verify(here.id) } }
    await #expect(throws: silence) { try await bench.rig.repair(here.id) }
    await eventually { (try? await bench.rig.verify(away.id).exact) == true }

    let pipe = Glibc.open(manifest, O_WRONLY)
    close(pipe)
    #expect(rename(manifest + ".away", manifest) == 0)
    await eventually { (try? await bench.rig.verify(here.id).exact) == true }
    await bench.rig.shutdown()
  }

  @Test("a list that was lost is made anew of what answers, without waiting for what hangs")
  func rebuilt() async throws {
    mkdir(second, 0o700)
    let before = bench()
    try await before.rig.start()
    let away = try await take(before)
    await before.rig.shutdown()
    for suffix in ["", "-wal", "-shm"] { unlink(directory.path + "/catalog.sqlite" + suffix) }
    let stuck = first + "/20260101T000000Z-hangs"
    mkdir(first, 0o700)
    mkdir(stuck, 0o700)
    #expect(mkfifo(stuck + "/take.json", 0o600) == 0)

    let bench = bench()
    try await bench.rig.start()
    await eventually { await bench.rig.takes(limit: 10).map(\.id) == [away.id] }
    #expect(try await bench.rig.verify(away.id).exact)
    // The end of the hanging.
    let pipe = Glibc.open(stuck + "/take.json", O_WRONLY)
    close(pipe)
    await bench.rig.shutdown()
  }
}
