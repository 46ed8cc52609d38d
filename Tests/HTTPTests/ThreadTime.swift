import CamrigModel
import Glibc

/// The processor time of this process's threads of a name.
enum ThreadTime {
  /// In milliseconds, all of them together.
  static func of(_ name: String) -> Int {
    guard let tasks = opendir("/proc/self/task") else { return 0 }
    defer { closedir(tasks) }
    var ticks = 0
    while let entry = readdir(tasks) {
      let number = withUnsafePointer(to: entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      ticks += self.ticks("/proc/self/task/\(number)/stat", name) ?? 0
    }
    return ticks * 1000 / sysconf(Int32(_SC_CLK_TCK))
  }

  static func hasPassed(seconds: Int, since begin: MediaTime) -> Bool { SystemClock().now - begin > .seconds(seconds) }

  private static func ticks(_ path: String, _ name: String) -> Int? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 1024)
    guard fgets(&line, 1024, file) != nil else { return nil }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard text.contains("(\(name))"), let rest = text.split(separator: ")").last else { return nil }
    // Fields 14 and 15 of proc(5); what follows the name begins with field 3.
    let fields = rest.split(separator: " ")
    return fields.count > 13 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : nil
  }
}
