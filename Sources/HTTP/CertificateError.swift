import CCertificates
import DaemonKit

package enum CertificateError: Error, Hashable, CustomStringConvertible {
  case file(FileError)
  case noCertificate(String)
  case noKey(String)
  case notItsKey(certificate: String, key: String)
  case expired(String, until: String)
  case notYetValid(String, from: String)
  case openSSL(String, String)

  package var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .noCertificate(let path):
      "\(path) holds no certificate. It must be PEM: -----BEGIN CERTIFICATE-----, the server's own first."
    case .noKey(let path):
      "\(path) holds no private key that can be used. It must be PEM, without a passphrase; take one off with: "
        + "openssl pkey -in KEY -out NEWKEY"
    case .notItsKey(let certificate, let key):
      "the key in \(key) is not that of the certificate in \(certificate). Name the two that belong together; "
        + "the server's own certificate must come first."
    case .expired(let path, let until):
      "the certificate in \(path) has expired (\(until)). Renew it, then: systemctl reload camrig"
    case .notYetValid(let path, let from):
      "the certificate in \(path) is valid from \(from) only. Is the clock right? See: timedatectl"
    case .openSSL(let what, let reason): "\(what): OpenSSL says: \(reason)."
    }
  }
}
