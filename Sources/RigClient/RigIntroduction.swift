import CamrigModel
import HTTP

/// What a stranger may ask of a rig in the network: who it is, and to be paired with it.
package struct RigIntroduction {
  package struct Pairing: Hashable, Sendable {
    package let token: String
    package let role: String
  }

  private let web: RigWeb

  /// - Parameter web: made with the fingerprint that a person has compared.
  package init(_ web: RigWeb) { self.web = web }

  /// What a rig shows that nothing is known of. Nothing is sent to it.
  package static func fingerprint(at address: RigAddress) throws -> CertificateFingerprint {
    let web = try RigWeb(address, trust: .nobody)
    defer { web.close() }
    do {
      _ = try web.send(.get, "/session")
    } catch RemoteRigError.connection(.unknownRig(_, let seen)) {
      return seen
    }
    preconditionFailure("a client that trusts nobody has connected")
  }

  /// The rig's own name, and whether it knows this user already.
  package func session() throws -> (name: String, isPaired: Bool) {
    let json = try result(web.send(.get, "/session"))
    guard let name = json["rig"]?["name"]?.asString, let isPaired = json["paired"]?.asBool else {
      throw RemoteRigError.garbled(web.place, "who it is")
    }
    return (name, isPaired)
  }

  package func pair(code: String, name: String) throws -> Pairing {
    let body: JSONValue = ["code": .string(code), "name": .string(name)]
    return try pairing(result(web.send(.post, "/pair", body: body)))
  }

  package struct Asked: Hashable, Sendable {
    /// What the outcome is asked with: a secret.
    let request: String
    /// Shown on both sides.
    package let check: String
  }

  /// Asks the paired monitors to be let in.
  package func ask(name: String) throws -> Asked {
    let json = try result(web.send(.post, "/pair/request", body: ["name": .string(name)]))
    guard let request = json["request"]?.asString, let check = json["check"]?.asString else {
      throw RemoteRigError.garbled(web.place, "the request")
    }
    return Asked(request: request, check: check)
  }

  package enum Outcome: Hashable, Sendable {
    case waiting, denied, expired
    case paired(Pairing)
  }

  package func outcome(of asked: Asked) throws -> Outcome {
    let json = try result(web.send(.get, "/pair/request/" + PercentEncoding.encode(asked.request)))
    switch json["state"]?.asString {
    case "waiting": return .waiting
    case "denied": return .denied
    case "approved": return .paired(try pairing(json))
    default: return .expired
    }
  }

  private func pairing(_ json: JSONValue) throws -> Pairing {
    guard let token = json["token"]?.asString, let role = json["role"]?.asString else {
      throw RemoteRigError.garbled(web.place, "the pairing")
    }
    return Pairing(token: token, role: role)
  }

  private func result(_ answer: HTTPClient.Answer) throws -> JSONValue {
    guard answer.status == 200 else { throw web.refusal(answer.status, answer.body) }
    do { return try JSONValue(json: answer.body) } catch { throw RemoteRigError.garbled(web.place, "\(error)") }
  }
}
