import CLinux
import CamrigModel
import DaemonKit
import Discovery
import Dispatch
import Glibc
import HTTP
import RigControl

/// The rig in the network: its web server, its certificate, where it listens. What cannot be (a port that is taken, a
/// certificate that is no good) is said in the status, and the rig goes on without it.
package final class NetworkLink: Sendable {
  package struct Settings: Hashable, Sendable {
    /// Where it is reached by TLS.
    package var listen: [ListenPlace] = []
    package var plainListen: [ListenPlace] = []
    /// Sockets of systemd's, for TLS: each stands for its place, whether that is listed above or not.
    package var inherited: [InheritedSocket] = []
    /// For programs on this machine; nil: none.
    package var socketPath: String?
    /// Whether others in the network shall find it by themselves.
    package var announces = false
    /// Of the rig; empty: this machine's.
    package var name = ""
    package var allowedHosts: [String] = []
    /// Both empty: a certificate of the rig's own.
    package var certificate = ""
    package var certificateKey = ""
    /// A place that was taken is tried again so often: what had it may have ended.
    package var retry = Duration.seconds(15)

    package init() {}
  }

  private struct Listening {
    let socket: ListeningSocket
    /// As the settings say it; the socket's own place has the port that was free.
    let wanted: ListenPlace
  }

  private struct State {
    var settings = Settings()
    var sockets: [(socket: Listening, isSecure: Bool)] = []
    /// Sockets of systemd's, once they were looked at.
    var inherited: [ListenPlace: ListeningSocket]?
    var faults: [RigProblem] = []
    /// What the log has heard of.
    var told: Set<String> = []
    var certificateFault: String?
    var announcedHost: String?
    var isRetryDue = false
    var isStopped = false
  }

  package let book: MonitorBook
  package let fingerprint: CertificateFingerprint
  /// Of the rig, for programs.
  private let id: String
  private let authority: CertificateAuthority
  private let server: any HTTPServer
  private let lastNotes = LastNotes()
  private let guests: GuestList
  private let clock: any RigClock
  private let log: Log
  private let state = Guarded(State())
  /// Under which the rig may be asked; the site has it, too.
  private let names: KnownNames
  private let queue = DispatchQueue(label: "camrig.network")
  private let addresses = Guarded<AddressWatch?>(nil)
  private let hostName = Guarded<HostNameWatch?>(nil)
  private let announcer = Guarded<Announcer?>(nil)
  private let timer = Guarded<Task<Void, Never>?>(nil)
  private static let look = Duration.seconds(3600)

  /// - Parameters:
  ///   - directory: for the authority's key.
  ///   - handler: what carries out wishes, as on every other wire.
  package init(
    rig: Rig, handler: any RequestHandler, book: MonitorBook, guests: GuestList, directory: String,
    clock: any RigClock = SystemClock(), log: Log
  ) throws(NetworkFault) {
    self.book = book
    self.guests = guests
    names = KnownNames()
    self.clock = clock
    self.log = log
    do throws(CertificateError) {
      authority = try CertificateAuthority(
        directory: directory, name: "camrig \(HostName.current)", host: HostName.current)
    } catch {
      throw NetworkFault(description: "\(error)")
    }
    fingerprint = authority.fingerprint
    id = String(fingerprint.description.dropFirst("sha256:".count).prefix(8))
    let identity = MonitorSite.Identity(
      id: id, fingerprint: fingerprint.description,
      authority: authority.certificateDER)
    let names = self.names
    let site = MonitorSite(
      rig: rig, handler: handler, book: book, guests: guests, identity: identity,
      lastNotes: lastNotes, names: { names.all }, log: log)
    var settings = WebSocketsServer.Settings()
    // Proofs of long takes are answered when they are read.
    settings.limits.answerSeconds = 1800
    settings.limits.bodyBytes = 64 << 10
    settings.limits.messageBytes = 64 << 10
    settings.otherHeaders = ["x-forwarded-proto"]
    settings.subprotocols = [MonitorSite.controlProtocol, MonitorSite.mediaProtocol]
    do throws(HTTPServerError) {
      server = try WebSocketsServer(settings, handler: site, log: log)
    } catch {
      throw NetworkFault(description: "\(error)")
    }
    book.onRevoke { [guests] in guests.sendAway($0) }
  }

  // MARK: Where

  /// Listens as the settings say; what was open and is still wanted stays. May be called again.
  package func use(_ settings: Settings) {
    queue.sync {
      state.withLock { $0.settings = settings }
      // Before the first look, so that nothing falls between.
      if addresses.withLock({ $0 == nil }) {
        let watch = AddressWatch { [weak self] in self?.lookAgain() }
        addresses.withLock { $0 = watch }
        let nameWatch = HostNameWatch { [weak self] in self?.lookAgain() }
        hostName.withLock { $0 = nameWatch }
        let announcer = Announcer(log: log) { [weak self] in self?.lookAgain() }
        self.announcer.withLock { $0 = announcer }
      }
      apply()
    }
    // Certificates age, and clocks are set.
    if timer.withLock({ $0 == nil }) {
      let task = Task { [weak self] in
        while !Task.isCancelled {
          do { try await Task.sleep(for: Self.look) } catch { return }
          self?.lookAgain()
        }
      }
      timer.withLock { $0 = task }
    }
  }

  private func lookAgain() {
    queue.async { [weak self] in self?.apply() }
  }

  /// On the queue.
  private func apply() {
    renewCertificate()
    listen(state.withLock { $0.settings })
    announce()
  }

  /// On the queue.
  private func tryAgain() {
    let settings: Settings? = state.withLock { state in
      state.isRetryDue = false
      return state.faults.isEmpty || state.isStopped ? nil : state.settings
    }
    guard let settings else { return }
    listen(settings)
    announce()
  }

  private func retrySoon() {
    let pause: Duration? = state.withLock { state in
      guard !state.isRetryDue else { return nil }
      state.isRetryDue = true
      return state.settings.retry
    }
    guard let pause else { return }
    queue.asyncAfter(deadline: .now() + pause.inSeconds) { [weak self] in self?.tryAgain() }
  }

  private func listen(_ settings: Settings) {
    guard !state.withLock({ $0.isStopped }) else { return }
    var faults: [RigProblem] = []
    // At once: whoever looks meanwhile sees those of the last time.
    defer { state.withLock { $0.faults = faults } }
    let given = inherited(settings)
    let own = settings.listen.filter { place in !given.values.contains { $0.place == place } }
    var wanted =
      given.keys.sorted { "\($0)" < "\($1)" }.map { ($0, true) } + own.map { ($0, true) }
      + settings.plainListen.map { ($0, false) }
    if let path = settings.socketPath { wanted.append((.path(path, mode: 0o660), false)) }
    let open = state.withLock { $0.sockets }
    for (socket, isSecure) in open where !wanted.contains(where: { $0.0 == socket.wanted && $0.1 == isSecure }) {
      server.withdraw(socket.socket)
      state.withLock { $0.sockets.removeAll { $0.socket.socket === socket.socket } }
    }
    for (place, isSecure) in wanted
    where !open.contains(where: { $0.socket.wanted == place && $0.isSecure == isSecure }) {
      do throws(HTTPServerError) {
        let socket = if let inherited = given[place] { inherited } else { try ListeningSocket.open(place) }
        try server.serve(socket, isSecure: isSecure)
        state.withLock { $0.sockets.append((Listening(socket: socket, wanted: place), isSecure)) }
      } catch {
        faults.append(RigProblem(.notListening, "\(error)"))
        if state.withLock({ $0.told.insert("\(error)").inserted }) { log.error("\(error)") }
        retrySoon()
      }
    }
  }

  /// By their descriptors. What does not listen is said, and is as if it were not there.
  private func inherited(_ settings: Settings) -> [ListenPlace: ListeningSocket] {
    if let known = state.withLock({ $0.inherited }) { return known }
    var sockets: [ListenPlace: ListeningSocket] = [:]
    for socket in settings.inherited {
      do throws(HTTPServerError) {
        let opened = try ListeningSocket.open(.inherited(socket.descriptor))
        // By its descriptor: two of them may be for one place, in IPv4 and IPv6.
        sockets[.inherited(socket.descriptor)] = opened
      } catch {
        log.error("\(error)")
      }
    }
    state.withLock { $0.inherited = sockets }
    return sockets
  }

  // MARK: Names and certificate

  /// On the queue.
  private func renewCertificate() {
    let settings = state.withLock { $0.settings }
    let host = HostName.current
    let names = ([host, host + ".local"] + announcedHost + settings.allowedHosts).map { $0.lowercased() }
    self.names.set(Set(names))
    do throws(CertificateError) {
      if settings.certificate.isEmpty {
        let now = clock.anchor.wall
        let (certificate, issued) = try authority.certificate(
          for: names + ["localhost", "127.0.0.1", "::1"] + AddressWatch.addresses, at: now)
        server.use(certificate)
        if let issued {
          log.notice("the rig has a new certificate (\(issued.rawValue))")
          for name in authority.foreign(settings.allowedHosts) {
            log.warning(
              "\(name) is a name for the whole world, for which the rig's own authority cannot vouch: browsers warn there. "
                + "Give the rig a certificate of yours, with Certificate= and CertificateKey=.")
          }
        }
      } else {
        server.use(
          try ServerCertificate.load(
            certificatePath: settings.certificate, keyPath: settings.certificateKey, at: clock.anchor.wall))
      }
      state.withLock { $0.certificateFault = nil }
    } catch {
      log.error("\(error)")
      state.withLock { $0.certificateFault = "\(error)" }
    }
  }

  // MARK: Being found

  /// On the queue.
  private func announce() {
    let (settings, sockets) = state.withLock { ($0.settings, $0.sockets) }
    let ports = sockets.filter(\.isSecure).compactMap { $0.socket.socket.place.portInNetwork }
    let wish = ports.first.map { port in
      RigAnnouncement(
        name: settings.name.isEmpty ? HostName.current : settings.name, id: id, version: Version.text,
        fingerprint: fingerprint.description, port: port)
    }
    announcer.withLock { $0 }?.announce(settings.announces ? wish : nil)
  }

  /// This machine's name there: avahi's word, where it has one, since it may have found ours taken.
  private var hostInNetwork: String { announcer.withLock { $0?.status?.host } ?? HostName.current + ".local" }

  /// The last such word of avahi, which is silent while it starts again: the certificate shall not change each time.
  private var announcedHost: [String] {
    let host = announcer.withLock { $0?.status?.host }
    return state.withLock { state in
      if let host { state.announcedHost = host }
      return [state.announcedHost].compactMap { $0 }
    }
  }

  // MARK: What people see

  package var problems: [RigProblem] {
    state.withLock { state in
      state.faults + [state.certificateFault].compactMap { $0 }.map { RigProblem(.certificateUnusable, $0) }
    }
  }

  package var status: NetworkStatus {
    let sockets = state.withLock { $0.sockets }
    var urls: [String] = []
    for (socket, isSecure) in sockets {
      guard case .network(let address, let port) = socket.socket.place else { continue }
      let scheme = isSecure ? "https" : "http"
      let hosts = address.map { [$0] } ?? [hostInNetwork] + AddressWatch.addresses
      urls += hosts.map { host in
        let part = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(part):\(port)/"
      }
    }
    return NetworkStatus(
      urls: urls, fingerprint: fingerprint.description, problems: problems.map(\.text),
      announcement: announcer.withLock { $0?.status })
  }

  package func stop() {
    state.withLock { $0.isStopped = true }
    // Whoever listens just now is done.
    queue.sync {}
    addresses.withLock { $0 = nil }
    hostName.withLock { $0 = nil }
    announcer.withLock { $0 }?.stop()
    timer.withLock { $0 }?.cancel()
    lastNotes.wait(within: .seconds(1))
    server.stop()
    state.withLock { state in
      state.sockets = []
      state.inherited = [:]
    }
  }
}

/// Names of the rig, in small letters. Shared by those who set them and those who look.
final class KnownNames: Sendable {
  private let names = Guarded<Set<String>>([])

  var all: Set<String> { names.withLock { $0 } }
  func set(_ names: Set<String>) { self.names.withLock { $0 = names } }
}

/// Why there is no network at all.
package struct NetworkFault: Error, CustomStringConvertible {
  package let description: String
}
