import Glibc

extension FuzzTarget {
  /// What a client sends: as a stranger by TCP, or, if the first byte is odd, on the Unix socket, where all is allowed.
  static let http = FuzzTarget(name: "http") { bytes in
    guard let first = bytes.first else { return }
    FuzzedConnection(isLocal: first & 1 == 1).send(Array(bytes.dropFirst()))
  }

  /// Frames on the WebSocket for wishes or, if the first byte is odd, on that for pictures.
  static let webSockets = FuzzTarget(name: "websockets") { bytes in
    guard let first = bytes.first else { return }
    let (path, name) = first & 1 == 1 ? ("/monitor/media", "camrig.media.v1") : ("/monitor", "camrig.monitor.v1")
    let head =
      "GET \(path) HTTP/1.1\r\nHost: rig\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: \(name)\r\n\r\n"
    FuzzedConnection(isLocal: true).send(Array(head.utf8), then: Array(bytes.dropFirst()))
  }
}

/// One connection to the rig's server.
struct FuzzedConnection {
  private let descriptor: Int32
  /// What the server has after our end before it is left to itself.
  private static let patience: Int32 = 100

  init(isLocal: Bool) {
    descriptor = isLocal ? FuzzedRig.shared.connectLocally() : FuzzedRig.shared.connect()
    precondition(descriptor >= 0, "the server does not take connections any more: \(String(cString: strerror(errno)))")
  }

  /// `rest` follows the first answer. Then we send no more, and read until the server closes.
  func send(_ bytes: [UInt8], then rest: [UInt8]? = nil) {
    put(bytes)
    if let rest {
      _ = read(Self.patience * 20)
      put(rest)
    }
    shutdown(descriptor, Int32(SHUT_WR))
    while read(Self.patience) {}
    close(descriptor)
  }

  private func put(_ bytes: [UInt8]) {
    // A server that has closed already is right to.
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// False at the end, or if nothing comes for so long.
  private func read(_ milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65536)
    return recv(descriptor, &buffer, buffer.count, 0) > 0
  }
}
