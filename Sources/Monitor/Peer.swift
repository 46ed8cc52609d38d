import CLinux

/// Who operates the rig over the local socket: the process that connected, as the kernel knew it then.
package struct Peer: Hashable, Sendable, CustomStringConvertible {
  /// Which connection since the daemon's start.
  package let connection: UInt64
  package let pid: Int32
  package let uid: UInt32
  package let gid: UInt32

  package init(connection: UInt64, pid: Int32, uid: UInt32, gid: UInt32) {
    self.connection = connection
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }

  init(connection: UInt64, descriptor: Int32) {
    var pid: Int32 = 0
    // Nobody: what a kernel that would not say leaves us with.
    var uid: UInt32 = .max
    var gid: UInt32 = .max
    _ = cl_peer(descriptor, &pid, &uid, &gid)
    self.init(connection: connection, pid: pid, uid: uid, gid: gid)
  }

  package var description: String { "process \(pid) of user \(uid)" }
}
