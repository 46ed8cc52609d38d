import CamrigModel
import DaemonKit
import Glibc

/// What goes wrong with takes, in the words that the operator reads.
package enum RecordingError: Error, Equatable, CustomStringConvertible {
  case noCameras
  /// No camera delivered within the time limit; what each of them says.
  case nothingDelivered([TakeCameraStart])
  case directoryMissing(String)
  case directoryForbidden(String)
  /// The volume could be written, but not by this service.
  case readOnlyForService(String)
  case readOnly(String)
  case diskLow(path: String, freeBytes: UInt64, neededBytes: UInt64)
  case diskFull(String)
  case io(path: String, errno: Int32)
  case silent(VolumeSilence)
  /// It failed while the take began.
  case volume(TakeStop)
  case unknownTake(String)
  case noTakeYet
  case brokenManifest(path: String, why: String)
  case takeRunning(String)
  case stopping(String)
  case catalog(String)

  package var description: String {
    switch self {
    case .noCameras:
      "There is no camera to record. Plug one in, or see camrigctl cameras for why those there cannot be used."
    case .nothingDelivered(let cameras):
      "Nothing is recorded, no camera delivered a picture: "
        + cameras.map { "\($0.name): \($0.problem ?? "no picture")" }.joined(separator: "; ")
    case .directoryMissing(let path):
      "\(path) is not there. Mount its volume, create the folder, or set MediaDirectory= in camrig.conf."
    case .directoryForbidden(let path):
      "\(path) may not be written by the service's user. Give it to the user: chown camrig: \(path)"
    case .readOnlyForService(let path):
      "\(path) is read-only for the service: add ReadWritePaths=\(path) in a drop-in, "
        + "see /usr/share/doc/camrig/examples/media-directory.conf"
    case .readOnly(let path):
      "The volume of \(path) is read-only. Mount it writable (dmesg tells whether it had errors), "
        + "or set MediaDirectory= to another volume."
    case .diskLow(let path, let free, let needed):
      "The volume of \(path) has \(gigabytes(free)) left, and \(gigabytes(needed)) are kept free. "
        + "Delete takes or use a larger volume."
    case .diskFull(let path): "The volume of \(path) is full. Delete takes or use a larger volume."
    case .io(let path, let number):
      "\(path) cannot be read or written: \(errorText(number)). See dmesg for its volume's errors."
    case .silent(let silence): silence.description
    case .volume(let stop): stop.message
    case .unknownTake(let id): "There is no take \(id). See camrigctl takes."
    case .noTakeYet: "There is no take yet. Begin one with: camrigctl record start"
    case .brokenManifest(let path, let why): "\(path) cannot be read: \(why). Make it anew with camrigctl take repair."
    case .takeRunning(let id): "Take \(id) is being recorded. Stop it first: camrigctl record stop"
    case .stopping(let id): "Take \(id) is being finished. Try again in a moment."
    case .catalog(let why): "The list of takes cannot be used: \(why). It will be made anew from the folders."
    }
  }

  /// Another volume may do better.
  var isOfVolume: Bool {
    switch self {
    case .directoryMissing, .directoryForbidden, .readOnlyForService, .readOnly, .diskLow, .diskFull, .io, .silent,
      .volume:
      true
    case .noCameras, .nothingDelivered, .unknownTake, .noTakeYet, .brokenManifest, .takeRunning, .stopping, .catalog:
      false
    }
  }

  /// Of reading a `take.json`: there is none, or none of ours. Anything else is its disk's, which may give it later.
  var meansNoManifest: Bool {
    switch self {
    case .unknownTake, .brokenManifest: true
    case .noCameras, .nothingDelivered, .directoryMissing, .directoryForbidden, .readOnlyForService, .readOnly,
      .diskLow, .diskFull, .io, .silent, .volume, .noTakeYet, .takeRunning, .stopping, .catalog:
      false
    }
  }

  /// As `DiskState` tells it.
  package static func failed(_ path: String, _ number: Int32) -> RecordingError {
    number == ETIMEDOUT ? .silent(VolumeSilence(path: path)) : .io(path: path, errno: number)
  }

  /// Of a system call on `path`.
  static func of(_ number: Int32, _ path: String, mounts: () -> MountTable = Folder.mountTable) -> RecordingError {
    switch number {
    case ENOENT, ENOTDIR: .directoryMissing(path)
    case EACCES, EPERM: .directoryForbidden(path)
    case EROFS: mounts().isReadOnlyForUsAlone(path) ? .readOnlyForService(path) : .readOnly(path)
    case ENOSPC, EDQUOT: .diskFull(path)
    default: .io(path: path, errno: number)
    }
  }
}

func errorText(_ number: Int32) -> String {
  if number == ETIMEDOUT { return "it does not answer" }
  guard let text = strerror(number) else { return "error \(number)" }
  return String(cString: text)
}

/// `1.9 GB`, `120 MB`
func gigabytes(_ bytes: UInt64) -> String {
  let tenths = bytes / 100_000_000
  return tenths >= 10 ? "\(tenths / 10).\(tenths % 10) GB" : "\(bytes / 1_000_000) MB"
}

extension RecordingError {
  /// The system's number, where there is one.
  var errno: Int32 {
    switch self {
    case .directoryMissing: ENOENT
    case .directoryForbidden: EACCES
    case .readOnly, .readOnlyForService: EROFS
    case .diskFull, .diskLow: ENOSPC
    case .io(_, let number): number
    case .silent: ETIMEDOUT
    case .noCameras, .nothingDelivered, .volume, .unknownTake, .noTakeYet, .brokenManifest, .takeRunning, .stopping,
      .catalog:
      EIO
    }
  }
}
