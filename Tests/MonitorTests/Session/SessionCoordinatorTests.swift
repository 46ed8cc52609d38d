import CamrigModel
import Monitor
import TestSupport
import Testing

@Suite("A monitor's session", .timeLimit(.minutes(5)))
struct SessionCoordinatorTests {
  /// Cameras whose pictures come when the test says so.
  private final class FakeCameras: SessionCameras {
    final class Hold: CameraHold {
      let letGoCount = Guarded(0)
      let picture: @Sendable () -> Void
      init(_ picture: @escaping @Sendable () -> Void) { self.picture = picture }
      func letGo() { letGoCount.withLock { $0 += 1 } }
    }

    struct Camera: SessionCamera {
      let id: CameraID
      let owner: FakeCameras
      func hold(_ picture: @escaping @Sendable () -> Void) -> any CameraHold {
        let hold = Hold(picture)
        owner.holds.withLock { $0[id, default: []].append(hold) }
        return hold
      }
    }

    let holds = Guarded<[CameraID: [Hold]]>([:])
    let (forgetting, forget) = AsyncStream.makeStream(of: CameraID.self)

    func selectable(_ text: String) async throws(RPCError) -> any SessionCamera {
      guard text == "left" || text == "right" else { throw RPCError(.cameraUnknown, "There is no camera \(text).") }
      return Camera(id: CameraID(text), owner: self)
    }
    func description(_ id: CameraID) async -> CameraDescription? {
      CameraDescription(id: id, name: id.rawValue.capitalized, state: .streaming)
    }
    func whyDark(_ id: CameraID) async -> String? { nil }
    func forgotten() -> AsyncStream<CameraID> { forgetting }
    func features() async -> [String] { ["cameras"] }

    /// How often the camera is held just now.
    func held(_ id: String) -> Int {
      holds.withLock { $0[CameraID(id)] ?? [] }.filter { $0.letGoCount.withLock { $0 } == 0 }.count
    }
    func shows(_ id: String) { for hold in holds.withLock({ $0[CameraID(id)] ?? [] }) { hold.picture() } }
  }

  /// Sleepers that the test wakes.
  private final class Sleep: Sendable {
    let waiting = Guarded<[(time: Duration, wake: CheckedContinuation<Void, Never>)]>([])
    func callAsFunction(_ time: Duration) async {
      await withCheckedContinuation { wake in waiting.withLock { $0.append((time, wake)) } }
    }
    func end(_ time: Duration) {
      let due = waiting.withLock { waiting in
        defer { waiting.removeAll { $0.time == time } }
        return waiting.filter { $0.time == time }
      }
      for sleeper in due { sleeper.wake.resume() }
    }
  }

  private let cameras = FakeCameras()
  private let sleep = Sleep()
  private let session: SessionCoordinator

  init() {
    let sleep = sleep
    session = SessionCoordinator(
      peer: Peer(connection: 1, .monitor(id: 7, name: "Phone", address: "192.0.2.7"), role: .viewer), cameras: cameras,
      sleep: { await sleep($0) },
      dispatch: { request, session in
        switch request.method {
        case "camera.select":
          await session.select(CameraSelectRequest(camera: request.params["camera"]?.asString))
        default: (try? await session.describe()) ?? .failure(RPCError(.internalError, "no answer"))
        }
      })
  }

  private func select(_ camera: String?) -> Task<String, Never> {
    var params: [String: JSONValue] = [:]
    if let camera { params["camera"] = .string(camera) }
    let request = RPCRequest(id: .number(1), method: "camera.select", params: .object(params))
    return Task { [session] in
      switch await session.handle(request).settled() {
      case .result(let value): value["camera"]?["id"]?.asString ?? value.text
      case .failure(let error): error.message
      case .subscription, .later: "?"
      }
    }
  }

  private func get() async -> (JSONValue, AsyncStream<RPCNotification>)? {
    guard
      case .subscription(let answer, let notes) = await session.handle(
        RPCRequest(id: .number(2), method: "session.get"))
    else { return nil }
    return (answer, notes)
  }

  @Test("what is selected is held as long as the session lives, and told in exact words")
  func selecting() async throws {
    let (answer, notes) = try #require(await get())
    #expect(answer.text == #"{"features":["cameras"],"monitor":{"id":"7","name":"Phone"},"role":"viewer"}"#)
    let chosen = select("left")
    await eventually { cameras.held("left") == 1 }
    cameras.shows("left")
    #expect(await chosen.value == "left")
    var changes = notes.makeAsyncIterator()
    #expect(
      await changes.next()?.json.text
        == #"{"jsonrpc":"2.0","method":"session.changed","params":{"switching":"left"}}"#)
    #expect(
      await changes.next()?.json.text == #"{"jsonrpc":"2.0","method":"session.changed","params":{"selected":"left"}}"#)
    session.end()
    await eventually { cameras.held("left") == 0 }
    #expect(await changes.next() == nil)
  }

  @Test("a camera that stays dark is named, the one before stays selected and held")
  func fallback() async throws {
    let first = select("left")
    await eventually { cameras.held("left") == 1 }
    cameras.shows("left")
    _ = await first.value
    let second = select("right")
    await eventually { cameras.held("right") == 1 }
    await eventually { sleep.waiting.withLock { $0.contains { $0.time == .seconds(4) } } }
    // The first switch's timers come late and do nothing, the second one's counts.
    sleep.end(.seconds(10))
    await eventually { sleep.waiting.withLock { $0.filter { $0.time == .seconds(4) }.count } == 2 }
    sleep.end(.seconds(4))
    #expect(await second.value == "Right has sent no picture within 4 s. Left stays selected.")
    #expect(cameras.held("right") == 0 && cameras.held("left") == 1)
    #expect(await get()?.0["selected"] == "left")
    session.end()
  }

  @Test("a newer wish answers the older one at once")
  func overtaken() async {
    let first = select("left")
    await eventually { cameras.held("left") == 1 }
    let second = select("right")
    #expect(await first.value == "This monitor has selected another camera meanwhile.")
    await eventually { cameras.held("right") == 1 }
    cameras.shows("right")
    #expect(await second.value == "right")
    #expect(cameras.held("left") == 0)
    session.end()
  }

  @Test("a refused wish changes nothing; to select none lets go")
  func refused() async throws {
    #expect(await select("attic").value == "There is no camera attic.")
    let chosen = select("left")
    await eventually { cameras.held("left") == 1 }
    cameras.shows("left")
    _ = await chosen.value
    #expect(await select("attic").value == "There is no camera attic.")
    #expect(cameras.held("left") == 1)
    #expect(await select(nil).value == "{}")
    #expect(cameras.held("left") == 0)
    session.end()
  }

  @Test("a camera that is forgotten is selected no more")
  func forgotten() async throws {
    let chosen = select("left")
    await eventually { cameras.held("left") == 1 }
    cameras.shows("left")
    _ = await chosen.value
    cameras.forget.yield(CameraID("left"))
    await eventually { cameras.held("left") == 0 }
    #expect(await get()?.0["selected"] == nil)
    session.end()
  }
}
