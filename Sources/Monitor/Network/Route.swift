import CamrigModel
import HTTP

/// Every address that the rig answers, and who may ask. What is not here does not exist; a test walks all of them.
package enum Route: Hashable, Sendable, CaseIterable {
  case page, asset, authority, session, pair, unpair
  case pairRequest, pairOutcome
  case rpc, control, media, document
  case snapshot, stream, takeFile, takeFrames, metrics
  case photoFile, timelapseFile
  case sound

  package enum Admission: Hashable, Sendable {
    /// Strangers, too: what it takes to pair.
    case anybody
    case atLeast(AccessRole)
  }

  /// Requests for single methods are looked at once more, by the dispatcher.
  package var admission: Admission {
    switch self {
    case .page, .asset, .authority, .session, .pair, .pairRequest, .pairOutcome: .anybody
    case .unpair, .rpc, .control, .media, .document, .snapshot, .stream, .takeFile, .takeFrames, .metrics:
      .atLeast(.viewer)
    case .photoFile, .timelapseFile, .sound: .atLeast(.viewer)
    }
  }

  package var methods: [HTTPMethod] {
    switch self {
    case .pair, .pairRequest, .unpair, .rpc: [.post]
    // Not even asked for its head: the outcome is told once.
    case .pairOutcome: [.get]
    case .page, .asset, .authority, .session, .control, .media, .document, .snapshot, .stream, .takeFile, .takeFrames,
      .metrics:
      [.get, .head]
    case .photoFile, .timelapseFile, .sound: [.get, .head]
    }
  }

  /// Tools that know no cookie send the token as the password of HTTP Basic.
  var takesPassword: Bool { self == .snapshot || self == .stream || self == .sound || self == .metrics }

  /// An example of its path, for the test that walks all.
  package var example: String {
    switch self {
    case .page: "/"
    case .asset: "/assets/app.js"
    case .authority: "/ca.crt"
    case .session: "/session"
    case .pair: "/pair"
    case .pairRequest: "/pair/request"
    case .pairOutcome: "/pair/request/SECRET"
    case .unpair: "/unpair"
    case .rpc: "/rpc"
    case .control: "/monitor"
    case .media: "/monitor/media"
    case .document: "/openrpc.json"
    case .snapshot: "/snapshot"
    case .stream: "/stream"
    case .sound: "/sound"
    case .metrics: "/metrics"
    case .takeFile: "/takes/20261130T090507Z/one-001.mov"
    case .takeFrames: "/takes/20261130T090507Z/one-001.mov/frames"
    case .photoFile: "/shots/20261130T090507.123Z/20261130T090507.123Z-one.jpg"
    case .timelapseFile: "/timelapses/20261130T090507Z/one-000001.jpg"
    }
  }

  /// - Returns: the route and the parts of the path that are its parameters.
  package static func find(_ head: HTTPRequestHead) -> (route: Route, parts: [String])? {
    let parts = head.path.split(separator: "/").map(String.init)
    switch parts.first {
    case nil:
      // What mjpg-streamer and all that copy it are asked.
      switch head.query("action") {
      case "snapshot": return (.snapshot, [])
      case "stream": return (.stream, [])
      default: return (.page, [])
      }
    case "assets" where parts.count >= 2: return (.asset, [parts.dropFirst().joined(separator: "/")])
    case "pair" where parts.count == 3 && parts[1] == "request": return (.pairOutcome, [parts[2]])
    case "takes" where parts.count == 3: return (.takeFile, Array(parts.dropFirst()))
    case "timelapses" where parts.count == 3: return (.timelapseFile, Array(parts.dropFirst()))
    case "shots" where parts.count == 3: return (.photoFile, Array(parts.dropFirst()))
    case "takes" where parts.count == 4 && parts[3] == "frames": return (.takeFrames, Array(parts[1...2]))
    default:
      guard let route = allCases.first(where: { $0.isPlain && $0.example == head.path }) else { return nil }
      return (route, [])
    }
  }

  /// Its path has no parameters.
  private var isPlain: Bool {
    switch self {
    case .page, .asset, .takeFile, .takeFrames, .pairOutcome: false
    case .authority, .session, .pair, .unpair, .rpc, .control, .media, .document, .snapshot, .stream, .metrics: true
    case .pairRequest, .sound: true
    case .photoFile, .timelapseFile: false
    }
  }
}
