import CamrigModel
import CaptureSupport
import RigControl
import TestSupport
import Testing

/// Torches that do as they are told, or say why not.
private final class FakeTorches: TorchSource {
  private let state: Guarded<(torches: [TorchDescription], error: RigError?)>
  private let asks = Guarded(0)

  init(_ torches: [TorchDescription]) { state = Guarded((torches, nil)) }

  /// How often it was asked for them.
  var asked: Int { asks.withLock { $0 } }

  func torches() async -> [TorchDescription] {
    asks.withLock { $0 += 1 }
    return state.withLock { $0.torches }
  }

  func set(_ torch: TorchDescription, _ level: Int) async -> Result<Int, RigError> {
    if let error = state.withLock({ $0.error }) { return .failure(error) }
    switchBySomebody(torch.id, level)
    return .success(level)
  }

  func replace(_ id: String, maxLevel: Int) {
    state.withLock { state in
      for index in state.torches.indices where state.torches[index].id == id {
        state.torches[index].maxLevel = maxLevel
      }
    }
  }

  func fail(_ error: RigError) { state.withLock { $0.error = error } }

  func switchBySomebody(_ id: String, _ level: Int) {
    state.withLock { state in
      for index in state.torches.indices where state.torches[index].id == id {
        state.torches[index].level = level
        state.torches[index].on = level > 0
      }
    }
  }
}

@Suite("The rig's torches", .timeLimit(.minutes(5)))
final class TorchDeskTests: Sendable {
  private let told = Guarded<[[TorchDescription]]>([])
  private let timer = ManualTimer()

  private func desk(_ sources: [any TorchSource], limit: Duration = .zero) -> TorchDesk {
    TorchDesk(sources: sources, timeLimit: limit, timer: timer, log: RecordingLogSink().log) { [self] torches in
      told.withLock { $0.append(torches) }
    }
  }

  private let key = TorchDescription(id: "key", name: "key", backend: .led, camera: CameraID("cam-1"), maxLevel: 200)
  private let fill = TorchDescription(id: "fill", name: "fill", backend: .gpio, maxLevel: 1)

  @Test("on means as bright as the last time, and fully at first")
  func lastLevel() async throws {
    let desk = desk([FakeTorches([key])])
    #expect(try await desk.set(TorchSetRequest(on: true), camera: nil).level == 200)
    #expect(try await desk.set(TorchSetRequest(level: 40), camera: nil).level == 40)
    #expect(try await desk.set(TorchSetRequest(on: false), camera: nil).on == false)
    #expect(try await desk.set(TorchSetRequest(on: true), camera: nil).level == 40)
  }

  @Test("at the rig's end all go off, and none goes on any more")
  func closed() async throws {
    let desk = desk([FakeTorches([key, fill])])
    _ = try await desk.set(TorchSetRequest(torch: "key", on: true), camera: nil)
    await desk.close()
    #expect(await desk.torches.allSatisfy { !$0.on })
    await #expect(throws: RigError(.torchFailed, "The rig is being stopped.")) {
      _ = try await desk.set(TorchSetRequest(torch: "fill", on: true), camera: nil)
    }
    #expect(try await desk.set(TorchSetRequest(torch: "key", on: false), camera: nil).on == false)
  }

  @Test("a torch that gives less than the last time gives what it can")
  func weaker() async throws {
    let torches = FakeTorches([key])
    let desk = desk([torches])
    #expect(try await desk.set(TorchSetRequest(on: true), camera: nil).level == 200)
    torches.replace(key.id, maxLevel: 10)
    await desk.look()
    #expect(try await desk.set(TorchSetRequest(on: true), camera: nil).level == 10)
  }

  @Test("one of several is named by itself or by its camera")
  func names() async throws {
    let desk = desk([FakeTorches([key]), FakeTorches([fill])])
    #expect(try await desk.set(TorchSetRequest(torch: "fill", on: true), camera: nil).id == "fill")
    #expect(try await desk.set(TorchSetRequest(on: true), camera: CameraID("cam-1")).id == "key")
    await #expect(throws: RigError(.paramsInvalid, "Which torch? There are: key, fill.")) {
      try await desk.set(TorchSetRequest(on: true), camera: nil)
    }
    await #expect(throws: RigError(.torchNone, "No torch belongs to cam-2.")) {
      try await desk.set(TorchSetRequest(on: true), camera: CameraID("cam-2"))
    }
  }

  @Test("a rig without a torch says so")
  func none() async {
    await #expect {
      try await desk([]).set(TorchSetRequest(on: true), camera: nil)
    } throws: {
      ($0 as? RigError)?.code == .torchNone
    }
  }

  @Test("what somebody else has switched is told once, as it is")
  func foreign() async {
    let torches = FakeTorches([key])
    let desk = desk([torches])
    await desk.look()
    torches.switchBySomebody("key", 7)
    await desk.look()
    await desk.look()
    #expect(told.withLock { $0.map { $0.map(\.level) } } == [[0], [7]])
  }

  @Test("a torch that does not obey is an error, and stays what it is")
  func fails() async throws {
    let torches = FakeTorches([key])
    torches.fail(RigError(.torchFailed, "It is broken."))
    let desk = desk([torches])
    await #expect(throws: RigError(.torchFailed, "It is broken.")) {
      try await desk.set(TorchSetRequest(on: true), camera: nil)
    }
    #expect(await desk.torches.map(\.on) == [false])
  }

  @Test("a level that it does not have is refused", arguments: [-1, 201])
  func levels(_ level: Int) async {
    await #expect(throws: RigError(.paramsInvalid, "The level of key is from 0 to 200, not \(level).")) {
      try await desk([FakeTorches([key])]).set(TorchSetRequest(level: level), camera: nil)
    }
  }

  @Test("the time limit counts from the last wish, and one of an earlier wish does nothing")
  func timeLimit() async throws {
    let desk = desk([FakeTorches([key])], limit: .seconds(60))
    _ = try await desk.set(TorchSetRequest(on: true), camera: nil)
    await eventually { timer.isWaiting(.seconds(60)) }
    await desk.use(timeLimit: .seconds(90))
    _ = try await desk.set(TorchSetRequest(level: 5), camera: nil)
    await timer.expire(.seconds(60))
    #expect(await desk.torches.map(\.level) == [5])
    await timer.expire(.seconds(90))
    await eventually { await desk.torches.map(\.level) == [0] }
  }

  @Test("a wish asks each source once, for what has become of it")
  func asksOnce() async throws {
    let sources = [FakeTorches([key]), FakeTorches([fill])]
    let desk = desk(sources)
    await desk.look()
    _ = try await desk.set(TorchSetRequest(torch: "fill", on: true), camera: nil)
    #expect(sources.map(\.asked) == [2, 2])
  }

  @Test("a camera that is about to be out of reach leaves no light behind")
  func disabled() async throws {
    let desk = desk([FakeTorches([key, fill])])
    for torch in ["key", "fill"] { _ = try await desk.set(TorchSetRequest(torch: torch, on: true), camera: nil) }
    await desk.off(of: CameraID("cam-1"))
    #expect(await desk.torches.map(\.on) == [false, true])
  }

  @Test("for a photo the lights of its cameras and those of nobody go on, and are afterwards what they were")
  func flash() async throws {
    let other = TorchDescription(id: "other", name: "other", backend: .led, camera: CameraID("cam-2"), maxLevel: 9)
    let desk = desk([FakeTorches([key, fill, other])])
    _ = try await desk.set(TorchSetRequest(torch: "key", level: 40), camera: nil)
    let flash = await desk.flash(for: [CameraID("cam-1")])
    #expect(flash.torches.map(\.id) == ["key", "fill"])
    let lit = await desk.light(flash)
    #expect(lit.failures == [])
    #expect(lit.cameras == nil)
    #expect(await desk.torches.map(\.level) == [40, 1, 0])
    await desk.restore(lit)
    #expect(await desk.torches.map(\.level) == [40, 0, 0])
  }

  @Test("what somebody chooses while a photo is being taken stays")
  func flashOvertaken() async throws {
    let desk = desk([FakeTorches([key])])
    let lit = await desk.light(await desk.flash(for: [CameraID("cam-1")]))
    #expect(lit.cameras == [CameraID("cam-1")])
    _ = try await desk.set(TorchSetRequest(torch: "key", level: 7), camera: nil)
    await desk.restore(lit)
    #expect(await desk.torches.map(\.level) == [7])
  }

  @Test("a light that fails for a photo is told, and the others shine")
  func flashFails() async {
    let broken = FakeTorches([key])
    broken.fail(RigError(.torchFailed, "It is broken."))
    let desk = desk([broken, FakeTorches([fill])])
    let lit = await desk.light(await desk.flash(for: [CameraID("cam-1")]))
    #expect(lit.failures.map(\.message) == ["The light key did not go on: It is broken."])
    #expect(lit.cameras == nil)
  }

  @Test("all go off at the start and at the end")
  func allOff() async {
    let torches = FakeTorches([key])
    torches.switchBySomebody("key", 9)
    let desk = desk([torches])
    await desk.allOff()
    #expect(await desk.torches.map(\.level) == [0])
  }
}
