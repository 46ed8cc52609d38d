import CamrigModel
import Glibc

/// Why what came from a rig could not be kept.
package enum DownloadError: Error, Hashable, CustomStringConvertible {
  case write(String, Int32)
  /// The file changed while it was fetched, or was cut short.
  case incomplete(String)
  /// What the rig calls it is no name for a file here.
  case strange(String)

  package var description: String {
    switch self {
    case .write(let what, let code): "\(what) cannot be written: \(String(cString: strerror(code)))."
    case .strange(let name): "The rig has a file called \"\(name)\", which is no name for a file here. It was left out."
    case .incomplete(let file): "\(file) did not come whole. Run the same command again: it goes on where it ended."
    }
  }

  package var exitStatus: ExitStatus {
    switch self {
    case .write: .cantCreate
    case .incomplete: .tempFail
    case .strange: .dataErr
    }
  }
}
