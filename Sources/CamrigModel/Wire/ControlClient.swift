import CLinux
import Glibc

/// The operator's end of the control socket. Blocks; for one thread, which owns it.
package final class ControlClient {
  /// How long a rig that is busy with other monitors may take to let us in.
  private static let patience = Duration.seconds(5)

  private let descriptor: Int32
  private let path: String
  private let clock: any RigClock
  private var input = LineSplitter()
  private var waiting: [RPCNotification] = []
  private var lastID: Int64 = 0

  package init(path: String, clock: any RigClock = SystemClock()) throws(ControlClientError) {
    self.path = path
    self.clock = clock
    descriptor = cl_unix_socket()
    guard descriptor >= 0 else { throw .failed(path, -descriptor) }
    let deadline = clock.now + Self.patience
    while true {
      // Whoever throws here leaves the closing to deinit: the object is complete already.
      switch -cl_unix_connect(descriptor, path) {
      case 0: return
      case ENOENT, ENOTDIR: throw .noSocket(path)
      case ECONNREFUSED: throw .noAnswer(path)
      case EACCES, EPERM: throw .notPermitted(path)
      // The rig's queue of new monitors is full, and nothing tells when it is not.
      case EAGAIN where clock.now < deadline: poll(nil, 0, 10)
      case EAGAIN: throw .overrun(path)
      case let code: throw .failed(path, code)
      }
    }
  }

  deinit { close(descriptor) }

  /// Sends a request and waits for its answer; notifications that come before it are kept for `nextNotification`.
  package func call(
    _ method: String, _ params: JSONValue = [:], timeout: Duration = .seconds(10)
  ) throws(ControlClientError) -> JSONValue {
    lastID += 1
    let id = RPCID.number(lastID)
    let deadline = clock.now + timeout
    try send(RPCRequest(id: id, method: method, params: params).json.bytes + [0x0A], until: deadline)
    while true {
      let line = try nextLine(until: deadline)
      guard let line else { throw .timedOut(method, timeout) }
      let json = try read(line)
      if let notification = RPCNotification(json: json) {
        if notification.method == RPCNotification.closing { throw refusal(notification) }
        waiting.append(notification)
        continue
      }
      guard let answer = RPCResponse(json: json) else { throw .garbled("neither an answer nor a notification") }
      // An answer without an ID is to us too: only the rig's refusal of the whole connection is so.
      guard answer.id == id || answer.id == .null else { continue }
      switch answer.outcome {
      case .result(let value): return value
      case .failure(let error): throw .refused(error)
      }
    }
  }

  /// The next notification, nil when none came in time. Without a time-out it waits for as long as the rig lives.
  package func nextNotification(timeout: Duration? = nil) throws(ControlClientError) -> RPCNotification? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    let deadline = timeout.map { clock.now + $0 }
    while let line = try nextLine(until: deadline) {
      guard let notification = RPCNotification(json: try read(line)) else { continue }
      if notification.method == RPCNotification.closing { throw refusal(notification) }
      return notification
    }
    return nil
  }

  private func refusal(_ closing: RPCNotification) -> ControlClientError {
    .refused(
      RPCError(json: closing.params) ?? RPCError(.internalError, "camrigd closed the connection without a reason"))
  }

  private func read(_ line: [UInt8]) throws(ControlClientError) -> JSONValue {
    do {
      return try JSONValue(json: line)
    } catch {
      throw .garbled(error.description)
    }
  }

  private func send(_ bytes: [UInt8], until deadline: MediaTime) throws(ControlClientError) {
    var sent = 0
    while sent < bytes.count {
      let n = bytes.withUnsafeBytes { cl_send(descriptor, $0.baseAddress! + sent, bytes.count - sent) }
      if n >= 0 {
        sent += n
      } else if n == -Int(EAGAIN) {
        guard try wait(for: Int16(POLLOUT), until: deadline) else { throw .overrun(path) }
      } else {
        throw .closed(path)
      }
    }
  }

  /// Nil when the time is up.
  private func nextLine(until deadline: MediaTime?) throws(ControlClientError) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      switch input.next() {
      case .line(let line): return line
      case .tooLong: throw .garbled("a line of more than \(LineSplitter.longestLine) bytes")
      case nil: break
      }
      let n = buffer.withUnsafeMutableBytes { cl_read(descriptor, $0.baseAddress!, $0.count) }
      if n > 0 {
        input.append(buffer[..<n])
      } else if n == -Int(EAGAIN) {
        guard try wait(for: Int16(POLLIN), until: deadline) else { return nil }
      } else {
        throw .closed(path)
      }
    }
  }

  private func wait(for events: Int16, until deadline: MediaTime?) throws(ControlClientError) -> Bool {
    while true {
      var milliseconds: Int32 = -1
      if let deadline {
        let left = (deadline - clock.now).inNanoseconds
        guard left > 0 else { return false }
        milliseconds = Int32(clamping: left / 1_000_000 + 1)
      }
      var entry = pollfd(fd: descriptor, events: events, revents: 0)
      let n = poll(&entry, 1, milliseconds)
      if n > 0 { return true }
      guard n == 0 || errno == EINTR else { throw .failed(path, errno) }
    }
  }
}

extension RPCNotification {
  /// The last thing a rig says before it closes a connection; the parameters are an error (`RPCError`).
  package static let closing = "connection.closing"
}
