import CamrigModel
import Glibc
import Recording
import TestSupport
import Testing

@Suite("The catalog of takes")
struct CatalogTests {
  private let folder = TemporaryDirectory()
  private var path: String { folder.path + "/catalog.sqlite" }
  private var media: MediaDirectory { MediaDirectory(folder.path + "/takes") }

  init() { mkdir(folder.path + "/takes", 0o700) }

  private func manifest(_ number: Int) -> TakeManifest {
    let wall = WallTime(nanoseconds: 1_790_000_000_000_000_000 + Int64(number) * 60_000_000_000)
    return TakeManifest(
      id: wall.compact, name: "take \(number)", state: .finished,
      start: ClockAnchor(media: MediaTime(nanoseconds: 0), wall: wall, sync: .synchronised))
  }

  private func shelve(_ manifest: TakeManifest) throws {
    mkdir(media.folder(of: manifest.id), 0o700)
    try ManifestFile.write(manifest, folder: media.folder(of: manifest.id))
  }

  @Test("lists takes newest first, each once, and survives a restart")
  func newestFirst() throws {
    let numbers = [3, 1, 2]
    do {
      let catalog = Catalog(path: path, media: media)
      #expect(catalog.condition == .new && catalog.needsRebuild)
      for number in numbers + [1] { catalog.put(manifest(number)) }
    }
    let catalog = Catalog(path: path, media: media)
    #expect(catalog.condition == .sound && !catalog.needsRebuild)
    #expect(catalog.takes().map(\.name) == ["take 3", "take 2", "take 1"])
    #expect(catalog.takes(limit: 1).map(\.id) == [manifest(3).id])
    #expect(catalog.takes(limit: 0).isEmpty)
  }

  @Test("is made anew from the folders")
  func rebuild() throws {
    for number in 1...20 { try shelve(manifest(number)) }
    let catalog = Catalog(path: path, media: media)
    #expect(catalog.takes().isEmpty)
    catalog.takeIn(media, limit: .max)
    catalog.isRebuilt()
    #expect(catalog.takes().count == 20)
    #expect(!catalog.needsRebuild)
  }

  @Test(
    "that is broken is set aside, not overwritten, and made anew",
    arguments: [
      "not a database, though long enough to be taken for the header of one, were it not for its first bytes",
      "SQLite format 3\0" + String(repeating: "x", count: 8000),
    ])
  func broken(content: String) throws {
    try shelve(manifest(1))
    append([UInt8](content.utf8), to: path)
    let catalog = Catalog(path: path, media: media)
    #expect(catalog.condition == .setAside(path + ".broken"))
    #expect(catalog.needsRebuild)
    catalog.takeIn(media, limit: .max)
    catalog.isRebuilt()
    #expect(catalog.takes().count == 1)
    #expect(access(path + ".broken", F_OK) == 0)
  }

  @Test("that breaks while it is used goes on")
  func breaksLater() throws {
    let first = Catalog(path: path, media: media)
    for number in 1...500 { first.put(manifest(number)) }
    for page in 1..<8 { append([], to: path); for offset in 0..<64 { flip(path, at: page * 4096 + offset * 64) } }
    let catalog = Catalog(path: path, media: media)
    _ = catalog.takes(limit: 1000)
    catalog.put(manifest(501))
    #expect(catalog.takes(limit: 1000).contains { $0.id == manifest(501).id })
  }

  @Test("drops what is gone and takes in what was put there, a bounded number at a time")
  func reconcile() throws {
    let catalog = Catalog(path: path, media: media)
    for number in 1...4 { catalog.put(manifest(number)) }
    for number in 3...8 { try shelve(manifest(number)) }
    append([UInt8]("hello".utf8), to: media.path + "/readme.txt")
    mkdir(media.path + "/lost+found", 0o700)
    #expect(catalog.dropGone(limit: 1) == 1)
    #expect(catalog.dropGone(limit: 3) == 1)
    #expect(catalog.dropGone(limit: 3) == 0)
    #expect(catalog.takeIn(media, limit: 3) == 3)
    while catalog.takeIn(media, limit: 3) > 1 {}
    #expect(catalog.takes().map(\.name) == (3...8).reversed().map { "take \($0)" })
  }

  @Test("takes over what was edited in a take's folder since the time given, as long as it may")
  func edited() throws {
    let catalog = Catalog(path: path, media: media)
    for number in 1...5 {
      try shelve(manifest(number))
      catalog.put(manifest(number))
    }
    let now = SystemClock().anchor.wall
    let later = WallTime(nanoseconds: now.nanoseconds + 3_600_000_000_000)
    func edit(_ number: Int) throws {
      var edited = manifest(number)
      edited.name = "edited \(number)"
      try ManifestFile.write(edited, folder: media.folder(of: edited.id))
    }
    for number in [1, 3, 4] { try edit(number) }
    #expect(catalog.refresh(media, since: later) { true } == 0)
    #expect(catalog.refresh(media, since: WallTime(nanoseconds: 0)) { false } == nil)
    #expect(catalog.takes().allSatisfy { $0.name?.hasPrefix("take") == true })
    #expect(catalog.refresh(media, since: WallTime(nanoseconds: 0)) { true } == 3)
    #expect(catalog.refresh(media, since: WallTime(nanoseconds: 0)) { true } == 0)
    #expect(catalog.takes().map(\.name) == ["take 5", "edited 4", "edited 3", "take 2", "edited 1"])
    // A take that is marked open is somebody else's affair.
    try edit(2)
    mkdir(media.path + "/.open", 0o700)
    append([], to: media.path + "/.open/" + manifest(2).id)
    #expect(catalog.refresh(media, since: WallTime(nanoseconds: 0)) { true } == 0)
    // Without its take.json it is what its clips say, and it has none: it stays as it was.
    #expect(unlink(media.folder(of: manifest(5).id) + "/" + ManifestFile.name) == 0)
    #expect(catalog.refresh(media, since: WallTime(nanoseconds: 0)) { true } == 0)
  }

  @Test("takes over the end of a take whose end it was not told, and leaves those that go on alone")
  func ends() throws {
    let catalog = Catalog(path: path, media: media)
    for number in 1...3 {
      var known = manifest(number)
      known.state = number == 1 ? .stopping : .recording
      catalog.put(known)
      if number == 3 { try shelve(known) } else { try shelve(manifest(number)) }
    }
    mkdir(media.path + "/.open", 0o700)
    append([], to: media.path + "/.open/" + manifest(2).id)
    #expect(catalog.takeOverEnds(in: media) == 1)
    #expect(catalog.takes().map(\.state) == [.recording, .recording, .finished])
    #expect(catalog.takeOverEnds(in: media) == 0)
  }

  @Test("keeps its rows while the media directory is not mounted")
  func unmounted() throws {
    let elsewhere = MediaDirectory(folder.path + "/elsewhere")
    let catalog = Catalog(path: path, media: elsewhere)
    catalog.put(manifest(1))
    #expect(catalog.takeIn(elsewhere) == 0 && catalog.dropGone() == 0)
    #expect(catalog.takes().count == 1)
  }

  // A link to itself answers ELOOP, as a disk that dies answers EIO.
  @Test("keeps what a file system cannot tell of, as it was known, and says why")
  func dying() throws {
    let catalog = Catalog(path: path, media: media)
    let shot = ShotRecord(shot: "20260101T000000Z", at: WallTime(nanoseconds: 0), source: .still)
    catalog.put(shot)
    for number in 1...2 {
      try shelve(manifest(number))
      catalog.put(manifest(number))
    }
    for name in [manifest(1).id, "shots"] {
      #expect(rename(media.path + "/" + name, media.path + "/.away") == 0 || name == "shots")
      #expect(symlink(name, media.path + "/" + name) == 0)
    }
    // Its clips can be listed, its take.json cannot be read.
    let folder = media.folder(of: manifest(2).id)
    append([], to: folder + "/Left-001.mov")
    #expect(unlink(folder + "/" + ManifestFile.name) == 0)
    #expect(symlink(ManifestFile.name, folder + "/" + ManifestFile.name) == 0)
    var doubts: [RecordingError] = []
    #expect(catalog.dropGone { doubts.append($0) } == 0)
    #expect(catalog.dropGoneShots { doubts.append($0) } == 0)
    #expect(doubts == [.io(path: media.shots, errno: ELOOP)])
    #expect(catalog.refresh(media, since: WallTime(nanoseconds: 0)) { true } == 0)
    #expect(catalog.takes().map(\.name) == ["take 2", "take 1"] && catalog.shots() == [shot])
    // What is known of a take is not written over, and nobody says that there is none.
    #expect(throws: RecordingError.io(path: folder + "/" + ManifestFile.name, errno: ELOOP)) {
      try TakeRepair.repair(manifest(2).id, in: media, version: "2")
    }
    let lost = MediaDirectory(media.shots)
    #expect(throws: RecordingError.io(path: lost.folder(of: "a"), errno: ELOOP)) {
      try TakeVerifier.verify(folder: lost.folder(of: "a"))
    }
    #expect(throws: RecordingError.io(path: lost.folder(of: "a"), errno: ELOOP)) {
      try TakeRepair.repair("a", in: lost, version: "2")
    }
  }

  @Test("answers from memory where its file cannot be written")
  func unwritable() {
    // A folder that is not there stands for a volume that takes nothing: root may write anywhere else.
    let catalog = Catalog(path: folder.path + "/none/catalog.sqlite", media: media)
    guard case .inMemory = catalog.condition else {
      Issue.record("it cannot have been opened")
      return
    }
    catalog.put(manifest(2))
    catalog.put(manifest(1))
    #expect(catalog.takes().map(\.name) == ["take 2", "take 1"])
  }
}
