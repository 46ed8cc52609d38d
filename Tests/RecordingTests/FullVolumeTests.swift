import CamrigModel
import Glibc
import Recording
import TestSupport
import Testing

@Suite("A volume that fills up", .enabled(if: SmallVolume.isPossible, "mounting a small volume needs root"))
struct FullVolumeTests {
  @Test("stops the take with the reason; every clip is finished and every picture accounted for", arguments: [0, 2])
  func fills(reserveMegabytes: UInt64) async throws {
    let volume = try #require(SmallVolume(megabytes: 8))
    let clock = TestClock()
    let observer = TestObserver()
    let recorder = TakeRecorder(
      options: RecordingOptions(
        mediaDirectory: volume.path, reserveBytes: reserveMegabytes << 20, queueLength: .seconds(600)),
      clock: clock
    ) { observer.hear($0) }
    let streams = ["one", "two"].map { TestStream($0, clock: clock) }
    for stream in streams {
      stream.begin()
      stream.frames(1)
    }
    let started = try await recorder.start(TakeRequest(prerollSeconds: 10), cameras: streams.map(\.camera))
    while await recorder.running != nil {
      for stream in streams { stream.frames(1, bytes: 20_000) }
      try await Task.sleep(for: .milliseconds(1))
    }
    await observer.wait { $0.contains { if case .stopped = $0 { true } else { false } } }
    let last = observer.events.compactMap { if case .stopped(let manifest) = $0 { manifest } else { nil } }.last
    let manifest = try #require(last)
    // The volume is looked at once a second, and this test fills it faster than that.
    #expect(manifest.stop?.cause == .diskLow || manifest.stop?.cause == .diskFull)
    #expect(manifest.stop?.message.contains(volume.path) == true)
    #expect(manifest.cameras.allSatisfy { $0.runs.allSatisfy { $0.isExact } && $0.runs.count == 1 })
    let verification = try TakeVerifier.verify(folder: started.folder)
    if manifest.state == .finished {
      #expect(verification.exact, "\(verification.findings)")
    } else {
      // Not a byte was left for the index; whoever makes room gets it.
      #expect(MediaDirectory(volume.path).openTakes == [manifest.id])
    }
  }

  @Test("by what others write: the take's end has room of its own")
  func filledByOthers() async throws {
    let volume = try #require(SmallVolume(megabytes: 16))
    let clock = TestClock()
    let observer = TestObserver()
    let recorder = TakeRecorder(
      options: RecordingOptions(mediaDirectory: volume.path, reserveBytes: 0, queueLength: .seconds(600)), clock: clock
    ) { observer.hear($0) }
    let stream = TestStream("one", clock: clock)
    stream.begin()
    stream.frames(30)
    let started = try await recorder.start(TakeRequest(prerollSeconds: 10), cameras: [stream.camera])
    stream.frames(60)
    let file = open(volume.path + "/filler", O_WRONLY | O_CREAT, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(file, block, block.count) > 0 {}
    close(file)
    stream.frames(90)
    await recorder.stop(TakeStop(.diskFull, "full"))
    await observer.wait { $0.contains { if case .stopped = $0 { true } else { false } } }
    let manifest = try ManifestFile.read(folder: started.folder)
    #expect(manifest.state == .finished, "\(manifest.cameras.flatMap(\.clips))")
    #expect(manifest.cameras.allSatisfy { $0.clips.allSatisfy { $0.state == .finished } })
    #expect(try TakeVerifier.verify(folder: started.folder).exact)
    #expect(MediaDirectory(volume.path).openTakes.isEmpty)
  }

  @Test("holds a catalog that answers with no byte free")
  func catalog() throws {
    let volume = try #require(SmallVolume(megabytes: 1))
    let media = MediaDirectory(volume.path)
    let summary = TakeSummary(
      id: "a", name: nil, state: .finished, start: WallTime(nanoseconds: 1), durationSeconds: 0, cameras: 1, clips: 1,
      bytes: 1, lost: 0)
    do { Catalog(path: volume.path + "/catalog.sqlite", media: media).put(summary) }
    let file = open(volume.path + "/filler", O_WRONLY | O_CREAT, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(file, block, block.count) > 0 {}
    close(file)
    let catalog = Catalog(path: volume.path + "/catalog.sqlite", media: media)
    #expect(catalog.takes().map(\.id) == ["a"])
    var second = summary
    second.id = "b"
    catalog.put(second)
    #expect(catalog.takes().map(\.id) == ["b", "a"])
  }
}
