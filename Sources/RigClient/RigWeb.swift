import CamrigModel
import HTTP

/// A rig's pages, files and WebSockets, in the network or at the socket on this machine. Blocks; for a program's main
/// thread.
package final class RigWeb {
  /// For people.
  package let place: String
  private let client: HTTPClient
  private let token: String?

  /// A rig in the network that was paired with.
  package convenience init(_ rig: KnownRig) throws(RemoteRigError) {
    try self.init(rig.address, trust: .pinned(rig.fingerprint), token: rig.token)
  }

  /// A rig in the network, perhaps before it is paired with.
  package convenience init(
    _ address: RigAddress, trust: HTTPClient.Trust, token: String? = nil
  ) throws(RemoteRigError) {
    try self.init(
      HTTPClient.Settings(host: address.host, port: address.port, trust: trust), place: "\(address)", token: token)
  }

  /// The rig on this machine.
  package convenience init(socketPath: String) throws(RemoteRigError) {
    try self.init(HTTPClient.Settings(socketPath: socketPath), place: socketPath, token: nil)
  }

  private init(_ settings: HTTPClient.Settings, place: String, token: String?) throws(RemoteRigError) {
    self.place = place
    self.token = token
    do throws(HTTPClientError) { client = try HTTPClient(settings) } catch { throw .connection(error) }
  }

  private var headers: HTTPHeaders { token.map { ["authorization": "Bearer \($0)"] } ?? [:] }

  /// Any status is an answer.
  package func send(
    _ method: HTTPMethod, _ target: String, body: JSONValue? = nil
  ) throws -> HTTPClient.Answer {
    let (client, headers) = (client, headers)
    // A POST says how long its body is, be it nothing.
    let bytes = body?.bytes ?? (method == .post ? [] : nil)
    return try translating { try await client.send(method, target, headers: headers, body: bytes) }
  }

  /// True: all of the answer came; false: the sink wanted no more.
  /// - Parameter mayRest: live sound or pictures, which are nothing for as long as their device is away.
  package func fetch(
    _ target: String, headers more: HTTPHeaders = [:], into sink: any HTTPBodySink, mayRest: Bool = false
  ) throws -> Bool {
    let client = client
    var headers = headers
    for field in more.fields { headers.add(field.name, field.value) }
    let all = headers
    return try translating {
      try await client.fetch(target, headers: all, into: sink, lifeSign: mayRest ? "/session" : nil)
    }
  }

  func open(_ target: String, subprotocol: String, session: any WebSocketSession) throws -> WebSocket {
    let (client, headers) = (client, headers)
    return try translating {
      try await client.open(target, subprotocols: [subprotocol], headers: headers, session: session)
    }
  }

  private func translating<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) throws -> T {
    do {
      return try Blocked.run(body)
    } catch HTTPClientError.refused(_, 401) {
      throw RemoteRigError.notPaired(place)
    } catch let error as HTTPClientError {
      throw RemoteRigError.connection(error)
    }
  }

  /// What an answer that is no success says.
  package func refusal(_ status: Int, _ body: [UInt8]) -> RemoteRigError {
    if status == 401 { return .notPaired(place) }
    let said = (try? JSONValue(json: body))?["error"]?.asString ?? String(decoding: body.prefix(500), as: UTF8.self)
    let text = said.split(separator: "\n").joined(separator: " ")
    return .refused(status: status, text.isEmpty ? "\(place) answers with HTTP \(status)." : text)
  }

  package func close() { client.close() }
}
