import CamrigModel

/// One monitor on one connection: what it has selected, and for whom the rig keeps a camera open. Wishes that are not
/// the session's own are carried out by the dispatcher. When the monitor leaves, all that it held is let go; a recording
/// is not the session's and goes on.
package actor SessionCoordinator: MonitorSession {
  /// Carries out a wish of this session.
  package typealias Dispatch = @Sendable (RPCRequest, SessionCoordinator) async -> RPCReply
  private typealias Answer = AsyncStream<RPCResponse.Outcome>.Continuation

  package nonisolated let peer: Peer
  private let cameras: any SessionCameras
  private let dispatch: Dispatch
  private let sleep: @Sendable (Duration) async -> Void
  /// False: of a single request, which nothing follows.
  private let isLasting: Bool
  private var state = SessionState()
  /// Cameras that wishes mean, by generation, until they are held.
  private var meant: [Int: any SessionCamera] = [:]
  /// By camera, oldest first: while one is selected once more, it is held twice.
  private var holds: [CameraID: [any CameraHold]] = [:]
  private var answers: [Int: Answer] = [:]
  private var listener: AsyncStream<RPCNotification>.Continuation?
  private var watch: Task<Void, Never>?
  private var told = SessionSelection(selected: nil, switching: nil)

  package init(
    peer: Peer, cameras: any SessionCameras, isLasting: Bool = true,
    sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
    dispatch: @escaping Dispatch
  ) {
    self.peer = peer
    self.cameras = cameras
    self.isLasting = isLasting
    self.sleep = sleep
    self.dispatch = dispatch
  }

  package nonisolated func handle(_ request: RPCRequest) async -> RPCReply { await dispatch(request, self) }

  package nonisolated func end() { Task { await self.leave() } }

  private func leave() {
    carryOut(state.end())
    watch?.cancel()
    watch = nil
    listener?.finish()
    listener = nil
  }

  // MARK: camera.select

  /// Answered when the first picture is there.
  package func select(_ request: CameraSelectRequest) -> RPCReply {
    guard let camera = request.camera else {
      carryOut(state.clear())
      return .result([:])
    }
    let (generation, steps) = state.ask()
    let (outcome, answer) = AsyncStream.makeStream(of: RPCResponse.Outcome.self, bufferingPolicy: .bufferingOldest(1))
    answers[generation] = answer
    carryOut(steps)
    Task { await self.find(camera, generation) }
    return .later {
      for await outcome in outcome { return outcome }
      return .failure(RPCError(.stopping, "The rig is being stopped."))
    }
  }

  private func find(_ text: String, _ generation: Int) async {
    do throws(RPCError) {
      let camera = try await cameras.selectable(text)
      meant[generation] = camera
      carryOut(state.found(camera.id, generation: generation))
      meant[generation] = nil
    } catch {
      state.refused(generation: generation)
      answer(generation, .failure(error))
    }
  }

  private func carryOut(_ steps: [SessionState.Step]) {
    for step in steps {
      switch step {
      case .hold(let id, let generation):
        let hold = meant[generation]?.hold { [weak self] in
          Task { await self?.pictureArrived(generation) }
        }
        if let hold { holds[id, default: []].append(hold) }
      case .release(let id): letGo(id)
      case .wait(let time, let generation):
        Task { [weak self, sleep] in
          await sleep(time)
          await self?.timeIsOver(generation)
        }
      case .answer(let generation, let outcome):
        Task { await self.tell(outcome, of: generation) }
      case .tell: tellChange()
      }
    }
    keepWatch()
  }

  private func letGo(_ id: CameraID) {
    guard let hold = holds[id]?.first else { return }
    holds[id]?.removeFirst()
    if holds[id]?.isEmpty == true { holds[id] = nil }
    hold.letGo()
  }

  private func pictureArrived(_ generation: Int) { carryOut(state.pictureArrived(generation: generation)) }
  private func timeIsOver(_ generation: Int) { carryOut(state.timeIsOver(generation: generation)) }
  private func gone(_ id: CameraID) { carryOut(state.gone(id)) }

  private func tell(_ outcome: SessionState.Outcome, of generation: Int) async {
    switch outcome {
    case .selected(let id):
      if let camera = await cameras.description(id), let camera = try? JSONValue(encoding: camera) {
        answer(generation, .result(["camera": camera]))
      } else {
        answer(generation, .failure(.forgotten(id)))
      }
    case .silent(let id):
      let name = await cameras.description(id)?.name ?? id.rawValue
      let why = await cameras.whyDark(id)
      let fallback = await fallback(besides: id)
      answer(
        generation,
        .failure(
          RPCError(
            .cameraSilent,
            (why.map { "\(name): \($0)" }
              ?? "\(name) has sent no picture within \(SessionState.pictureLimit.components.seconds) s.") + fallback,
            details: ["camera": .string(id.rawValue)])))
    case .timedOut:
      answer(
        generation,
        .failure(
          RPCError(
            .timedOut,
            "The rig did not get round to it within \(SessionState.requestLimit.components.seconds) s. Try again.")))
    case .overtaken:
      answer(generation, .failure(RPCError(.overtaken, "This monitor has selected another camera meanwhile.")))
    case .gone(let id): answer(generation, .failure(.forgotten(id)))
    }
  }

  private func fallback(besides id: CameraID) async -> String {
    guard let before = state.selected, before != id, let name = await cameras.description(before)?.name else {
      return ""
    }
    return " \(name) stays selected."
  }

  private func answer(_ generation: Int, _ outcome: RPCResponse.Outcome) {
    guard let answer = answers.removeValue(forKey: generation) else { return }
    answer.yield(outcome)
    answer.finish()
  }

  /// A camera that is forgotten is selected no more. Nobody listens while nothing is selected.
  private func keepWatch() {
    let isNeeded = state.selected != nil || state.switching != nil
    if isNeeded, watch == nil {
      let forgotten = cameras.forgotten()
      watch = Task { [weak self] in
        for await id in forgotten { await self?.gone(id) }
      }
    } else if !isNeeded {
      watch?.cancel()
      watch = nil
    }
  }

  // MARK: session.get

  /// What the session is, and from then on each change of what it has selected.
  package func describe() async throws -> RPCReply {
    let features = await cameras.features()
    let selection = selection
    let description = SessionDescription(
      selected: selection.selected, switching: selection.switching, features: features, role: peer.role,
      monitor: monitor)
    return reply(try JSONValue(encoding: description))
  }

  // Of its own: in one function with the rest the optimiser of Swift 6.3 crashes.
  private var monitor: SessionMonitor {
    guard let id = peer.monitorID else { return SessionMonitor(id: "local", name: peer.name) }
    return SessionMonitor(id: "\(id)", name: peer.name)
  }

  private func reply(_ answer: JSONValue) -> RPCReply {
    guard isLasting else { return .result(answer) }
    listener?.finish()
    // Each says all: the newest is enough.
    let (changes, post) = AsyncStream.makeStream(of: RPCNotification.self, bufferingPolicy: .bufferingNewest(4))
    listener = post
    told = selection
    return .subscription(answer, changes)
  }

  private var selection: SessionSelection { SessionSelection(selected: state.selected, switching: state.switching) }

  private func tellChange() {
    // Two IDs: nothing that could not be encoded.
    guard let listener, selection != told, let params = try? JSONValue(encoding: selection) else { return }
    told = selection
    listener.yield(RPCNotification(method: RigEventName.sessionChanged.rawValue, params: params))
  }
}

extension RPCError {
  fileprivate static func forgotten(_ id: CameraID) -> RPCError {
    RPCError(.cameraUnknown, "\(id) was forgotten just now.")
  }
}
