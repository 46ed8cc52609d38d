import CCertificates

/// What people and programs know a rig by: SHA-256 over its authority's public key (SubjectPublicKeyInfo, DER).
/// The key stays the same when certificates are made anew.
package struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  /// `sha256:` and 64 hexadecimal digits in small letters.
  package var description: String { "sha256:" + digits }

  /// For people: sixteen groups of four digits.
  package var grouped: String {
    let digits = Array(digits)
    return stride(from: 0, to: 64, by: 4).map { String(digits[$0..<($0 + 4)]) }.joined(separator: " ")
  }

  private var digits: String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  init(hash: [UInt8]) { bytes = hash }

  /// As people type it: with or without `sha256:`, in any letters, with spaces, colons or dashes. Nil where it is not
  /// 64 hexadecimal digits.
  package init?(_ text: String) {
    var rest = text.lowercased()[...]
    if rest.hasPrefix("sha256:") { rest = rest.dropFirst(7) }
    let digits = rest.filter { !" :-".contains($0) }
    guard digits.utf8.count == 64, digits.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
      return nil
    }
    let values = Array(digits.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
    bytes = stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  /// Of the first certificate in a PEM text; nil where there is none.
  init?(certificate: [UInt8]) {
    var hash = [UInt8](repeating: 0, count: 32)
    let fault = PEM.with(certificate) { ccert_key_hash($0, &hash) }
    guard ccert_fault(UInt32(fault)) == ccert_ok else { return nil }
    bytes = hash
  }
}
