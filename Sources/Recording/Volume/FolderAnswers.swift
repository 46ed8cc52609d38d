/// What a file system says of folders; tests have one whose disk dies.
package struct FolderAnswers {
  package var list: (String) throws(RecordingError) -> [String]
  package var presence: (String) -> FolderPresence

  package init(
    list: @escaping (String) throws(RecordingError) -> [String], presence: @escaping (String) -> FolderPresence
  ) {
    self.list = list
    self.presence = presence
  }

  package static var system: FolderAnswers { FolderAnswers(list: Folder.list, presence: Folder.presence) }

  /// A part of a directory may not have been made yet; the directory itself must be there.
  func list(_ home: String, of directories: [String]) throws(RecordingError) -> [String] {
    do throws(RecordingError) {
      return try list(home)
    } catch {
      guard case .directoryMissing = error, !directories.contains(home) else { throw error }
      _ = try list(Folder.parent(home))
      return []
    }
  }
}
