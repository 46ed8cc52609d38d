/// Whoever types the rig's name without `https://` comes to the TLS port in plain HTTP, and is sent to the right place.
enum HTTPRedirect {
  /// Nil where the request came as it should.
  static func toTLS(_ head: HTTPRequestHead, wantsTLS: Bool) -> HTTPResponse? {
    guard wantsTLS, !head.isSecure else { return nil }
    guard head.method == .get || head.method == .head, let host = head.headers["host"], isHost(host) else {
      return .problem(426, .tlsNeeded, "This port speaks HTTPS only.")
    }
    // To the start: a path would have to be encoded again, and who types an address types no path.
    let place = "https://\(host)/"
    return .text(302, "This port speaks HTTPS: \(place)", headers: ["location": place, "cache-control": "no-store"])
  }

  /// Letters, digits and what addresses and ports have: nothing that leads elsewhere.
  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (48...58).contains(byte) || (65...91).contains(byte) || byte == 93 || (97...122).contains(byte) || byte == 45
          || byte == 46
      }
  }
}
