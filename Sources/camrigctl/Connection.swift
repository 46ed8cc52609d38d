import CamrigModel
import RigClient

/// How a command reaches the rig. Connects at the first call.
final class Connection {
  let json: Bool
  private let place: RigPlace
  private var channel: (any RigChannel)?
  private var site: RigWeb?

  init(_ place: RigPlace, json: Bool) {
    self.place = place
    self.json = json
  }

  /// In the network, so that its paths are none here.
  var isRemote: Bool {
    if case .remote = place { true } else { false }
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
    let channel = try connected()
    _ = try channel.call(method.rawValue, JSONValue(encoding: params), timeout: .seconds(30))
    try first()
    while let event = try channel.nextNotification() {
      guard try body(event.method, event.params) else { return }
    }
  }

  /// The rig's pages and files.
  func web() throws -> RigWeb {
    if let site { return site }
    let new: RigWeb
    switch place {
    case .here(let socket):
      // It says best what is wrong where nobody is there.
      _ = try connected()
      new = try RigWeb(socketPath: RigPlace.webSocketPath(beside: socket))
    case .remote(let text):
      guard let rig = try RigBook.own().read().find(text) else { throw RemoteRigError.unknown(text) }
      new = try RigWeb(rig)
    }
    site = new
    return new
  }

  private func connected() throws -> any RigChannel {
    if let channel { return channel }
    let new: any RigChannel
    switch place {
    case .here(let socket): new = try ControlClient(path: socket)
    case .remote: new = try RemoteControl(try web())
    }
    channel = new
    return new
  }
}
