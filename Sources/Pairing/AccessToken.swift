import CCertificates

/// The secret by which a monitor is known: 256 random bits. Given out once; what is kept is its hash. The bits are too
/// many to be guessed, so the hash needs no salt and no slowness.
package struct AccessToken: Hashable, Sendable {
  /// 43 letters of base64url: fits a cookie, a header, and the 63 letters of a WebSocket's subprotocol.
  package let text: String

  /// Nil where the kernel has no random numbers, which is no moment for pairing.
  package static func random() -> AccessToken? {
    SecureRandom.bytes(32).map { AccessToken(text: Base64URL.text($0)) }
  }

  /// What is kept: SHA-256 of the text, in hexadecimal digits.
  package static func hash(of text: String) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    let bytes = Array(text.utf8)
    ccert_sha256(bytes, bytes.count, &digest)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  package var hash: String { Self.hash(of: text) }
}
