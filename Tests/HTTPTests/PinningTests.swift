import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("The fingerprint that a client pins", .serialized, .timeLimit(.minutes(5)))
struct PinningTests {
  private var now: WallTime { SystemClock().anchor.wall }

  private struct Rig {
    let server: TestServer
    let authority: CertificateAuthority
    let port: UInt16

    func client(_ trust: HTTPClient.Trust) throws -> HTTPClient {
      try HTTPClient(.init(host: "127.0.0.1", port: port, trust: trust))
    }
  }

  private func rig(_ certificate: (CertificateAuthority, String) throws -> ServerCertificate) throws -> Rig {
    let server = try TestServer()
    let authority = try CertificateAuthority(
      directory: server.directory.path + "/tls", name: "camrig test", host: "rig")
    server.server.use(try certificate(authority, server.directory.path))
    let socket = try ListeningSocket.open(.network(address: "127.0.0.1", port: 0))
    guard case .network(_, let port) = socket.place else { throw HTTPServerError.noCertificate }
    try server.server.serve(socket, isSecure: true)
    return Rig(server: server, authority: authority, port: port)
  }

  private func usual() throws -> Rig {
    // Reached under a name that is not in it: what counts is the key.
    try rig { authority, _ in try authority.certificate(for: ["rig.local"], at: now).certificate }
  }

  private func failure(_ client: HTTPClient) async throws -> HTTPClientError? {
    defer { Task { try await onThread { client.close() } } }
    do throws(HTTPClientError) {
      _ = try await client.send(.get, "/hello")
      return nil
    } catch {
      return error
    }
  }

  @Test("the right rig is talked to, whatever its name, over HTTP and WebSocket, and after a new certificate too")
  func right() async throws {
    let rig = try usual()
    let client = try rig.client(.pinned(rig.authority.fingerprint))
    #expect(try await client.send(.get, "/peer").body == Array("127.0.0.1 true true\n".utf8))
    let session = TestClientSession()
    let socket = try await client.open("/socket", session: session)
    socket.send("over TLS")
    await eventually { session.received == [.text("over TLS")] }
    rig.server.server.use(try rig.authority.certificate(for: ["other.local"], at: now).certificate)
    #expect(try await client.send(.get, "/hello").status == 200)
    try await onThread { client.close() }
  }

  @Test("another rig is refused before anything is sent to it, with both fingerprints")
  func other() async throws {
    let rig = try usual()
    let expected = try #require(CertificateFingerprint(String(repeating: "ab", count: 32)))
    let error = try await failure(rig.client(.pinned(expected)))
    #expect(error == .otherRig("127.0.0.1:\(rig.port)", expected: expected, seen: rig.authority.fingerprint))
    #expect(rig.server.site.content.withLock { $0.requests.isEmpty })
  }

  @Test("without a fingerprint nobody is trusted, and the one seen is told for comparing")
  func unknown() async throws {
    let rig = try usual()
    let error = try await failure(rig.client(.nobody))
    #expect(error == .unknownRig("127.0.0.1:\(rig.port)", seen: rig.authority.fingerprint))
    #expect(error.map { "\($0)".contains(rig.authority.fingerprint.grouped) } == true)
    #expect(rig.server.site.content.withLock { $0.requests.isEmpty })
  }

  @Test("somebody who shows the rig's authority, but has no certificate from it, is refused")
  func impostor() async throws {
    var genuine: CertificateFingerprint?
    let rig = try rig { authority, directory in
      genuine = authority.fingerprint
      // An own key and certificate, with the genuine authority's certificate behind it.
      let made = Program.run(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
          directory + "/evil.key", "-out", directory + "/evil.pem", "-days", "30", "-subj", "/O=camrig/CN=rig",
        ])
      #expect(made.status == 0, "\(made.errors)")
      FileBytes.write(FileBytes.read(directory + "/evil.pem") + authority.certificatePEM, to: directory + "/chain.pem")
      return try ServerCertificate.load(
        certificatePath: directory + "/chain.pem", keyPath: directory + "/evil.key", at: now)
    }
    let fingerprint = try #require(genuine)
    let error = try await failure(rig.client(.pinned(fingerprint)))
    guard case .badCertificate = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(rig.server.site.content.withLock { $0.requests.isEmpty })
  }

  @Test("a certificate whose time is over is refused, with a word about clocks")
  func expired() async throws {
    let old = WallTime(nanoseconds: now.nanoseconds - 500 * 86_400_000_000_000)
    let long = WallTime(nanoseconds: now.nanoseconds + 500 * 86_400_000_000_000)
    for clock in [old, long] where clock >= CertificatePlan.earliest {
      let rig = try rig { authority, _ in try authority.certificate(for: ["rig.local"], at: clock).certificate }
      let error = try await failure(rig.client(.pinned(rig.authority.fingerprint)))
      guard case .badCertificate(_, let reason) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(reason == "certificate is not yet valid")
    }
  }
}
