import CamrigModel
import HTTP
import Pairing

/// A stranger asks the paired monitors to be let in, and later what became of it.
extension MonitorSite {
  private struct Wish: Decodable { let name: String? }

  func askToPair(_ request: HTTPRequest) -> HTTPResponse {
    guard case .network(let address, _) = request.head.peer else {
      return .problem(400, .notPermitted, "Programs on this machine need no pairing on this socket.")
    }
    guard let wish = try? JSONValue(json: request.body).decode(Wish.self) else {
      return .problem(400, .paramsInvalid, "A request is {\"name\":\"…\"}.")
    }
    let isBrowser = request.head.headers["origin"] != nil
    switch book.ask(name: wish.name ?? "", from: address, isBrowser: isBrowser) {
    case .accepted(let secret, let check):
      guests.changed()
      return json(200, ["request": .string(secret), "check": .string(check)])
    case .tooMany(let time, let isNews):
      if isNews { log.notice("\(address) asks too often to be let in, or too many ask", .commandRefused) }
      let seconds = max(1, time.components.seconds)
      var response = HTTPResponse.problem(
        429, .pairingMustWait,
        "Too many ask to be let in. Use a code (camrigctl pair), or try again in \((seconds + 59) / 60) min.")
      response.headers.add("retry-after", "\(seconds)")
      return response
    case .noRandomNumbers:
      return .problem(503, .pairingUnavailable, "The rig has no random numbers just now. Try again.")
    }
  }

  func pairingOutcome(_ secret: String, _ head: HTTPRequestHead) async -> HTTPResponse {
    guard case .network(let address, _) = head.peer else { return .notFound }
    // A link to it would make another person's browser the monitor that was let in.
    guard head.headers["accept"]?.contains("text/html") != true else { return .notFound }
    do throws(MonitorBook.PairingFailure) {
      switch try book.outcome(secret: secret, from: address) {
      case .waiting: return json(200, ["state": "waiting"])
      case .denied: return json(200, ["state": "denied"])
      case .expired: return json(200, ["state": "expired"])
      case .paired(let monitor, let token, let isBrowser):
        return await welcome(monitor, token, showsToken: !isBrowser, head, more: ["state": "approved"])
      }
    } catch {
      return refusal(of: error, from: address)
    }
  }
}
