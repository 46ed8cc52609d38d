import CLinux
import CamrigModel
import HTTP
import TestSupport

/// A server with the test site, on a free port of the loopback and on a Unix socket.
final class TestServer: Sendable {
  let site = TestSite()
  let directory = TemporaryDirectory()
  let sink = RecordingLogSink()
  let begun = SystemClock().now
  let port: UInt16
  let server: WebSocketsServer

  init(
    _ change: (inout WebSocketsServer.Settings) -> Void = { _ in },
    accept: @escaping @Sendable (Int32) -> Int32 = { cl_accept($0) }
  ) throws {
    var settings = WebSocketsServer.Settings()
    settings.subprotocols = ["camrig.test.v1", "camrig.test.v2"]
    settings.otherHeaders = ["x-forwarded-proto"]
    change(&settings)
    server = try WebSocketsServer(settings, handler: site, log: sink.log, accept: accept)
    let network = try ListeningSocket.open(.network(address: "127.0.0.1", port: 0))
    guard case .network(_, let port) = network.place else { throw HTTPServerError.noCertificate }
    self.port = port
    try server.serve(network, isSecure: false)
    try server.serve(ListeningSocket.open(.path(directory.path + "/http.sock", mode: 0o600)), isSecure: false)
  }

  /// Waits for the end. Without it the server ends by itself after this object.
  func stop() { server.stop() }

  var url: String { "http://127.0.0.1:\(port)" }
  var socketPath: String { directory.path + "/http.sock" }

  /// - Parameter arguments: of curl, the path of the URL last.
  func curl(_ arguments: String..., input: [UInt8] = []) async -> Program {
    let options = ["-sS", "--max-time", "60"] + arguments.dropLast()
    return await Program.ended("curl", options + [url + (arguments.last ?? "/")], input: input)
  }

  /// A client that says whatever a test wants.
  func raw() throws -> RawMonitor { try RawMonitor(socketPath) }
}
