import CamrigModel
import Glibc
import Movie
import Recording
import Synchronization
import TestSupport
import Testing

@Suite("Repair and verification of a take")
struct TakeRepairTests {
  /// A take with a gap, cut off while it was recorded: its folder as a power cut would leave it.
  private func interrupted() async throws -> (rig: TestRig, id: String, synced: UInt64) {
    let rig = TestRig { $0.queueLength = .seconds(600) }
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    let started = try await rig.start([stream], name: "Cut off")
    stream.frames(39)
    stream.end(.unplugged)
    rig.clock.advance(by: .seconds(5))
    stream.begin()
    stream.frames(20)
    stream.lose(2)
    stream.frames(60)
    await rig.observer.waitForSync(of: stream.id, run: 2, sequence: 60)
    let copy = rig.folder.path + "/cut"
    try copyTree(rig.media.path, copy)
    _ = try await rig.stop()
    _ = started
    return (rig, started.take, 60)
  }

  @Test("makes every clip whole, keeps everything confirmed, and makes the ledger exact; twice changes nothing")
  func afterACut() async throws {
    let (rig, id, synced) = try await interrupted()
    let media = MediaDirectory(rig.folder.path + "/cut")
    #expect(media.openTakes == [id])
    // What was being written as the lights went out.
    append([UInt8](repeating: 0x5a, count: 5000), to: media.folder(of: id) + "/one-002.mov")

    var reports: [TakeRepairReport] = []
    TakeRepair.repairOpen(media, version: "2") { if case .success(let report) = $0 { reports.append(report) } }
    let report = try #require(reports.first)
    #expect(reports.count == 1 && report.whole)
    #expect(
      report.clips.map(\.state) == [.finished, .repaired] || report.clips.map(\.state) == [.repaired, .repaired])
    #expect(media.openTakes.isEmpty)

    let manifest = try ManifestFile.read(folder: media.folder(of: id))
    #expect(manifest.state == .repaired)
    #expect(manifest.stop?.cause == .crash)
    #expect(manifest.name == "Cut off")
    let camera = manifest.cameras[0]
    #expect(camera.runs.allSatisfy { $0.isExact })
    #expect(camera.runs[1].lastSequence >= synced)
    #expect(camera.lost == [.driverGap: 2])
    #expect(camera.gaps.map(\.reason) == [.unplugged])
    #expect(camera.gaps.first?.to == camera.clips[1].firstTime)
    let verification = try TakeVerifier.verify(folder: media.folder(of: id))
    #expect(verification.exact, "\(verification.findings)")

    let again = try TakeRepair.repair(id, in: media, version: "3")
    #expect(again.whole)
    let unchanged = try ManifestFile.read(folder: media.folder(of: id))
    #expect(unchanged == manifest)
  }

  @Test("makes take.json anew from the clips when it is gone or broken", arguments: [nil, "", "{\"id\": 3", "\0\0\0"])
  func withoutManifest(content: String?) async throws {
    let (rig, id, _) = try await interrupted()
    let media = MediaDirectory(rig.folder.path + "/cut")
    let path = media.folder(of: id) + "/take.json"
    unlink(path)
    if let content { append([UInt8](content.utf8), to: path) }
    let before = try TakeVerifier.verify(folder: media.folder(of: id))
    #expect(!before.exact)
    _ = try TakeRepair.repair(id, in: media, version: "2")
    let manifest = try ManifestFile.read(folder: media.folder(of: id))
    #expect(manifest.name == "Cut off")
    #expect(manifest.cameras.map(\.name) == ["one"])
    #expect(manifest.cameras[0].clips.map(\.number) == [1, 2])
    #expect(manifest.cameras[0].gaps.map(\.reason) == [.unknown])
    #expect(manifest.cameras[0].offsetSeconds != nil)
    let verification = try TakeVerifier.verify(folder: media.folder(of: id))
    #expect(verification.exact, "\(verification.findings)")
  }

  @Test("leaves a take alone that is being recorded, also when it began while the repair was under way")
  func running() async throws {
    let rig = TestRig { $0.queueLength = .seconds(600) }
    let stream = TestStream("one", clock: rig.clock)
    stream.begin()
    stream.frames(1)
    let started = try await rig.start([stream])
    stream.frames(60)
    await rig.observer.waitForSync(of: stream.id, run: 1, sequence: 40)
    TakeRepair.repairOpen(rig.media, version: "2") { Issue.record("\($0)") }
    #expect(throws: RecordingError.stopping(started.take)) {
      try TakeRepair.repair(started.take, in: rig.media, version: "2")
    }
    #expect(rig.media.openTakes == [started.take])
    stream.frames(60)
    let manifest = try await rig.stop()
    #expect(manifest.state == .finished)
    #expect(try TakeVerifier.verify(folder: started.folder).exact)
  }

  @Test("of a folder that was renamed and has lost its take.json finds the clips")
  func renamedFolder() async throws {
    let (rig, id, _) = try await interrupted()
    let media = MediaDirectory(rig.folder.path + "/cut")
    #expect(rename(media.folder(of: id), media.folder(of: "wedding")) == 0)
    unlink(media.folder(of: "wedding") + "/take.json")
    let report = try TakeRepair.repair("wedding", in: media, version: "2")
    #expect(report.clips.count == 2)
    let verification = try TakeVerifier.verify(folder: media.folder(of: "wedding"))
    #expect(verification.exact, "\(verification.findings)")
    #expect(verification.cameras[0].clips == 2)
  }

  @Test("does not look at takes that are not marked open")
  func onlyMarked() async throws {
    let (rig, id, _) = try await interrupted()
    // Finished properly, so its marker is gone; damage that only a look could find stays.
    let path = rig.media.folder(of: id) + "/take.json"
    unlink(path)
    TakeRepair.repairOpen(rig.media, version: "2") { _ in Issue.record("there is nothing open") }
    #expect(access(path, F_OK) != 0)
  }

  @Test("takes a marker whose folder was never made for what it is")
  func markerAlone() throws {
    let folder = TemporaryDirectory()
    mkdir(folder.path + "/.open", 0o700)
    append([], to: folder.path + "/.open/20261130T090507Z")
    let media = MediaDirectory(folder.path)
    let report = try TakeRepair.repair("20261130T090507Z", in: media, version: "1")
    #expect(report.whole && media.openTakes.isEmpty)
    #expect(throws: RecordingError.unknownTake("none")) { try TakeRepair.repair("none", in: media, version: "1") }
    #expect(throws: RecordingError.unknownTake("../x")) { try TakeRepair.repair("../x", in: media, version: "1") }
  }

  @Test("finds every kind of damage, and names the file")
  func findings() async throws {
    let (rig, id, _) = try await interrupted()
    let folder = rig.media.folder(of: id)
    let whole = try TakeVerifier.verify(folder: folder)
    #expect(whole.exact && whole.findings.isEmpty, "\(whole.findings)")

    // Harmless: a renamed clip, somebody's film, a copy.
    rename(folder + "/one-001.mov", folder + "/holiday.mov")
    append([UInt8]("not a film".utf8), to: folder + "/foreign.mp4")
    try copyFile(folder + "/one-002.mov", folder + "/one-002 (copy).mov")
    let edited = try TakeVerifier.verify(folder: folder)
    #expect(edited.exact, "\(edited.findings)")
    #expect(Set(edited.findings.map(\.kind)) == [.clipRenamed, .clipForeign])

    // A byte of a picture is changed.
    flip(folder + "/holiday.mov", at: 4096 + 1000)
    let flipped = try TakeVerifier.verify(folder: folder)
    #expect(!flipped.exact)
    #expect(flipped.findings.contains { $0.kind == .fragmentBroken && $0.file == "holiday.mov" && !$0.harmless })

    // A clip is gone.
    unlink(folder + "/holiday.mov")
    let gone = try TakeVerifier.verify(folder: folder)
    #expect(gone.findings.contains { $0.kind == .clipMissing && $0.file == "one-001.mov" })
    #expect(!gone.exact)
    #expect(throws: RecordingError.self) { try TakeVerifier.verify(folder: folder + "-none") }
  }

  @Test("of a manifest that was edited finds the difference")
  func editedManifest() async throws {
    let (rig, id, _) = try await interrupted()
    let folder = rig.media.folder(of: id)
    var manifest = try ManifestFile.read(folder: folder)
    manifest.cameras[0].runs[0].written += 1
    try ManifestFile.write(manifest, folder: folder)
    let verification = try TakeVerifier.verify(folder: folder)
    #expect(verification.findings.map(\.kind) == [.manifestDiffers])
    #expect(!verification.exact)
  }
}

@Suite("The sequence of a run")
struct SequenceTests {
  @Test("shows its holes and overlaps, over a wrap of the count too")
  func proof() {
    typealias Span = SequenceProof.Span
    let sound = SequenceProof([Span(first: 5, count: 5), Span(first: 0, count: 5), Span(first: 10, count: 1)])
    #expect(sound.holes.isEmpty && sound.overlaps.isEmpty)
    let wrapped = SequenceProof([Span(first: .max, count: 2), Span(first: 3, count: 2), Span(first: 4, count: 3)])
    #expect(wrapped.holes == [Span(first: 1, count: 2)])
    #expect(wrapped.overlaps == [Span(first: 4, count: 1)])
  }
}

func append(_ bytes: [UInt8], to path: String) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  close(descriptor)
}

func flip(_ path: String, at offset: Int) {
  let descriptor = open(path, O_RDWR)
  var byte: UInt8 = 0
  pread(descriptor, &byte, 1, offset)
  byte ^= 0xff
  pwrite(descriptor, &byte, 1, offset)
  close(descriptor)
}

func copyFile(_ from: String, _ to: String) throws {
  let descriptor = open(from, O_RDONLY)
  guard descriptor >= 0 else { throw TestTrouble("\(from) cannot be read") }
  defer { close(descriptor) }
  var block = [UInt8](repeating: 0, count: 1 << 16)
  append([], to: to)
  while case let count = read(descriptor, &block, block.count), count > 0 { append(Array(block[0..<count]), to: to) }
}

func copyTree(_ from: String, _ to: String) throws {
  mkdir(to, 0o700)
  guard let folder = opendir(from) else { throw TestTrouble("\(from) cannot be read") }
  defer { closedir(folder) }
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name == "." || name == ".." { continue }
    if entry.pointee.d_type == UInt8(DT_DIR) {
      try copyTree(from + "/" + name, to + "/" + name)
    } else if access(from + "/" + name, F_OK) == 0 || !name.hasSuffix(".new") {
      // What is written under another name may have its own by now.
      try copyFile(from + "/" + name, to + "/" + name)
    }
  }
}
