import Glibc

/// What the operating system refused to the daemon itself.
package enum DaemonError: Error, Hashable, CustomStringConvertible {
  case thread(String, Int32)
  case descriptor(String, Int32)

  package var description: String {
    switch self {
    case .thread(let name, let code):
      "the thread \(name) cannot be started: \(text(code)). Raise TasksMax= of the service or free memory."
    case .descriptor(let what, let code):
      "\(what) cannot be opened: \(text(code)). Raise LimitNOFILE= of the service."
    }
  }

  private func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
