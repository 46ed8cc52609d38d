import CLinux
import CamrigModel
import Glibc

/// The few things camrig asks of folders. All of it blocks as long as the volume does.
enum Folder {
  /// False: the name is taken.
  static func make(_ path: String) throws(RecordingError) -> Bool {
    if mkdir(path, 0o777) == 0 { return true }
    if errno == EEXIST { return false }
    throw .of(errno, parent(path))
  }

  /// So that names made or removed in it survive a power cut.
  static func sync(_ path: String) throws(RecordingError) {
    let descriptor = cl_open(path, O_RDONLY | O_DIRECTORY, 0)
    guard descriptor >= 0 else { throw .of(-descriptor, path) }
    defer { close(descriptor) }
    // Some file systems cannot sync a folder (EINVAL); they need no such call.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .of(errno, path) }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Also of what is no folder.
  static func presence(_ path: String) -> FolderPresence {
    var facts = stat()
    guard lstat(path, &facts) != 0 else { return .there }
    return errno == ENOENT || errno == ENOTDIR ? .gone : .unknown(errno)
  }

  /// Names in it, unsorted, without `.` and `..`. What of it can be read.
  static func names(_ path: String) -> [String] { entries(path).names }

  /// All of them.
  static func list(_ path: String) throws(RecordingError) -> [String] {
    let (names, number) = entries(path)
    guard number == 0 else { throw .of(number, path) }
    return names
  }

  private static func entries(_ path: String) -> (names: [String], errno: Int32) {
    guard let folder = opendir(path) else { return ([], errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      // The end and an error look alike but for this.
      errno = 0
      guard let entry = readdir(folder) else { return (names, errno) }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  static func read(_ path: String, limit: Int = 64 << 20) throws(RecordingError) -> [UInt8] {
    let descriptor = cl_open(path, O_RDONLY, 0)
    guard descriptor >= 0 else { throw .of(-descriptor, path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65536)
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .of(errno, path) }
      if count == 0 { break }
      bytes.append(contentsOf: block[0..<count])
    }
    return bytes
  }

  static func byteCount(_ path: String) -> UInt64? {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return UInt64(facts.st_size)
  }

  /// When it was changed last; of a folder, when a name in it was. Nil: it is not there.
  static func changed(_ path: String) -> WallTime? {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return nil }
    return WallTime(nanoseconds: Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec))
  }

  static func isFolder(_ path: String) -> Bool { (try? holdsFolder(path)) ?? false }

  /// - Throws: where the file system says neither yes nor no.
  static func holdsFolder(_ path: String) throws(RecordingError) -> Bool {
    var facts = stat()
    if lstat(path, &facts) == 0 { return facts.st_mode & S_IFMT == S_IFDIR }
    guard errno == ENOENT || errno == ENOTDIR else { throw .of(errno, path) }
    return false
  }

  static func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func mountTable() -> MountTable {
    // Without /proc there is no table, and then no sandbox to tell apart.
    MountTable(String(decoding: (try? read("/proc/self/mountinfo")) ?? [], as: UTF8.self))
  }

  /// Eight hex digits that differ from boot to boot. The unit gives the boot's ID to the service, which sees of /proc
  /// nothing but processes.
  static func bootMark() -> String {
    let given = getenv("CAMRIG_BOOT_ID").map { Array(String(cString: $0).utf8) } ?? []
    let text = given.count >= 8 ? given : (try? read("/proc/sys/kernel/random/boot_id")) ?? []
    let mark = String(decoding: text.prefix(8), as: UTF8.self)
    return mark.utf8.count == 8 ? mark : "boot"
  }
}
