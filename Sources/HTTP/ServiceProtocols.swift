import CWebSockets
import Glibc

/// The subprotocols of a context as libwebsockets wants them: it compares their names itself, and tells the client the
/// one it found.
final class ServiceProtocols {
  /// Of connections that name none.
  static let unnamed = "camrig-unnamed"

  let pointer: UnsafeMutablePointer<lws_protocols>
  private let names: [UnsafeMutablePointer<CChar>]

  init?(_ subprotocols: [String], mostWritten: Int) {
    names = ([Self.unnamed] + subprotocols).map { strdup($0)! }
    var list: [UnsafePointer<CChar>?] = names.map { UnsafePointer($0) } + [nil]
    guard let pointer = cws_protocols(&list, serviceCallback, mostWritten) else { return nil }
    self.pointer = pointer
  }

  deinit {
    free(pointer)
    for name in names { free(name) }
  }
}
