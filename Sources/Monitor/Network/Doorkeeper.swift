import CamrigModel
import DaemonKit
import Glibc
import HTTP

/// Who comes in: the one place where names, origins and tokens of requests are looked at.
struct Doorkeeper: Sendable {
  enum Verdict: Sendable {
    case admitted(Peer)
    /// Nobody that is known: with a token that is none of a monitor's, or without any.
    case stranger(hasToken: Bool)
    case refused(HTTPResponse, why: String)
  }

  static let tokenProtocol = "camrig.token."

  let book: MonitorBook
  /// With the rig's ID in it, since browsers do not tell ports apart where cookies are concerned.
  let cookie: String
  /// Names under which the rig may be asked, in small letters.
  let names: @Sendable () -> Set<String>

  func judge(_ head: HTTPRequestHead, _ route: Route) -> Verdict {
    if case .process(let pid, let uid, let gid) = head.peer {
      return .admitted(
        Peer(connection: UInt64(head.connection), .process(pid: pid, uid: uid, gid: gid), role: .admin))
    }
    let host = head.headers["host"] ?? ""
    guard answers(to: host) else {
      let name = Self.name(of: host)
      return .refused(
        .problem(
          421, .hostUnknown,
          "The rig does not answer to the name \"\(name)\". If that is a name of yours for it, write AllowedHosts=\(name) "
            + "below [Network] in a file in /etc/camrig/camrig.conf.d, then: systemctl reload camrig"),
        why: "asked for the name \"\(name)\", which is not in AllowedHosts=")
    }
    let cookieToken = Self.cookie(cookie, in: head.headers["cookie"])
    if !route.isForReading {
      if let origin = head.headers["origin"] {
        let scheme = head.isSecure || head.isForwarded ? "https" : "http"
        guard origin.lowercased() == "\(scheme)://\(host.lowercased())" else {
          return .refused(
            .problem(403, .originForeign, "A page of \(origin) may not operate this rig."),
            why: "a page of \(origin) tried to operate the rig")
        }
      } else if cookieToken != nil {
        return .refused(
          .problem(403, .originForeign, "A browser says whose page it shows."), why: "a cookie came without an Origin")
      }
    }
    guard let token = Self.bearer(head) ?? cookieToken ?? (route.takesPassword ? Self.password(head) : nil) else {
      return .stranger(hasToken: false)
    }
    guard case .network(let address, _) = head.peer, let monitor = book.monitor(token: token, from: address) else {
      return .stranger(hasToken: true)
    }
    return .admitted(
      Peer(
        connection: UInt64(head.connection), .monitor(id: monitor.id, name: monitor.name, address: address),
        role: monitor.role))
  }

  // MARK: Names

  private func answers(to host: String) -> Bool {
    let name = Self.name(of: host)
    return name == "localhost" || Self.isAddress(name) || names().contains(name)
  }

  /// Without the port, in small letters.
  static func name(of host: String) -> String {
    let lower = host.lowercased()
    if lower.hasPrefix("[") { return String(lower.dropFirst().prefix { $0 != "]" }) }
    return String(lower.prefix { $0 != ":" })
  }

  private static func isAddress(_ text: String) -> Bool {
    var v4 = in_addr()
    var v6 = in6_addr()
    return inet_pton(AF_INET, text, &v4) == 1 || inet_pton(AF_INET6, text, &v6) == 1
  }

  // MARK: Tokens

  static func cookie(_ name: String, in header: String?) -> String? {
    for part in (header ?? "").split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].drop(while: { $0 == " " }) == name else { continue }
      return String(pair[1])
    }
    return nil
  }

  private static func bearer(_ head: HTTPRequestHead) -> String? {
    if let value = head.headers["authorization"], value.lowercased().hasPrefix("bearer ") {
      return String(value.dropFirst(7))
    }
    return head.offeredSubprotocols.first { $0.hasPrefix(tokenProtocol) }.map {
      String($0.dropFirst(tokenProtocol.count))
    }
  }

  private static func password(_ head: HTTPRequestHead) -> String? {
    guard let value = head.headers["authorization"], value.lowercased().hasPrefix("basic "),
      let text = Base64.decode(value.dropFirst(6).utf8)
    else { return nil }
    return String(decoding: text, as: UTF8.self).split(separator: ":", maxSplits: 1).dropFirst().first.map(String.init)
  }
}

extension HTTPPeer {
  var journalFields: [String: String] {
    switch self {
    case .network(let address, _): [LogLine.addressField: address]
    case .process(let pid, let uid, let gid): Peer.journalFields(pid: pid, uid: uid, gid: gid)
    }
  }
}

extension HTTPRequestHead {
  /// A proxy on this machine had it by TLS.
  var isForwarded: Bool { peer.isLocal && headers["x-forwarded-proto"] == "https" }
}

extension Route {
  /// Changes nothing, so that it may be asked for from anywhere; browsers show the answer to nobody else's page.
  fileprivate var isForReading: Bool {
    switch self {
    // Who knows its secret may ask for an outcome; no other page does.
    case .pairOutcome: true
    case .pairRequest: false
    case .page, .asset, .authority, .session, .document, .snapshot, .stream, .takeFile, .takeFrames, .metrics: true
    case .photoFile, .timelapseFile, .sound: true
    case .pair, .unpair, .rpc, .control, .media: false
    }
  }
}

/// As HTTP Basic uses it.
enum Base64 {
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text where byte != UInt8(ascii: "=") {
      let value: UInt8
      switch byte {
      case 65...90: value = byte - 65
      case 97...122: value = byte - 71
      case 48...57: value = byte + 4
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
