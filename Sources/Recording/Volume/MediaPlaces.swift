/// Where takes and shots are: the directory that they go to, and another one for the time when its volume fails.
package struct MediaPlaces: Hashable, Sendable {
  package let first: MediaDirectory
  package let second: MediaDirectory?

  package init(_ first: MediaDirectory, second: MediaDirectory? = nil) {
    self.first = first
    self.second = second
  }

  package var all: [MediaDirectory] { second.map { [first, $0] } ?? [first] }

  /// The one that holds the take; the first where none does.
  package func directory(of take: String) -> MediaDirectory {
    guard let second, !Folder.isFolder(first.folder(of: take)), Folder.isFolder(second.folder(of: take)) else {
      return first
    }
    return second
  }

  package func folder(of take: String) -> String { directory(of: take).folder(of: take) }

  /// The folder of a shot, wherever it is.
  package func folder(ofShot shot: String) -> ShotFolder {
    let folder = ShotFolder(shot, in: first)
    guard let second, !Folder.isFolder(folder.path) else { return folder }
    let other = ShotFolder(shot, in: second)
    return Folder.isFolder(other.path) ? other : folder
  }

  var takes: Set<String> { all.reduce(into: []) { $0.formUnion($1.takes) } }
  var shots: Set<String> {
    all.reduce(into: []) { $0.formUnion(Folder.names($1.shots).filter(MediaDirectory.isTakeName)) }
  }
  var openTakes: Set<String> { all.reduce(into: []) { $0.formUnion($1.openTakes) } }

  /// A volume that is not mounted has lost nothing of what was on it.
  var areAllThere: Bool { all.allSatisfy { Folder.isFolder($0.path) } }
  var isAnyThere: Bool { all.contains { Folder.isFolder($0.path) } }
}
