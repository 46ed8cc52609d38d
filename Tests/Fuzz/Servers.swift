import Glibc

extension FuzzTarget {
  /// What a client sends: as a stranger by TCP, or, if the first byte is odd, on the Unix socket, where all is allowed.
  /// Its other bits: sent in 1 to 8 pieces (0x0E), and then left open instead of half closed (0x10).
  static let http = FuzzTarget(name: "http") { bytes in
    guard let first = bytes.first else { return }
    FuzzedConnection(isLocal: first & 1 == 1, manner: first).send(Array(bytes.dropFirst()))
  }

  /// Frames on the WebSocket for wishes or, if the first byte is odd, on that for pictures. The other bits as above.
  static let webSockets = FuzzTarget(name: "websockets") { bytes in
    guard let first = bytes.first else { return }
    let (path, name) = first & 1 == 1 ? ("/monitor/media", "camrig.media.v1") : ("/monitor", "camrig.monitor.v1")
    let head =
      "GET \(path) HTTP/1.1\r\nHost: rig\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: \(name)\r\n\r\n"
    FuzzedConnection(isLocal: true, manner: first).send(Array(head.utf8), then: Array(bytes.dropFirst()))
  }
}

/// One connection to the rig's server.
struct FuzzedConnection {
  private let descriptor: Int32
  /// What the server has after our end before it is left to itself.
  private static let patience: Int32 = 100

  private let pieces: Int
  private let halfCloses: Bool

  init(isLocal: Bool, manner: UInt8) {
    descriptor = isLocal ? FuzzedRig.shared.connectLocally() : FuzzedRig.shared.connect()
    precondition(descriptor >= 0, "the server does not take connections any more: \(String(cString: strerror(errno)))")
    pieces = Int(manner >> 1 & 7) + 1
    halfCloses = manner & 0x10 == 0
  }

  /// `rest` follows the first answer. Then we send no more, and read until the server closes, or has nothing to say.
  func send(_ bytes: [UInt8], then rest: [UInt8]? = nil) {
    let before = ServerThread.shared.nanoseconds
    if let rest {
      put(bytes)
      _ = read(Self.patience * 20)
      putPieces(rest)
    } else {
      putPieces(bytes)
    }
    if halfCloses { shutdown(descriptor, Int32(SHUT_WR)) }
    while read(Self.patience) {}
    close(descriptor)
    // A thread that spins while it waits for us uses all of our patience.
    let used = ServerThread.shared.nanoseconds - before
    precondition(used < Int64(Self.patience) * 500_000, "the server was busy for \(used / 1_000_000) ms")
  }

  private func putPieces(_ bytes: [UInt8]) {
    let length = max(1, (bytes.count + pieces - 1) / pieces)
    for start in stride(from: 0, to: bytes.count, by: length) {
      // So that each is read by itself.
      if start > 0 { poll(nil, 0, 1) }
      put(Array(bytes[start..<min(start + length, bytes.count)]))
    }
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
