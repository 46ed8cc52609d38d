import CLinux
import CamrigModel

/// Who operates the rig over one connection, and what that one may do.
package struct Peer: Hashable, Sendable, CustomStringConvertible {
  package enum Origin: Hashable, Sendable {
    /// On this machine: the process that connected, as the kernel knew it then.
    case process(pid: Int32, uid: UInt32, gid: UInt32)
    /// A paired monitor.
    case monitor(id: Int, name: String, address: String)
  }

  /// Which connection since the daemon's start.
  package let connection: UInt64
  package let origin: Origin
  package let role: AccessRole

  package init(connection: UInt64, _ origin: Origin, role: AccessRole) {
    self.connection = connection
    self.origin = origin
    self.role = role
  }

  /// Of a program on the control socket: whoever the socket's mode lets in may do everything.
  init(connection: UInt64, descriptor: Int32) {
    var pid: Int32 = 0
    // Nobody: what a kernel that would not say leaves us with.
    var uid: UInt32 = .max
    var gid: UInt32 = .max
    _ = cl_peer(descriptor, &pid, &uid, &gid)
    self.init(connection: connection, .process(pid: pid, uid: uid, gid: gid), role: .admin)
  }

  /// The monitor's own, without where it is.
  package var name: String {
    switch origin {
    case .process(let pid, _, _): "process \(pid)"
    case .monitor(_, let name, _): name
    }
  }

  package var description: String {
    switch origin {
    case .process(let pid, let uid, _): "process \(pid) of user \(uid)"
    case .monitor(_, let name, let address): "\(name) at \(address)"
    }
  }

  /// For the journal.
  package var journalFields: [String: String] {
    switch origin {
    case .process(let pid, let uid, let gid):
      ["CAMRIG_PEER_PID": "\(pid)", "CAMRIG_PEER_UID": "\(uid)", "CAMRIG_PEER_GID": "\(gid)"]
    case .monitor(let id, _, let address): ["CAMRIG_MONITOR": "\(id)", "CAMRIG_PEER_ADDRESS": address]
    }
  }
}
