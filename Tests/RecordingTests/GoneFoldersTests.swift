import Glibc
import Recording
import Testing

@Suite("What is gone from the directories of takes")
struct GoneFoldersTests {
  private let listed: Set = ["a", "b", "c"]

  /// Two directories: `/one` with `a`, `/two` with `b`; `c` is gone.
  private func answers(
    lists: [String: Int32] = [:], folders: [String: Int32] = [:]
  ) -> FolderAnswers {
    FolderAnswers(
      list: { path throws(RecordingError) in
        if let number = lists[path] { throw .failed(path, number) }
        switch path {
        case "/one": return ["a", "notes.txt"]
        case "/two": return ["b"]
        default: throw .directoryMissing(path)
        }
      },
      presence: { path in
        if let number = folders[path] { return .unknown(number) }
        return path == "/one/a" || path == "/two/b" ? .there : .gone
      })
  }

  private func gone(_ answers: FolderAnswers, part: String = "") -> GoneFolders {
    GoneFolders(listed, in: ["/one", "/two"], part: part, limit: 10, answers)
  }

  @Test("is what no directory has")
  func plain() {
    #expect(gone(answers()).names == ["c"])
    #expect(gone(answers()).doubt == nil)
  }

  @Test("is nothing while a directory cannot be listed, and the error is told", arguments: [EIO, ESTALE, ENOTCONN])
  func unlisted(_ number: Int32) {
    let gone = gone(answers(lists: ["/two": number]))
    #expect(gone.names.isEmpty && gone.doubt == .io(path: "/two", errno: number))
  }

  @Test("is not what a file system only cannot tell of", arguments: [EIO, ESTALE])
  func unknown(_ number: Int32) {
    let gone = gone(answers(folders: ["/one/c": number]))
    #expect(gone.names.isEmpty && gone.doubt == .io(path: "/one/c", errno: number))
  }

  @Test("is nothing while a directory is not mounted, without a word of it")
  func unmounted() {
    var answers = answers()
    let list = answers.list
    answers.list = { path throws(RecordingError) in
      if path == "/two" { throw .directoryMissing(path) }
      return try list(path)
    }
    #expect(gone(answers).names.isEmpty && gone(answers).doubt == nil)
  }

  @Test("is nothing where the disk fails between the questions")
  func failsMeanwhile() {
    var answers = answers()
    let list = answers.list
    var asked = 0
    answers.list = { path throws(RecordingError) in
      asked += 1
      if asked > 2 { throw .io(path: path, errno: EIO) }
      return try list(path)
    }
    let gone = gone(answers)
    #expect(gone.names.isEmpty && gone.doubt == .io(path: "/one", errno: EIO))
  }

  @Test("is all where the folder for photos is gone from directories that are there, and nothing where one cannot tell")
  func part() {
    #expect(gone(answers(), part: "/shots").names == ["a", "b", "c"])
    #expect(gone(answers(lists: ["/one": EIO]), part: "/shots").names.isEmpty)
    #expect(gone(answers(lists: ["/one/shots": EIO]), part: "/shots").doubt == .io(path: "/one/shots", errno: EIO))
  }
}
