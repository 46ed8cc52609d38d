import CamrigModel
import DaemonKit
import HTTP
import Movie
import Pairing
import RigControl

/// What the rig answers in the network: the page, wishes, pictures, files.
final class MonitorSite: HTTPHandler {
  static let controlProtocol = "camrig.monitor.v1"
  static let mediaProtocol = "camrig.media.v1"

  /// Who the rig is, for monitors that look for it.
  struct Identity: Sendable {
    let id: String
    let fingerprint: String
    let authority: [UInt8]
  }

  let rig: Rig
  let book: MonitorBook
  let previews: PreviewRoom
  let sounds: SoundRoom
  let smallPhotos = SmallPhotos()
  let lastNotes: LastNotes
  let identity: Identity
  private let handler: any RequestHandler
  private let doorkeeper: Doorkeeper
  let guests: GuestList
  let log: Log

  init(
    rig: Rig, handler: any RequestHandler, book: MonitorBook, guests: GuestList, identity: Identity,
    lastNotes: LastNotes, names: @escaping @Sendable () -> Set<String>, log: Log
  ) {
    self.rig = rig
    self.book = book
    self.identity = identity
    self.lastNotes = lastNotes
    self.handler = handler
    self.guests = guests
    self.log = log
    previews = PreviewRoom(rig: rig)
    sounds = SoundRoom(rig: rig)
    doorkeeper = Doorkeeper(book: book, cookie: "camrig-\(identity.id)", names: names)
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let head = request.head
    guard let (route, parts) = Route.find(head) else { return .notFound }
    guard route.methods.contains(head.method) else { return .methodNotAllowed(route.methods) }
    switch admit(head, route) {
    case .failure(let refusal): return refusal.response
    case .success(let peer): return await answer(route, parts, request, peer)
    }
  }

  /// Strangers send nothing but a code.
  func refuseBody(of head: HTTPRequestHead, bytes: Int) -> HTTPResponse? {
    guard let (route, _) = Route.find(head) else { return .notFound }
    guard route.methods.contains(head.method) else { return .methodNotAllowed(route.methods) }
    if route == .pair || route == .pairRequest {
      return bytes <= 4096 ? nil : .problem(413, .requestTooLarge, "A pairing is not so large.")
    }
    if case .failure(let refusal) = admit(head, route) { return refusal.response }
    return nil
  }

  private struct Refusal: Error { let response: HTTPResponse }

  /// Nil: a stranger, where strangers may ask.
  private func admit(_ head: HTTPRequestHead, _ route: Route) -> Result<Peer?, Refusal> {
    switch doorkeeper.judge(head, route) {
    case .admitted(let peer):
      if case .atLeast(let role) = route.admission, peer.role < role {
        return .failure(Refusal(response: .problem(403, .roleForbidden, "\(peer) may not do this.")))
      }
      return .success(peer)
    case .refused(let response, let why):
      log.notice("\(head.peer) \(why)", .commandRefused, fields: head.peer.journalFields)
      return .failure(Refusal(response: response))
    case .stranger(let hasToken):
      if route.admission == .anybody { return .success(nil) }
      log.notice(
        "\(head.peer) asked for \(head.path) and is not paired", .commandRefused, fields: head.peer.journalFields)
      var headers: HTTPHeaders = [:]
      if route.takesPassword { headers.add("www-authenticate", "Basic realm=\"camrig\"") }
      return .failure(
        Refusal(
          response: .problem(
            401, hasToken ? .tokenUnknown : .monitorUnpaired,
            "This monitor is not paired with the rig. Run: camrigctl pair", headers: headers)))
    }
  }

  private func answer(_ route: Route, _ parts: [String], _ request: HTTPRequest, _ peer: Peer?) async -> HTTPResponse {
    let head = request.head
    switch route {
    case .page: return PageFiles.response("index.html", to: head)
    case .asset: return PageFiles.response(parts[0], to: head)
    case .authority:
      return HTTPResponse(
        200, type: "application/x-x509-ca-cert", identity.authority,
        headers: ["content-disposition": "attachment; filename=\"camrig-\(identity.id).crt\""])
    case .session: return json(200, await session(peer))
    case .pair: return await pair(request)
    case .pairRequest: return askToPair(request)
    case .pairOutcome: return await pairingOutcome(parts[0], head)
    case .unpair: return unpair(peer, head)
    case .rpc: return await call(request, peer)
    case .control, .media:
      return .problem(426, .addressWebSocket, "This address is for WebSockets.", headers: ["upgrade": "websocket"])
    case .document: return document()
    case .snapshot: return await snapshot(head)
    case .stream: return await stream(head, peer)
    case .sound: return await sound(head, peer)
    case .takeFile: return await takeFile(parts, head)
    case .takeFrames: return await takeFrames(parts, head, peer)
    case .metrics: return await metrics()
    case .photoFile: return await photoFile(parts, head)
    case .timelapseFile: return await timelapseFile(parts, head)
    }
  }

  // MARK: WebSockets

  func webSocket(_ head: HTTPRequestHead, subprotocol: String?) -> WebSocketAnswer {
    guard let (route, _) = Route.find(head), route == .control || route == .media else { return .refused(.notFound) }
    let spoken = route == .control ? Self.controlProtocol : Self.mediaProtocol
    guard subprotocol == spoken else {
      return .refused(.problem(400, .protocolUnsupported, "Sec-WebSocket-Protocol must be \(spoken)."))
    }
    switch admit(head, route) {
    case .failure(let refusal): return .refused(refusal.response)
    case .success(nil): return .refused(.problem(401, .monitorUnpaired, "This monitor is not paired with the rig."))
    case .success(let peer?):
      log.info("A monitor connected: \(peer)", .monitorConnected, fields: peer.journalFields)
      let session: any WebSocketSession =
        route == .control
        ? ControlSession(handler.begin(peer), lastNotes: lastNotes) { [guests] in
          peer.monitorID.map { !guests.isRevoked($0) } ?? true
        }
        : MediaSession(mediaSources(for: peer))
      return .accepted(GuestSession(session, guests: guests, peer: peer))
    }
  }

  private func mediaSources(for peer: Peer) -> MediaSources {
    MediaSources(previews: previews, sounds: sounds) { path throws(RPCError) in
      try await self.mediaFile(path, for: peer)
    }
  }

  // MARK: Pairing

  func session(_ peer: Peer?) async -> JSONValue {
    let rig: JSONValue = [
      "id": .string(identity.id), "name": .string(await rig.name), "version": .string(Version.text),
      "fingerprint": .string(identity.fingerprint),
    ]
    guard let peer else { return ["paired": false, "rig": rig] }
    var monitor: JSONValue = ["id": "local", "name": .string(peer.description)]
    if case .monitor(let id, let name, _) = peer.origin { monitor = ["id": .string("\(id)"), "name": .string(name)] }
    return ["paired": true, "role": .string(peer.role.rawValue), "monitor": monitor, "rig": rig]
  }

  private struct PairRequest: Decodable {
    let code: String
    let name: String?
  }

  private func pair(_ request: HTTPRequest) async -> HTTPResponse {
    guard case .network(let address, _) = request.head.peer else {
      return .problem(400, .notPermitted, "Programs on this machine need no pairing on this socket.")
    }
    guard let wish = try? JSONValue(json: request.body).decode(PairRequest.self) else {
      return .problem(400, .paramsInvalid, "A pairing is {\"code\":\"12345678\",\"name\":\"…\"}.")
    }
    do throws(MonitorBook.PairingFailure) {
      let (monitor, token) = try book.pair(code: wish.code, name: wish.name ?? "", from: address)
      // A browser keeps the cookie; other programs keep the token.
      return await welcome(monitor, token, showsToken: request.head.headers["origin"] == nil, request.head)
    } catch {
      return refusal(of: error, from: address)
    }
  }

  /// To somebody who has just become a monitor.
  func welcome(
    _ monitor: PairedMonitor, _ token: String, showsToken: Bool, _ head: HTTPRequestHead,
    more: [String: JSONValue] = [:]
  ) async -> HTTPResponse {
    log.notice("\(monitor.name) at \(head.peer) is paired as \(monitor.role.rawValue)", .monitorConnected)
    guests.changed()
    let peer = Peer(
      connection: UInt64(head.connection), .monitor(id: monitor.id, name: monitor.name, address: head.peer.description),
      role: monitor.role)
    var answer = (await session(peer).asObject ?? [:]).merging(more) { $1 }
    if showsToken { answer["token"] = .string(token) }
    var response = json(200, .object(answer))
    response.headers.add("set-cookie", cookie(token, seconds: 400 * 86400, head))
    return response
  }

  func refusal(of failure: MonitorBook.PairingFailure, from address: String) -> HTTPResponse {
    switch failure {
    case .wrongCode:
      log.notice(
        "\(address) tried to pair with a wrong or used code", .commandRefused,
        fields: [LogLine.addressField: address])
      return .problem(
        403, .pairingCodeWrong, "This code is wrong, used, or too old. Get a new one with: camrigctl pair")
    case .wait(let time):
      let seconds = max(1, time.components.seconds)
      log.notice(
        "\(address) tried too many codes", .commandRefused, fields: [LogLine.addressField: address])
      var response = HTTPResponse.problem(
        429, .pairingMustWait, "Too many wrong codes. Try again in \((seconds + 59) / 60) min.")
      response.headers.add("retry-after", "\(seconds)")
      return response
    case .tooManyMonitors:
      return .problem(
        409, .pairingFull, "So many monitors are paired that no other can be. Take some away: camrigctl monitors revoke"
      )
    case .noRandomNumbers:
      return .problem(503, .pairingUnavailable, "The rig has no random numbers just now. Try again.")
    case .notSaved(let why): return .problem(500, .settingsNotSaved, "The pairing could not be saved: \(why)")
    }
  }

  private func unpair(_ peer: Peer?, _ head: HTTPRequestHead) -> HTTPResponse {
    var response = HTTPResponse(204)
    if case .monitor(let id, _, _) = peer?.origin {
      do throws(MonitorBook.PairingFailure) {
        _ = try book.revoke(id)
      } catch {
        response = .problem(500, .settingsNotSaved, "The rig could not forget this monitor: \(error)")
      }
    }
    response.headers.add("set-cookie", cookie("", seconds: 0, head))
    return response
  }

  private func cookie(_ value: String, seconds: Int, _ head: HTTPRequestHead) -> String {
    "camrig-\(identity.id)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
      + (head.isSecure || head.isForwarded ? "; Secure" : "")
  }

  // MARK: Wishes

  private func call(_ request: HTTPRequest, _ peer: Peer?) async -> HTTPResponse {
    guard let peer else { return .notFound }
    do throws(RPCResponse) {
      let wish = try RPCRequest.read(request.body)
      let reply = await handler.handle(wish, from: peer)
      guard let id = wish.id else { return HTTPResponse(204) }
      let outcome: RPCResponse.Outcome =
        switch reply {
        case .result(let value): .result(value)
        case .failure(let error): .failure(error)
        case .subscription, .later:
          .failure(RPCError(.requestInvalid, "\(wish.method) needs a WebSocket at /monitor"))
        }
      return json(200, RPCResponse(id: id, outcome).json)
    } catch {
      return json(200, error.json)
    }
  }

  private func document() -> HTTPResponse {
    do { return json(200, bytes: try OpenRPCDocument.bytes.get()) } catch {
      return .problem(500, .internalError, "\(error)")
    }
  }

  // MARK: Files of takes

  private func takeFile(_ parts: [String], _ head: HTTPRequestHead) async -> HTTPResponse {
    do {
      let file = try await rig.takeFile(parts[0], parts[1])
      let download = head.query("download") != nil ? parts[1] : nil
      return .file(
        try await HTTPFile.opened(
          path: file.path, type: Self.type(of: file.path), downloadName: download, on: file.volume))
    } catch {
      return problem(error, missing: .takeUnknown)
    }
  }

  private func takeFrames(_ parts: [String], _ head: HTTPRequestHead, _ peer: Peer?) async -> HTTPResponse {
    do {
      let file = try await rig.takeFile(parts[0], parts[1], playable: true)
      let stream = try await ClipPlayback.open(file, from: Double(head.query("from") ?? "") ?? 0)
      return .stream(type: MultipartPictures.type, GuestStream(stream, guests: guests, peer: peer))
    } catch {
      return problem(error, missing: .takeUnknown)
    }
  }

  private static func type(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "mov": "video/quicktime"
    case "mp4": "video/mp4"
    default: "application/json"
    }
  }

  func json(_ status: HTTPStatus, _ value: JSONValue) -> HTTPResponse { json(status, bytes: value.bytes) }

  private func json(_ status: HTTPStatus, bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(status, type: "application/json", bytes, headers: ["cache-control": "no-store"])
  }

  /// Of a file: 503 where its volume does not answer.
  /// - Parameter missing: what is unknown where the file is not there.
  func problem(_ error: any Error, missing: RigErrorCode) -> HTTPResponse {
    let isOfVolume =
      if case .silent = error as? HTTPFileError { true } else {
        error is VolumeSilence || (error as? RigError)?.code == .diskFailed
      }
    return .problem(isOfVolume ? 503 : 404, Self.code(of: error, missing: missing), "\(error)")
  }

  private static func code(of error: any Error, missing: RigErrorCode) -> RigErrorCode {
    switch error {
    case let error as RigError: error.code
    case let error as HTTPFileError: error.isMissing ? missing : .diskFailed
    case is VolumeSilence: .diskFailed
    case MovieError.unsupported: .takeUnplayable
    case is MovieError: .takeDamaged
    default: .internalError
    }
  }
}
