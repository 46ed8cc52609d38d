import CamrigModel
import Monitor
import TestSupport

/// A handler that does what the method's name says, and remembers what it was asked.
final class TestRig: RequestHandler {
  private let asked = Guarded<[String]>([])
  private let (gate, opener) = AsyncStream.makeStream(of: Void.self)
  /// What a watch gets, if it does not ask for a number of events.
  let notes = Guarded<[RPCNotification]>([])
  let peers = Guarded<[Peer]>([])
  let ended = Guarded(0)
  /// How many monitors have left.
  let left = Guarded(0)

  var methods: [String] { asked.withLock { $0 } }

  /// Lets one `rig.wait` go on.
  func open() { opener.yield() }

  func begin(_ peer: Peer) -> any MonitorSession { Session(rig: self, peer: peer) }

  private struct Session: MonitorSession {
    let rig: TestRig
    let peer: Peer

    func handle(_ request: RPCRequest) async -> RPCReply { await rig.handle(request, from: peer) }
    func end() { rig.left.withLock { $0 += 1 } }
  }

  func handle(_ request: RPCRequest, from peer: Peer) async -> RPCReply {
    asked.withLock { $0.append(request.method) }
    peers.withLock { $0.append(peer) }
    switch request.method {
    case "rig.echo": return .result(request.params)
    case "rig.wait":
      for await _ in gate { break }
      return .result("waited")
    case "rig.later":
      return .later { [self] in
        for await _ in gate { break }
        return .result("later")
      }
    case "rig.much": return .result(.string(String(repeating: "x", count: 2 << 20)))
    case "rig.watch": return .subscription("watching", notifications(request))
    default: return .failure(RPCError(.methodUnknown, "there is no method \(request.method)"))
    }
  }

  private func notifications(_ request: RPCRequest) -> AsyncStream<RPCNotification> {
    let count = request.params["count"]?.asInteger ?? 0
    let text = String(repeating: "x", count: Int(request.params["bytes"]?.asInteger ?? 1))
    return AsyncStream { stream in
      stream.onTermination = { _ in self.ended.withLock { $0 += 1 } }
      for note in notes.withLock({ $0 }) { stream.yield(note) }
      for number in 0..<count {
        stream.yield(RPCNotification(method: "rig.event", params: ["number": .integer(number), "text": .string(text)]))
      }
    }
  }
}

/// A server on a socket of its own.
final class ServerUnderTest: Sendable {
  let directory = TemporaryDirectory()
  let rig = TestRig()
  let sink = RecordingLogSink()
  let server: ControlServer
  let path: String

  init(accept: (@Sendable (Int32) -> Int32)? = nil) throws {
    path = directory.path + "/control.sock"
    let socket = try ControlSocket.listening(at: path, group: nil, log: sink.log)
    if let accept {
      server = try ControlServer(socket, handler: rig, log: sink.log, accept: accept)
    } else {
      server = try ControlServer(socket, handler: rig, log: sink.log)
    }
  }

  /// Waits for a line of the log; a test without it ends by its time limit.
  func logged(_ text: String) async {
    while !sink.lines.contains(where: { $0.message.contains(text) }) { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
