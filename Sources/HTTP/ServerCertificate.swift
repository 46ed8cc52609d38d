import CCertificates
import CamrigModel
import DaemonKit

/// A server's certificate with its key and the chain behind it. Does not change.
/// `@unchecked`: OpenSSL counts references to its parts atomically, and nothing writes to them.
package final class ServerCertificate: @unchecked Sendable {
  /// When it is valid, by its own word.
  package let validity: Range<WallTime>
  /// DNS names and addresses.
  package let names: [String]
  private let pointer: OpaquePointer

  /// `certificates` and `key` are PEM, and may be the same text; the paths are for errors.
  package init(
    certificates: [UInt8], key: [UInt8], certificatePath: String, keyPath: String
  ) throws(CertificateError) {
    var loaded: OpaquePointer?
    let fault = PEM.with(certificates) { certificates in PEM.with(key) { ccert_load(certificates, $0, &loaded) } }
    switch ccert_fault(UInt32(fault)) {
    case ccert_ok: break
    case ccert_no_certificate: throw .noCertificate(certificatePath)
    case ccert_no_key: throw .noKey(keyPath)
    case ccert_not_its_key: throw .notItsKey(certificate: certificatePath, key: keyPath)
    default: throw .openSSL(certificatePath, String(cString: ccert_last_error()))
    }
    guard let loaded else { throw .openSSL(certificatePath, "no memory") }
    pointer = loaded
    var from: Int64 = 0
    var until: Int64 = 0
    ccert_validity(loaded, &from, &until)
    validity = WallTime(seconds: from)..<max(WallTime(seconds: from), WallTime(seconds: until))
    var names: [String] = []
    while let name = ccert_name(loaded, names.count) {
      names.append(String(cString: name))
      ccert_free(name)
    }
    self.names = names
  }

  deinit { ccert_release(pointer) }

  /// The administrator's own, from two files or twice the same. An expired one is refused: browsers would refuse it
  /// anyway, with less to say.
  package static func load(
    certificatePath: String, keyPath: String, at now: WallTime
  ) throws(CertificateError) -> ServerCertificate {
    let certificate = try ServerCertificate(
      certificates: PEM.read(certificatePath), key: PEM.read(keyPath), certificatePath: certificatePath,
      keyPath: keyPath)
    guard now < certificate.validity.upperBound else {
      throw .expired(certificatePath, until: certificate.validity.upperBound.rfc3339)
    }
    // A clock that was never set says nothing about the certificate.
    guard now >= certificate.validity.lowerBound || now < CertificatePlan.earliest else {
      throw .notYetValid(certificatePath, from: certificate.validity.lowerBound.rfc3339)
    }
    return certificate
  }

  func isSigned(by authority: [UInt8]) -> Bool { PEM.with(authority) { ccert_is_signed_by(pointer, $0) } != 0 }

  /// For the next connections of an `SSL_CTX`.
  func install(_ context: OpaquePointer) -> Bool { ccert_install(pointer, UnsafeMutableRawPointer(context)) != 0 }
}
