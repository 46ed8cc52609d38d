import CamrigModel
import Glibc
import HTTP
import TestSupport
import Testing

/// Held against OpenSSL's own program.
@Suite("Certificates", .serialized, .timeLimit(.minutes(5)))
struct CertificateTests {
  private let directory = TemporaryDirectory()
  private let now = SystemClock().anchor.wall
  private let names = ["rig.local", "10.0.0.7", "fe80::1", "127.0.0.1"]

  private var path: String { directory.path + "/tls" }

  private func authority() throws -> CertificateAuthority {
    try CertificateAuthority(directory: path, name: "camrig test", host: "Stage")
  }

  private func openssl(_ arguments: String..., input: [UInt8] = []) -> Program {
    Program.run("openssl", arguments, input: input)
  }

  private func mode(_ path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test("an authority is made once, for its owner's eyes, and is the same afterwards")
  func authorityOnce() throws {
    let first = try authority()
    #expect(mode(path) == 0o700)
    #expect(mode(path + "/ca.pem") == 0o600)
    let second = try authority()
    #expect(second.fingerprint == first.fingerprint)
    #expect(second.certificatePEM == first.certificatePEM)
    #expect(!String(decoding: first.certificatePEM, as: UTF8.self).contains("PRIVATE"))
  }

  @Test("what is handed out is the certificate, and the fingerprint that of its key as OpenSSL computes it")
  func fingerprint() throws {
    let authority = try authority()
    let fromDER = openssl("x509", "-inform", "DER", input: authority.certificateDER)
    #expect(fromDER.output == authority.certificatePEM)
    let key = openssl("x509", "-pubkey", "-noout", input: authority.certificatePEM)
    let der = openssl("pkey", "-pubin", "-outform", "DER", input: key.output)
    let hash = openssl("dgst", "-sha256", "-r", input: der.output)
    #expect("sha256:" + hash.text.prefix(64) == "\(authority.fingerprint)")
  }

  @Test("a server's certificate is signed for servers, for its names alone, and for no longer than browsers allow")
  func server() throws {
    let authority = try authority()
    let (certificate, reason) = try authority.certificate(for: names, at: now)
    #expect(reason == CertificatePlan.Reason.none)
    #expect(Set(certificate.names) == Set(names))
    #expect(mode(path + "/server.pem") == 0o600)
    for name in ["rig.local", "10.0.0.7", "127.0.0.1", "fe80::1"] {
      let kind = name == "rig.local" ? "-verify_hostname" : "-verify_ip"
      let run = openssl(
        "verify", "-x509_strict", "-purpose", "sslserver", kind, name, "-CAfile", path + "/ca.pem",
        path + "/server.pem")
      #expect(run.status == 0, "\(run.errors)")
    }
    let other = openssl(
      "verify", "-verify_hostname", "other.local", "-CAfile", path + "/ca.pem", path + "/server.pem")
    #expect(other.status != 0)
    #expect(openssl("verify", "-purpose", "sslclient", "-CAfile", path + "/ca.pem", path + "/server.pem").status != 0)
    let text = openssl("x509", "-noout", "-text", "-in", path + "/server.pem").text
    for part in ["ASN1 OID: prime256v1", "TLS Web Server Authentication", "CA:FALSE", "ecdsa-with-SHA256"] {
      #expect(text.contains(part), "\(part)")
    }
    let days =
      (certificate.validity.upperBound.nanoseconds - certificate.validity.lowerBound.nanoseconds) / 1_000_000_000
    #expect(days < 397 * 86400)
    let authorityText = openssl("x509", "-noout", "-text", "-in", path + "/ca.pem").text
    #expect(authorityText.contains("CA:TRUE, pathlen:0"))
    #expect(authorityText.contains("Not After : Jan  1 00:00:00 2066 GMT"))
  }

  @Test("it is kept while it is good, and made anew for other names, age, or another authority")
  func renewed() throws {
    let authority = try authority()
    let first = try authority.certificate(for: names, at: now).certificate
    let again = try authority.certificate(for: names.reversed() + ["RIG.local", "fe80::1%eth0"], at: now)
    #expect(again.issued == nil)
    #expect(again.certificate.validity == first.validity)
    #expect(try authority.certificate(for: ["rig.local"], at: now).issued == .names)
    let later = WallTime(nanoseconds: now.nanoseconds + 300 * 86_400_000_000_000)
    #expect(try authority.certificate(for: ["rig.local"], at: later).issued == .old)
    unlink(path + "/ca.pem")
    let other = try self.authority()
    #expect(other.fingerprint != authority.fingerprint)
    #expect(try other.certificate(for: ["rig.local"], at: later).issued == .foreign)
  }

  @Test("it vouches for the own network and for nobody in the world, whoever has its key")
  func bounds() throws {
    let authority = try authority()
    let own = [
      "stage", "a.stage", "stage.local", "rig.lan", "rig.home.arpa", "nas.corp", "localhost", "127.0.0.1",
      "10.1.2.3",
      "172.31.0.1", "192.168.1.2", "169.254.1.1", "100.100.1.1", "::1", "fd00::1", "fe80::2",
    ]
    let world = [
      "other", "example.com", "rig.fritz.box", "stage.example.com", "rig.local.example.com", "8.8.8.8", "172.32.0.1",
      "2001:db8::1",
    ]
    #expect(authority.foreign(own + world) == world)
    let (certificate, _) = try authority.certificate(for: own + world, at: now)
    #expect(Set(certificate.names) == Set(own))
    #expect(openssl("verify", "-x509_strict", "-CAfile", path + "/ca.pem", path + "/server.pem").status == 0)
    #expect(
      openssl("x509", "-noout", "-text", "-in", path + "/ca.pem").text.contains("X509v3 Name Constraints: critical"))

    // What a thief of its key would make.
    FileBytes.write(Array("subjectAltName=DNS:example.com\nextendedKeyUsage=serverAuth\n".utf8), to: path + "/names")
    let request = openssl(
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", path + "/key",
      "-subj",
      "/CN=rig")
    let forged = openssl(
      "x509", "-req", "-CA", path + "/ca.pem", "-CAkey", path + "/ca.pem", "-days", "9", "-extfile", path + "/names",
      input: request.output)
    #expect(forged.status == 0, "\(forged.errors)")
    let verdict = openssl("verify", "-CAfile", path + "/ca.pem", input: forged.output)
    #expect(verdict.status != 0 && verdict.errors.contains("permitted subtree violation"), "\(verdict.errors)")
  }

  @Test("what cannot stand in a certificate is left out")
  func unusableNames() throws {
    let (certificate, _) = try authority().certificate(
      for: ["Rig.Local", "a b", "", "*.rig", "x,DNS:evil", "FE80::FFFF", "10.0.0.07"], at: now)
    #expect(Set(certificate.names) == ["rig.local", "fe80::ffff"])
  }

  @Test("an authority that cannot be read is an error and stays; a server's certificate is simply made anew")
  func damaged() throws {
    let first = try authority().certificate(for: names, at: now).certificate
    FileBytes.write([1, 2, 3], to: path + "/server.pem")
    let second = try authority().certificate(for: names, at: now)
    #expect(second.issued == CertificatePlan.Reason.none)
    #expect(second.certificate.names == first.names)
    FileBytes.write([1, 2, 3], to: path + "/ca.pem")
    #expect(throws: CertificateError.noCertificate(path + "/ca.pem")) { try authority() }
    #expect(FileBytes.read(path + "/ca.pem") == [1, 2, 3])
  }

  @Test("an administrator's own certificate comes from one file or two")
  func own() throws {
    _ = try authority().certificate(for: names, at: now)
    let both = path + "/server.pem"
    let certificate = try ServerCertificate.load(certificatePath: both, keyPath: both, at: now)
    #expect(Set(certificate.names) == Set(names))
  }

  @Test("an administrator's own that is not right says which file, and what to do")
  func ownErrors() throws {
    _ = try authority().certificate(for: names, at: now)
    let (server, ca) = (path + "/server.pem", path + "/ca.pem")
    func load(_ certificate: String, _ key: String, at clock: WallTime? = nil) -> String {
      do throws(CertificateError) {
        _ = try ServerCertificate.load(certificatePath: certificate, keyPath: key, at: clock ?? now)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(load("/nonexistent", server) == "/nonexistent cannot be opened: it does not exist.")
    #expect(load(server, ca).hasPrefix("the key in \(ca) is not that of the certificate in \(server)."))
    FileBytes.write(Array("no PEM".utf8), to: path + "/text")
    #expect(load(path + "/text", server).hasPrefix("\(path)/text holds no certificate."))
    #expect(load(server, path + "/text").hasPrefix("\(path)/text holds no private key that can be used."))
    let locked = openssl("pkey", "-aes128", "-passout", "pass:secret", "-in", server, "-out", path + "/locked")
    #expect(locked.status == 0)
    #expect(load(server, path + "/locked").hasPrefix("\(path)/locked holds no private key that can be used."))
    let later = WallTime(nanoseconds: now.nanoseconds + 500 * 86_400_000_000_000)
    #expect(load(server, server, at: later).hasPrefix("the certificate in \(server) has expired ("))
    let earlier = WallTime(nanoseconds: CertificatePlan.earliest.nanoseconds + 1)
    #expect(load(server, server, at: earlier).contains("Is the clock right? See: timedatectl"))
    // A clock that was never set is no reason to be without HTTPS.
    #expect(load(server, server, at: WallTime(nanoseconds: 0)) == "")
  }
}
