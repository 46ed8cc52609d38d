import CCertificates
import CLinux
import CamrigModel
import DaemonKit
import Glibc

/// The rig's own authority, and the certificates that it gives to its server. Two files in a directory of its own:
/// `ca.pem` (key and certificate; made once, since its key is the rig's fingerprint) and `server.pem` (key,
/// certificate, and the authority's). Each is one file, so that a power cut cannot part a key from its certificate.
package struct CertificateAuthority: Sendable {
  package let fingerprint: CertificateFingerprint
  /// For phones and browsers that shall trust the rig.
  package let certificatePEM: [UInt8]
  package let certificateDER: [UInt8]
  private let directory: String
  private let content: [UInt8]

  /// The one in `directory`, or a new one where there is none. An unreadable one is an error, and never replaced:
  /// everybody who trusts the rig would have to begin again.
  /// - Parameter host: the machine's own name, for which a new one may sign as well.
  package init(directory: String, name: String, host: String) throws(CertificateError) {
    self.directory = directory
    let path = directory + "/ca.pem"
    if mkdir(directory, 0o700) != 0, errno != EEXIST {
      throw .file(.failed(.create, path: directory, code: errno))
    }
    do throws(FileError) {
      content = try AtomicFile.read(path, limit: PEM.mostBytes)
    } catch {
      guard error.code == ENOENT else { throw .file(error) }
      content = try Self.make(path, name, host)
    }
    // Its key fits, or it could sign nothing.
    _ = try ServerCertificate(certificates: content, key: content, certificatePath: path, keyPath: path)
    var pem: UnsafeMutablePointer<CChar>?
    var der: UnsafeMutablePointer<UInt8>?
    var count = 0
    let fault = PEM.with(content) { ccert_certificate($0, &pem, &der, &count) }
    defer { ccert_free(der) }
    guard ccert_fault(UInt32(fault)) == ccert_ok, let text = PEM.take(pem), let der,
      let fingerprint = CertificateFingerprint(certificate: text)
    else { throw .noCertificate(path) }
    certificatePEM = text
    certificateDER = Array(UnsafeBufferPointer(start: der, count: count))
    self.fingerprint = fingerprint
  }

  private static func make(_ path: String, _ name: String, _ host: String) throws(CertificateError) -> [UInt8] {
    var pem: UnsafeMutablePointer<CChar>?
    let validity = CertificatePlan.authority
    // A common name holds 64 characters.
    let fault = ccert_make_authority(
      String(name.prefix(60)), CertificateNames.constraints(host: dnsName(host)), validity.lowerBound.seconds,
      validity.upperBound.seconds, &pem)
    guard ccert_fault(UInt32(fault)) == ccert_ok, let content = PEM.take(pem) else {
      throw .openSSL("the rig's certificate authority cannot be made", String(cString: ccert_last_error()))
    }
    try write(content, path)
    return content
  }

  /// The server's certificate for exactly these DNS names and addresses: the one there is, or a new one, and why.
  /// To be asked at start, when names or addresses change, when the clock is set, and once a day.
  package func certificate(
    for wanted: [String], at clock: WallTime
  ) throws(CertificateError) -> (certificate: ServerCertificate, issued: CertificatePlan.Reason?) {
    let path = directory + "/server.pem"
    let names = Self.usable(wanted).filter(permits)
    let present = present(path)
    let verdict: CertificatePlan.Verdict
    if let present, !present.isSigned(by: content) {
      verdict = .issue(.foreign)
    } else {
      verdict = CertificatePlan.judge(
        names: present?.names, validity: present?.validity ?? CertificatePlan.authority, wanted: names, at: clock)
    }
    switch verdict {
    case .keep: if let present { return (present, nil) }
    case .issue: break
    }
    let content = try issue(names, at: clock)
    try Self.write(content, path)
    let made = try ServerCertificate(certificates: content, key: content, certificatePath: path, keyPath: path)
    guard case .issue(let reason) = verdict else { return (made, CertificatePlan.Reason.none) }
    return (made, reason)
  }

  /// Those of these names and addresses that its certificates cannot say; see `CertificateNames`.
  package func foreign(_ names: [String]) -> [String] { Self.usable(names).filter { !permits($0) } }

  private func permits(_ name: String) -> Bool { PEM.with(certificatePEM) { ccert_permits($0, name) } == 1 }

  /// Nil where there is none that can be read: then it is made anew, which costs nothing.
  private func present(_ path: String) -> ServerCertificate? {
    guard let content = try? AtomicFile.read(path, limit: PEM.mostBytes) else { return nil }
    return try? ServerCertificate(certificates: content, key: content, certificatePath: path, keyPath: path)
  }

  private func issue(_ names: [String], at clock: WallTime) throws(CertificateError) -> [UInt8] {
    let validity = CertificatePlan.validity(at: clock)
    let texts = names.map { strdup($0) }
    defer { for text in texts { free(text) } }
    let list: [UnsafePointer<CChar>?] = texts.map { $0.map { UnsafePointer($0) } }
    var pem: UnsafeMutablePointer<CChar>?
    let fault = PEM.with(content) {
      ccert_make_server($0, list, list.count, validity.lowerBound.seconds, validity.upperBound.seconds, &pem)
    }
    guard ccert_fault(UInt32(fault)) == ccert_ok, let made = PEM.take(pem) else {
      throw .openSSL("a certificate for the rig cannot be made", String(cString: ccert_last_error()))
    }
    return made
  }

  private static func write(_ content: [UInt8], _ path: String) throws(CertificateError) {
    do throws(FileError) {
      try AtomicFile.write(content, to: path, mode: 0o600)
    } catch {
      throw .file(error)
    }
  }

  /// What can stand in a certificate, once each: addresses in the one form that they are compared in, and names of
  /// letters, digits, dashes, dots and underscores.
  static func usable(_ names: [String]) -> [String] {
    var usable: [String] = []
    for name in names {
      guard let text = address(name) ?? dnsName(name), !usable.contains(text) else { continue }
      usable.append(text)
    }
    return usable
  }

  private static func address(_ text: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    var v4 = in_addr()
    var v6 = in6_addr()
    // A certificate knows no interfaces.
    let host = String(text.prefix { $0 != "%" })
    if inet_pton(AF_INET, host, &v4) == 1 {
      return inet_ntop(AF_INET, &v4, &buffer, socklen_t(buffer.count)).map { String(cString: $0) }
    }
    if inet_pton(AF_INET6, host, &v6) == 1 {
      return inet_ntop(AF_INET6, &v6, &buffer, socklen_t(buffer.count)).map { String(cString: $0) }
    }
    return nil
  }

  private static func dnsName(_ text: String) -> String? {
    let name = text.lowercased()
    let isUsable = name.utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 || $0 == 95
    }
    return isUsable && !name.isEmpty && name.utf8.count <= 253 ? name : nil
  }
}
