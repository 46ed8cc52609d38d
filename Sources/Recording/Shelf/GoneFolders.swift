/// Which of the folders in a list are gone. Only a file system that says so is believed: a disk that dies is mounted still,
/// and answers errors, or that it can list nothing.
package struct GoneFolders {
  package private(set) var names: [String] = []
  /// Why a folder that was not found is not called gone; of several the first. Nil also where a directory is not mounted:
  /// that is told elsewhere.
  package private(set) var doubt: RecordingError?

  /// Blocks.
  /// - Parameters:
  ///   - directories: which must all be there: what one does not have may be in the other.
  ///   - part: of each of them, where the folders are; empty: in itself. It may be missing.
  package init(
    _ listed: Set<String>, in directories: [String], part: String = "", limit: Int, _ answers: FolderAnswers = .system
  ) {
    guard !listed.isEmpty, limit > 0 else { return }
    let homes = directories.map { $0 + part }
    do throws(RecordingError) {
      var missing = listed
      for home in homes { missing.subtract(try answers.list(home, of: directories)) }
      for name in missing.sorted() {
        // A take that began between the two questions is none of them.
        switch Self.presence(of: name, in: homes, answers) {
        case .success(true): continue
        case .success(false): names.append(name)
        case .failure(let error): doubt = doubt ?? error
        }
        if names.count == limit { break }
      }
      // One may have failed meanwhile.
      if !names.isEmpty { for home in homes { _ = try answers.list(home, of: directories) } }
    } catch {
      names = []
      if case .directoryMissing = error { return }
      doubt = error
    }
  }

  private static func presence(
    of name: String, in homes: [String], _ answers: FolderAnswers
  ) -> Result<Bool, RecordingError> {
    var doubt: RecordingError?
    for home in homes {
      let path = home + "/" + name
      switch answers.presence(path) {
      case .there: return .success(true)
      case .gone: continue
      case .unknown(let number): doubt = doubt ?? .of(number, path)
      }
    }
    return doubt.map { .failure($0) } ?? .success(false)
  }
}
