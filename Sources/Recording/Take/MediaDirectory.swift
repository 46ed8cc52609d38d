import CLinux
import CamrigModel
import Glibc

/// The folder that holds the takes, a folder each, and beside them `.open`: a file for each take that is not
/// finished, its marker. So the next start knows what to repair without looking at every take.
package struct MediaDirectory: Sendable, Hashable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package func folder(of take: String) -> String { path + "/" + take }

  /// Beside the takes.
  package var shots: String { path + Self.shotsPart }
  static let shotsPart = "/shots"
  package var timelapses: String { path + "/timelapses" }

  private var markers: String { path + "/.open" }

  /// Takes that are being recorded or were when the machine went down, oldest first.
  package var openTakes: [String] { Folder.names(markers).filter(Self.isTakeName).sorted() }

  /// Every folder that can be a take, newest name first. Grows with their number: not for the start.
  package var takes: [String] { takes(VolumeWait()) }

  /// - Parameter wait: times each call to the volume: of some thousand folders all together take long on a good one.
  func takes(_ wait: VolumeWait) -> [String] {
    wait.during { Folder.names(path) }
      .filter { Self.isTakeName($0) && folder(of: $0) != shots && folder(of: $0) != timelapses }
      .filter { name in wait.during { Folder.isFolder(folder(of: name)) } }.sorted(by: >)
  }

  package var isThere: Bool { Folder.isFolder(path) }
  /// - Throws: where its volume says neither yes nor no.
  package func holds(take: String) throws(RecordingError) -> Bool { try Folder.holdsFolder(folder(of: take)) }
  package func holds(shot: String) throws(RecordingError) -> Bool {
    try Folder.holdsFolder(ShotFolder(shot, in: self).path)
  }
  var shotNames: Set<String> { Set(Folder.names(shots).filter(Self.isTakeName)) }

  /// No path can be smuggled in by it.
  package static func isTakeName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 128 && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
  }

  /// - Parameter make: whether it may be made where it is missing.
  func prepare(make: Bool) throws(RecordingError) {
    if Folder.isFolder(path) { return }
    guard make else { throw .directoryMissing(path) }
    var made = ""
    for part in path.split(separator: "/") {
      let parent = made.isEmpty ? "/" : made
      made += "/" + part
      // A power cut must not take the folder that all takes are in.
      if !Folder.isFolder(made), try Folder.make(made) { try Folder.sync(parent) }
    }
    guard Folder.exists(path + "/.") else { throw .directoryMissing(path) }
  }

  /// A new folder for a take, under a name that no other has; its marker stands before it. Durable.
  func make(
    start: ClockAnchor, name: String?, attempt first: Int = 1
  ) throws(RecordingError) -> (id: String, claim: TakeClaim) {
    _ = try Folder.make(markers)
    let boot = Folder.bootMark()
    for attempt in first...first + 10_000 {
      let id = TakeName.folder(start: start, name: name, boot: boot, attempt: attempt)
      guard let claim = try TakeClaim.make(marker(id)) else { continue }
      do throws(RecordingError) {
        if try Folder.make(folder(of: id)) {
          try Folder.sync(markers)
          try Folder.sync(path)
          return (id, claim)
        }
      } catch {
        unlink(marker(id))
        throw error
      }
      unlink(marker(id))
    }
    throw .io(path: path, errno: EEXIST)
  }

  /// Lets a take's marker occupy room for the take's end, so that its last `take.json` and its clips' indexes fit when
  /// others have filled the volume meanwhile.
  func holdRoom(for id: String, bytes: Int) {
    let descriptor = cl_open(marker(id), O_WRONLY, 0)
    guard descriptor >= 0 else { return }
    defer { Glibc.close(descriptor) }
    // A volume that cannot do it, or is too full for it, is left to the reserve.
    if posix_fallocate(descriptor, 0, bytes) != 0 { ftruncate(descriptor, 0) }
  }

  /// The take ends: what `holdRoom` has kept is free for it.
  func giveRoom(for id: String) { truncate(marker(id), 0) }

  /// The take needs no repair.
  func close(_ id: String) throws(RecordingError) {
    guard unlink(marker(id)) == 0 || errno == ENOENT else { throw .of(errno, markers) }
    try Folder.sync(markers)
  }

  /// Takes back a folder in which no clip was begun.
  func withdraw(_ id: String) {
    // Only what camrig itself has just put there; if anything else is in it, the folder stays.
    unlink(folder(of: id) + "/" + ManifestFile.name)
    rmdir(folder(of: id))
    try? close(id)
  }

  /// Nil: the take is being written.
  func claim(_ id: String) throws(RecordingError) -> TakeClaim? { try TakeClaim.take(marker(id)) }

  private func marker(_ id: String) -> String { markers + "/" + id }
}
