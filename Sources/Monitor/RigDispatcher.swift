import CamrigModel
import DaemonKit
import RigControl

/// Carries out what monitors ask for: finds the method, reads its parameters, asks the rig. One implementation for
/// every wire.
package struct RigDispatcher: RequestHandler {
  let rig: Rig
  private let board: StateBoard
  private let monitors: MonitorDesk?
  private let log: Log
  private let proofs = ProofRoom()

  /// - Parameter monitors: nil for a rig that is not in the network.
  package init(rig: Rig, board: StateBoard? = nil, monitors: MonitorDesk? = nil, log: Log) {
    self.rig = rig
    self.board = board ?? StateBoard(rig: rig, log: log)
    self.monitors = monitors
    self.log = log
  }

  /// Of a wire that keeps no connection: a session for this request alone.
  package func handle(_ request: RPCRequest, from peer: Peer) async -> RPCReply {
    let session = session(peer, isLasting: false)
    defer { session.end() }
    return await session.handle(request).settled()
  }

  package func begin(_ peer: Peer) -> any MonitorSession { session(peer, isLasting: true) }

  private func session(_ peer: Peer, isLasting: Bool) -> SessionCoordinator {
    SessionCoordinator(peer: peer, cameras: RigSessionCameras(rig: rig, board: board), isLasting: isLasting) {
      await carryOut($0, of: $1)
    }
  }

  private func carryOut(_ request: RPCRequest, of session: SessionCoordinator) async -> RPCReply {
    let peer = session.peer
    guard let method = RigMethod(rawValue: request.method) else {
      return .failure(
        RPCError(.methodUnknown, "there is no method \(request.method). Is the rig older than this monitor?"))
    }
    guard peer.role >= method.leastRole else {
      log.notice(
        "\(request.method) by \(peer) refused: it is a \(peer.role.rawValue)", .commandRefused,
        fields: peer.journalFields)
      return .failure(
        RPCError(
          .roleForbidden,
          "This monitor is paired as \(peer.role.rawValue); \(request.method) needs "
            + "\(method.leastRole.rawValue). Pair it again with: camrigctl pair --role \(method.leastRole.rawValue)"))
    }
    do {
      if method == .rigWatch { return try await watch() }
      if method == .stateWatch {
        let (state, changes) = try await board.watch(asAdmin: peer.role.allows(.admin))
        return .subscription(state, changes)
      }
      if method == .microphoneMeter { return try meter(request) }
      if method == .sessionGet { return try await session.describe() }
      if method == .cameraSelect { return await session.select(try request.parameters(CameraSelectRequest.self)) }
      if let slider = try await beginTurning(method, request, peer) { return slider }
      if method.readsTakes, proofs.enter() {
        return .later { [self] in
          defer { proofs.leave() }
          return await outcome(method, request, peer)
        }
      }
      return .result(try await result(method, request, peer))
    } catch {
      return .failure(refusal(error, request, peer))
    }
  }

  private func outcome(_ method: RigMethod, _ request: RPCRequest, _ peer: Peer) async -> RPCResponse.Outcome {
    do {
      return .result(try await result(method, request, peer))
    } catch {
      return .failure(refusal(error, request, peer))
    }
  }

  private func result(_ method: RigMethod, _ request: RPCRequest, _ peer: Peer) async throws -> JSONValue {
    let result = try await perform(method, request)
    trace(method, peer)
    return result
  }

  func trace(_ method: RigMethod, _ peer: Peer) {
    if method.changesTheRig { log.info("\(method.rawValue) by \(peer)") }
  }

  func refusal(_ error: any Error, _ request: RPCRequest, _ peer: Peer) -> RPCError {
    if let error = error as? RPCError { return error }
    guard let error = error as? RigError else { return RPCError(.internalError, "\(request.method): \(error)") }
    log.notice("\(request.method) by \(peer) refused: \(error.message)", .commandRefused, fields: peer.journalFields)
    return RPCError(error.code, error.message)
  }

  private func perform(_ method: RigMethod, _ request: RPCRequest) async throws -> JSONValue {
    switch method {
    case .rpcDiscover: try OpenRPCDocument.json.get()
    case .rigStatus, .rigWatch, .stateWatch, .sessionGet, .cameraSelect: try JSONValue(encoding: await status())
    case .clockPing: pong(request.params)
    case .rigVersion:
      try JSONValue(encoding: VersionInfo(version: Version.text, protocolVersion: OpenRPCDocument.protocolVersion))
    case .cameraList: try JSONValue(encoding: await rig.cameras())
    case .cameraGet: try JSONValue(encoding: try await rig.camera(request.parameters(CameraReference.self).camera))
    case .cameraSet: try JSONValue(encoding: try await rig.setCamera(request.parameters(CameraSetRequest.self)))
    case .cameraRename:
      try JSONValue(encoding: try await rig.renameCamera(request.parameters(CameraRenameRequest.self)))
    case .cameraReplace:
      try JSONValue(encoding: try await rig.replaceCamera(request.parameters(CameraReplaceRequest.self)))
    case .cameraEnable:
      try JSONValue(encoding: try await rig.enableCamera(request.parameters(CameraReference.self).camera, true))
    case .cameraDisable:
      try JSONValue(encoding: try await rig.enableCamera(request.parameters(CameraReference.self).camera, false))
    case .cameraForget:
      try await forget(request.parameters(CameraReference.self).camera)
    case .controlList, .controlReset, .controlExport, .controlImport:
      try await performControl(method, request)
    case .usbPlan: try await planUSB(request)
    case .recordingStart:
      try JSONValue(encoding: try await rig.startRecording(request.parameters(RecordingStartRequest.self)))
    case .recordingStop:
      try JSONValue(encoding: try await rig.stopRecording(request.parameters(RecordingStopRequest.self)))
    case .recordingArm:
      try JSONValue(encoding: try await rig.arm(request.parameters(RecordingArmRequest.self).armed))
    case .takeList:
      try JSONValue(encoding: try await rig.takes(limit: request.parameters(TakeListRequest.self).limit ?? 1000))
    case .takeGet: try JSONValue(encoding: try await rig.take(request.parameters(TakeReference.self).take))
    case .takeVerify: try JSONValue(encoding: try await rig.verify(request.parameters(TakeReference.self).take))
    case .takeRepair: try JSONValue(encoding: try await rig.repair(request.parameters(TakeReference.self).take))
    case .photoTake, .photoCancel, .photoList: try await photo(method, request, rig)
    case .timelapseStart, .timelapseStop, .timelapseList, .timelapseMovie: try await timelapse(method, request, rig)
    case .microphoneList: try JSONValue(encoding: await rig.microphoneList())
    case .microphoneForget: try await forgetMicrophone(request)
    // Answered before they come here.
    case .microphoneMeter, .microphoneSet, .torchSet, .controlSet: [:]
    case .torchList: try JSONValue(encoding: await rig.torches())
    case .pairingCreate: try offerPairing(request)
    case .pairingList: try listPairings()
    case .pairingApprove: try approvePairing(request)
    case .pairingDeny: try denyPairing(request)
    case .monitorList: try listMonitors()
    case .monitorRevoke: try revoke(request)
    }
  }

  // Functions of their own and not asynchronous: with their errors among those of `perform` the optimiser of Swift 6.3
  // crashes.

  private func offerPairing(_ request: RPCRequest) throws -> JSONValue {
    let role = try request.parameters(PairingRequest.self).role ?? .operator
    return try JSONValue(encoding: try desk().offer(role))
  }

  private func listMonitors() throws -> JSONValue { try JSONValue(encoding: try desk().list) }

  private func status() async -> RigStatus {
    var status = await rig.status()
    if let network = monitors?.network {
      status.network = network
      status.add(monitors?.problems ?? [])
    }
    return status
  }

  private func pong(_ params: JSONValue) -> JSONValue {
    var members = params.asObject ?? [:]
    members["wall"] = .string(SystemClock().anchor.wall.rfc3339)
    return .object(members)
  }

  func desk() throws -> MonitorDesk {
    guard let monitors else {
      throw RPCError(.notPermitted, "This rig is not in the network. Remove Listen=none from its configuration.")
    }
    return monitors
  }

  private func revoke(_ request: RPCRequest) throws -> JSONValue {
    try desk().revoke(request.parameters(MonitorReference.self).monitor)
    return [:]
  }

  private func forget(_ camera: String) async throws -> JSONValue {
    try await rig.forgetCamera(camera)
    return [:]
  }

  /// Subscribed before the state is read, so that no change falls between. What the monitor has not read waits in its
  /// feed alone, which knows what it had to drop.
  private func watch() async throws -> RPCReply {
    let events = rig.events.subscribe()
    let state = try JSONValue(encoding: await status())
    let log = log
    let controls = await rig.watchControls()
    let stream = AsyncStream<RPCNotification> {
      // As long as this stream is there, changes of controls are told.
      _ = controls
      while let event = await events.next() {
        do { return try event.notification() } catch { log.error("an event cannot be sent: \(error)") }
      }
      return nil
    }
    return .subscription(state, stream)
  }
}

extension RigMethod {
  /// Takes as long as the files are large.
  fileprivate var readsTakes: Bool { self == .takeVerify || self == .takeRepair || self == .timelapseMovie }

  /// Whether it leaves a trace in the journal.
  fileprivate var changesTheRig: Bool {
    switch self {
    case .rpcDiscover, .rigStatus, .rigVersion, .rigWatch, .stateWatch, .clockPing: false
    case .sessionGet, .cameraSelect: false
    case .cameraList, .cameraGet: false
    case .cameraSet, .cameraRename, .cameraReplace, .cameraEnable, .cameraDisable, .cameraForget: true
    // A drag of a slider is dozens of sets.
    case .controlList, .controlExport, .controlSet, .usbPlan: false
    case .controlReset, .controlImport: true
    case .torchList: false
    case .torchSet: true
    case .recordingStart, .recordingStop, .recordingArm: true
    case .takeList, .takeGet, .takeVerify: false
    case .takeRepair: true
    case .photoList, .timelapseList: false
    case .photoTake, .photoCancel, .timelapseStart, .timelapseStop, .timelapseMovie: true
    case .monitorList: false
    case .pairingCreate, .monitorRevoke: true
    case .pairingList: false
    case .pairingApprove, .pairingDeny: true
    case .microphoneList, .microphoneMeter: false
    case .microphoneSet, .microphoneForget: true
    }
  }
}
