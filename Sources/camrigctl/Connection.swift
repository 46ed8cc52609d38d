import CamrigModel

/// How a command reaches the rig. Connects at the first call.
final class Connection {
  let json: Bool
  private let socket: String
  private var client: ControlClient?

  init(socket: String, json: Bool) {
    self.socket = socket
    self.json = json
  }

  /// The result, read and as it came.
  func call<Result: Decodable>(
    _ method: RigMethod, _ params: some Encodable = [String: String](), as type: Result.Type,
    timeout: Duration = .seconds(30)
  ) throws -> (Result, JSONValue) {
    let reply = try connected().call(method.rawValue, JSONValue(encoding: params), timeout: timeout)
    do {
      return (try reply.decode(type), reply)
    } catch {
      throw ControlClientError.garbled("\(method.rawValue): \(error)")
    }
  }

  /// Events until `body` returns false or the rig goes away.
  /// - Parameters:
  ///   - method: what makes them come.
  ///   - first: what is asked of the rig once no event of it can be missed.
  func watch(
    _ method: RigMethod = .rigWatch, _ params: some Encodable = [String: String](), first: () throws -> Void = {},
    _ body: (String, JSONValue) throws -> Bool
  ) throws {
    let client = try connected()
    _ = try client.call(method.rawValue, JSONValue(encoding: params), timeout: .seconds(30))
    try first()
    while let event = try client.nextNotification() {
      guard try body(event.method, event.params) else { return }
    }
  }

  private func connected() throws -> ControlClient {
    if let client { return client }
    let new = try ControlClient(path: socket)
    client = new
    return new
  }
}
