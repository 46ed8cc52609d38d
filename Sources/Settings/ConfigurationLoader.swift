import DaemonKit
import Glibc

/// Reads `camrig.conf`, then `camrig.conf.d/*.conf` beside it in the order of their names; later ones win.
package enum ConfigurationLoader {
  /// A file with more bytes than this is not the one that was meant.
  package static let largestFile = 1 << 20

  /// All problems of all files are in the error. A missing file means defaults; `warnings` says so.
  package static func load(
    path: String = "/etc/camrig/camrig.conf", schema: ConfigurationSchema = .current
  ) throws(ConfigurationError) -> (Configuration, warnings: [String]) {
    var reading = ConfigurationReading(schema: schema)
    do throws(FileError) {
      reading.add(try AtomicFile.read(path, limit: largestFile), file: path)
    } catch {
      if error.code == ENOENT {
        reading.warn("\(path) does not exist; every key has its default, unless \(path).d/ says otherwise.")
      } else {
        reading.refuse(error)
      }
    }
    for file in dropIns(of: path, &reading) {
      do throws(FileError) {
        reading.add(try AtomicFile.read(file, limit: largestFile), file: file)
      } catch {
        reading.refuse(error)
      }
    }
    return try reading.finish()
  }

  private static func dropIns(of path: String, _ reading: inout ConfigurationReading) -> [String] {
    let directory = path + ".d"
    guard let stream = opendir(directory) else {
      if errno != ENOENT { reading.refuse(.failed(.list, path: directory, code: errno)) }
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".conf"), !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.map { "\(directory)/\($0)" }
  }
}
