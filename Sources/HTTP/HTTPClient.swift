import CWebSockets
import CamrigModel
import DaemonKit
import Glibc

/// A client for one server, over HTTP and WebSockets, with a thread of its own that sleeps while nothing happens. Ends
/// with `close` at the latest.
package final class HTTPClient: Sendable {
  package enum Trust: Hashable, Sendable {
    /// Plain HTTP: nobody is who they say.
    case plain
    /// TLS with the rig of this fingerprint and no other, under whatever name it is reached.
    case pinned(CertificateFingerprint)
    /// TLS with nobody: every connection fails with the fingerprint that was seen, for a person to compare.
    case nobody
  }

  package struct Settings: Sendable {
    package var host: String
    package var port: UInt16
    package var trust: Trust
    /// Connecting, and every wait for the server.
    package var seconds: UInt32 = 20
    package var answerBytes = 64 << 20
    package var messageBytes = 16 << 20
    package var queuedMessages = 256
    package var queuedBytes = 16 << 20
    package var pingSeconds: UInt16 = 5
    package var hangupSeconds: UInt16 = 12
    package var lastWordSeconds: UInt32 = 2

    package init(host: String, port: UInt16, trust: Trust) {
      self.host = host
      self.port = port
      self.trust = trust
    }

    /// A server on this machine, at its Unix socket.
    package init(socketPath: String) {
      // What libwebsockets knows such a place by.
      self.init(host: "+" + socketPath, port: 0, trust: .plain)
    }

    /// As a URL and the Host header have it.
    package var authority: String {
      if host.hasPrefix("+") { return "localhost" }
      return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// For people.
    var place: String { host.hasPrefix("+") ? String(host.dropFirst()) : authority }
  }

  package struct Answer: Hashable, Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package let body: [UInt8]
  }

  private let settings: Settings
  private let mailbox: ServiceMailbox<ClientLoop?>
  private let worker: Worker

  package init(_ settings: Settings) throws(HTTPClientError) {
    guard let mailbox = ServiceMailbox<ClientLoop?>() else { throw .startFailed(String(cString: strerror(errno))) }
    self.mailbox = mailbox
    self.settings = settings
    do throws(DaemonError) {
      worker = try Worker("http-client") {
        guard let loop = ClientLoop(settings, mailbox) else {
          for order in mailbox.shut() { order(nil) }
          return
        }
        loop.run()
        for order in mailbox.shut() { order(nil) }
      }
    } catch {
      throw .startFailed("\(error)")
    }
  }

  // Only for the way out of an error, where nobody waits for the end.
  deinit { mailbox.post { $0?.beginStop() } }

  /// `target` is the path with its query, encoded.
  package func send(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil
  ) async throws(HTTPClientError) -> Answer {
    let request = ClientExchange.Request(method: method, target: target, headers: headers, body: body)
    return try await perform { loop, done in loop.begin(request, done) }
  }

  /// Hands the answer to `sink` as it comes. True: all of it came; false: `sink` wanted no more.
  /// - Parameter lifeSign: of an answer without end, which may rest: what the server is asked for meanwhile, and answers
  ///   somehow if it is there. Nil: an answer that rests for `Settings.seconds` is lost.
  package func fetch(
    _ target: String, headers: HTTPHeaders = [:], into sink: any HTTPBodySink, lifeSign: String? = nil
  ) async throws(HTTPClientError) -> Bool {
    let request = ClientExchange.Request(method: .get, target: target, headers: headers, body: nil, lifeSign: lifeSign)
    return try await perform { loop, done in loop.stream(request, sink, done) }
  }

  /// Returns when the socket is open; from then on the session is told everything.
  package func open(
    _ target: String, subprotocols: [String] = [], headers: HTTPHeaders = [:], session: any WebSocketSession
  ) async throws(HTTPClientError) -> WebSocket {
    let request = ClientExchange.Request(method: .get, target: target, headers: headers, body: nil)
    return try await perform { loop, done in loop.open(request, subprotocols, session, done) }
  }

  /// Has the thread do it, and waits for the outcome. It is handed over under a lock, which Thread Sanitizer sees, and
  /// not by the continuation, which it does not.
  private func perform<T: Sendable>(
    _ body: @escaping @Sendable (ClientLoop, @escaping (Result<T, HTTPClientError>) -> Void) -> Void
  ) async throws(HTTPClientError) -> T {
    let outcome = Outcome<T>()
    await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
      post { loop in
        func settle(_ result: Result<T, HTTPClientError>) {
          outcome.result.withLock { $0 = result }
          waiting.resume()
        }
        guard let loop else { return settle(.failure(.closed)) }
        body(loop, settle)
      }
    }
    return try outcome.result.withLock { $0 }.get()
  }

  private func post(_ order: @escaping @Sendable (ClientLoop?) -> Void) {
    if !mailbox.post(order) { order(nil) }
  }

  /// Says goodbye on its WebSockets; what is under way fails. Waits for the end.
  package func close() {
    post { $0?.beginStop() }
    worker.join()
  }
}

private final class Outcome<T: Sendable>: Sendable {
  let result = Guarded<Result<T, HTTPClientError>>(.failure(.closed))
}
