import CamrigModel
import DaemonKit
import Glibc

enum PhotoFile {
  /// Durable when it returns, under this name or not at all. Never fills the volume.
  static func write(
    _ bytes: [UInt8], to folder: String, _ name: String, reserve: DiskReserve
  ) throws(RecordingError) {
    try reserve.check(DiskState.read(folder), path: folder, for: UInt64(bytes.count))
    try write(bytes, to: folder, name)
  }

  /// The same for what may use the reserve: a few bytes that complete what is there.
  static func write(_ bytes: [UInt8], to folder: String, _ name: String) throws(RecordingError) {
    do throws(FileError) {
      try AtomicFile.write(bytes, to: folder + "/" + name)
    } catch {
      throw .of(error.code ?? EIO, folder)
    }
  }
}
