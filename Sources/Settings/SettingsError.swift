import DaemonKit

package enum SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  case file(FileError)
  case unreadable(path: String, reason: String)
  /// A value of ours that JSON cannot hold.
  case notWritable(String)

  package var description: String {
    switch self {
    case .file(let error): "The change is not kept: \(error)"
    case .unreadable(let path, let reason): "\(path) cannot be read as settings: \(reason)."
    case .notWritable(let reason): "The settings cannot be written: \(reason)"
    }
  }
}
