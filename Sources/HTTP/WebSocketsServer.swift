import CLinux
import CWebSockets
import CamrigModel
import DaemonKit
import Glibc

/// The web server on libwebsockets: one thread that sleeps while nobody asks. Ends with `stop` at the latest.
package final class WebSocketsServer: HTTPServer {
  package struct Settings: Sendable {
    package var limits = HTTPLimits()
    /// Those that WebSockets may have; which one an address takes is the handler's to say.
    package var subprotocols: [String] = []
    /// Headers that the handler reads although libwebsockets does not know them, such as `x-forwarded-proto`.
    package var otherHeaders: [String] = []
    /// How long a connection that is being closed is given to take its last word.
    package var lastWordSeconds: UInt32 = 2

    /// What `ps -L` shows, 15 bytes at most.
    package var threadName = "http"

    package init() {}

    var moreHeaders: [String] { otherHeaders.map { $0.lowercased() + ":" } }
  }

  private let mailbox: ServiceMailbox<ServerLoop>
  private let worker: Worker
  private let hasCertificate = Guarded(false)

  /// `accept` gives the next client of a listening socket, or -errno; for tests.
  package init(
    _ settings: Settings = Settings(), handler: any HTTPHandler, log: Log,
    accept: @escaping @Sendable (Int32) -> Int32 = { cl_accept($0) }
  ) throws(HTTPServerError) {
    guard let mailbox = ServiceMailbox<ServerLoop>() else { throw .startFailed(String(cString: strerror(errno))) }
    let started = Started()
    do throws(DaemonError) {
      worker = try Worker(settings.threadName) {
        let loop = ServerLoop(settings, handler, mailbox, log, accept: accept)
        started.tell(loop != nil)
        loop?.run()
      }
    } catch {
      throw .startFailed("\(error)")
    }
    self.mailbox = mailbox
    guard started.wait() else {
      worker.join()
      throw .startFailed("libwebsockets had no memory or no descriptors for it; raise LimitNOFILE= of the service")
    }
  }

  // Only for the way out of an error, where nobody waits for the end.
  deinit { mailbox.post { $0.beginStop() } }

  package func serve(_ socket: ListeningSocket, isSecure: Bool) throws(HTTPServerError) {
    guard !isSecure || hasCertificate.withLock({ $0 }) else { throw .noCertificate }
    mailbox.post { $0.add(socket, isSecure: isSecure) }
  }

  package func withdraw(_ socket: ListeningSocket) { mailbox.post { $0.drop(socket) } }

  package func use(_ certificate: ServerCertificate) {
    hasCertificate.withLock { $0 = true }
    mailbox.post { loop in
      loop.certificate = certificate
      // The first one comes to the new context by libwebsockets' own call.
      let isInPlace = loop.secureContext.map { certificate.install($0) } ?? loop.beginTLS()
      if !isInPlace { loop.log.error("OpenSSL does not take the certificate; HTTPS goes on without it.") }
    }
  }

  /// How often its thread has looked for work.
  package var turns: Int { mailbox.turns }

  package func stop() {
    mailbox.post { $0.beginStop() }
    worker.join()
  }
}

/// Tells once whether the thread could begin.
private final class Started: Sendable {
  private let descriptor: Int32

  init() { descriptor = cl_eventfd() }
  deinit { close(descriptor) }

  func tell(_ began: Bool) { eventfd_write(descriptor, began ? 2 : 1) }

  func wait() -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, -1) < 0 && errno == EINTR {}
    var value: eventfd_t = 0
    eventfd_read(descriptor, &value)
    return value == 2
  }
}
