import CamrigModel
import Capture
import CaptureSupport
import Settings
import TestSupport
import Testing

@Suite("The registry of cameras", .timeLimit(.minutes(5)))
struct CameraRegistryTests {
  private let bench = RegistryBench()
  private let a = webcamID("A1")
  private let b = webcamID("B2")

  @Test("a camera that was there before the service and one that comes later are alike")
  func beforeAndAfter() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    bench.finder.tell(.present(bench.webcam("2", serial: "B2", node: 2)))
    await bench.hear(.online(b))
    #expect(bench.events == [.appeared(a), .online(a), .appeared(b), .online(b)])
    let cameras = await bench.registry.cameras
    #expect(cameras.map(\.name) == ["Webcam", "Webcam 2"])
    #expect(cameras.map(\.state) == [.idle, .idle])
    #expect(cameras.map(\.port) == ["pci-usb-0:1:1.0", "pci-usb-0:2:1.0"])
    #expect(bench.camera(a)?.node == "/dev/video0")
    #expect(bench.camera(b)?.node == "/dev/video2")
  }

  @Test("a node that is told of twice is one camera, attached once")
  func duplicates() async throws {
    let node = bench.webcam("1", serial: "A1", node: 0)
    try await bench.start([node])
    bench.finder.tell(.present(node))
    bench.finder.tell(.present(bench.webcam("2", serial: "B2", node: 2)))
    await bench.hear(.online(b))
    #expect(bench.camera(a)?.calls.filter { $0.hasPrefix("attach") } == ["attach /dev/video0"])
  }

  @Test("a metadata node beside it is no camera, and is never opened as one")
  func metadata() async throws {
    var meta = bench.webcam("1", serial: "A1", node: 1)
    meta.index = 1
    bench.probe.put(
      "/dev/video1",
      .success(NodeFacts(deviceCaps: 0x04A0_0000, driver: "uvcvideo", card: "Webcam", busInfo: "usb-1", formatCount: 0))
    )
    try await bench.registry.start()
    bench.finder.tell(.all([meta, bench.webcam("1", serial: "A1", node: 0)]))
    await bench.hear(.online(a))
    #expect(await bench.registry.cameras.map(\.id) == [a])
    #expect(bench.camera(a)?.node == "/dev/video0")
  }

  @Test("unplugged it is offline at once, plugged in again it is the same camera")
  func replug() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    let camera = await bench.registry.camera(a)
    bench.finder.tell(.removed(sysPath: bench.webcam("1", node: 0).sysPath))
    await bench.hear(.offline(a))
    #expect(await bench.state(a) == .offline)
    #expect(camera?.node == nil)
    bench.finder.tell(.present(bench.webcam("3", serial: "A1", node: 5)))
    await bench.hear(.online(a), times: 2)
    #expect(await bench.registry.camera(a) === camera)
    #expect(camera?.calls.suffix(3) == ["attach /dev/video0", "detach", "attach /dev/video5"])
    #expect(bench.events.filter { $0 == .appeared(a) }.count == 1)
  }

  @Test("a camera that went and came back before anybody looked was away")
  func fastReplug() async throws {
    let node = bench.webcam("1", serial: "A1", node: 0)
    try await bench.start([node])
    bench.finder.tell(.removed(sysPath: node.sysPath))
    bench.finder.tell(.present(node))
    await bench.hear(.online(a), times: 2)
    #expect(bench.camera(a)?.calls.suffix(3) == ["attach /dev/video0", "detach", "attach /dev/video0"])
  }

  @Test("cameras that come back with their node numbers swapped stay who they are")
  func swappedNumbers() async throws {
    let (first, second) = (bench.webcam("1", serial: "A1", node: 0), bench.webcam("2", serial: "B2", node: 2))
    try await bench.start([first, second])
    bench.finder.tell(.removed(sysPath: first.sysPath))
    bench.finder.tell(.removed(sysPath: second.sysPath))
    await bench.hear(.offline(b))
    bench.finder.tell(.present(bench.webcam("2", serial: "B2", node: 0)))
    bench.finder.tell(.present(bench.webcam("1", serial: "A1", node: 2)))
    await bench.hear(.online(a), times: 2)
    await bench.hear(.online(b), times: 2)
    #expect(bench.camera(a)?.node == "/dev/video2")
    #expect(bench.camera(b)?.node == "/dev/video0")
  }

  @Test("what is missing in a new complete list is gone")
  func completeList() async throws {
    let (first, second) = (bench.webcam("1", serial: "A1", node: 0), bench.webcam("2", serial: "B2", node: 2))
    try await bench.start([first, second])
    bench.finder.tell(.all([second]))
    await bench.hear(.offline(a))
    #expect(await bench.registry.onlineIDs == [b])
    #expect(bench.camera(b)?.calls.contains("detach") == false)
  }

  @Test("a node that may not be opened yet is asked again, and nobody is told of it")
  func permissionLater() async throws {
    let node = bench.webcam("1", serial: "A1", node: 0)
    bench.probe.put("/dev/video0", .failure(.notYetOurs("not yet")))
    try await bench.registry.start()
    bench.finder.tell(.all([node]))
    await bench.timer.expire(.milliseconds(100))
    await eventually { bench.timer.isWaiting(.milliseconds(200)) }
    bench.probe.put("/dev/video0", .success(RegistryBench.facts()))
    await bench.timer.expire(.milliseconds(200))
    await bench.hear(.online(a))
    #expect(bench.events == [.appeared(a), .online(a)])
    #expect(bench.sink.lines.allSatisfy { $0.level > .warning })
  }

  @Test("a node that stays locked is a failed camera that says why, tried again when its mode changes")
  func permissionNever() async throws {
    let node = try watched(.failure(.notYetOurs("it is locked")))
    let path = node.node
    try await bench.registry.start()
    bench.finder.tell(.all([node]))
    for wait in [100, 200, 400, 800, 1600, 2000, 2000, 2000] { await bench.timer.expire(.milliseconds(wait)) }
    await bench.hear(.online(a))
    let camera = await bench.registry.description(a)
    #expect(camera?.state == .failed)
    #expect(camera?.message == "it is locked")
    bench.probe.put(path, .success(RegistryBench.facts()))
    TestNode.changeMode(path)
    await eventually { await bench.state(a) == .idle }
    #expect(bench.camera(a)?.node == path)
  }

  @Test("a camera without a format is shown as failed with the reason, and does not hold up the others")
  func noFormats() async throws {
    let first = bench.webcam("1", serial: "A1", node: 0)
    bench.probe.put("/dev/video0", .success(RegistryBench.facts(formats: 0)))
    try await bench.registry.start()
    bench.finder.tell(.all([first, bench.webcam("2", serial: "B2", node: 2)]))
    await bench.hear(.online(b))
    #expect(await bench.state(a) == .failed)
    #expect(await bench.registry.description(a)?.message.contains("no picture format") == true)
    #expect(bench.camera(a)?.node == nil)
    #expect(bench.camera(b)?.node == "/dev/video2")
  }

  @Test("twins are both there, both marked, and told of once")
  func twins() async throws {
    try await bench.start([bench.webcam("1", serial: "200901010001", node: 0)])
    bench.finder.tell(.present(bench.webcam("2", serial: "200901010001", node: 2)))
    let (known, new) = (webcamID("200901010001"), portID("2"))
    await bench.hear(.online(new))
    #expect(await bench.registry.description(known)?.sharesSerialWith == [new])
    #expect(await bench.registry.description(new)?.sharesSerialWith == [known])
    await bench.hear(.conflict([new, known]))
    #expect(bench.sink.lines.filter { $0.event == .cameraConflict }.count == 1)
    #expect(await bench.registry.onlineIDs.count == 2)
  }

  @Test("a twin that was faster after a boot gives the ID back to the camera that is at home")
  func twinFirst() async throws {
    let serial = "200901010001"
    try await bench.start([bench.webcam("1", serial: serial, node: 0)])
    bench.finder.tell(.removed(sysPath: bench.webcam("1", node: 0).sysPath))
    await bench.hear(.offline(webcamID(serial)))
    bench.finder.tell(.present(bench.webcam("2", serial: serial, node: 0)))
    await bench.hear(.online(webcamID(serial)), times: 2)
    bench.finder.tell(.present(bench.webcam("1", serial: serial, node: 1)))
    await bench.hear(.online(portID("2")))
    #expect(bench.camera(webcamID(serial))?.node == "/dev/video1")
    #expect(bench.camera(portID("2"))?.node == "/dev/video0")
  }

  @Test("a camera in a take keeps its ID whatever is plugged in beside it")
  func recordedKeepsID() async throws {
    let serial = "200901010001"
    try await bench.start([bench.webcam("1", serial: serial, node: 0)])
    bench.finder.tell(.removed(sysPath: bench.webcam("1", node: 0).sysPath))
    await bench.hear(.offline(webcamID(serial)))
    bench.finder.tell(.present(bench.webcam("2", serial: serial, node: 0)))
    await bench.hear(.online(webcamID(serial)), times: 2)
    await bench.registry.setRecorded([webcamID(serial)])
    bench.finder.tell(.present(bench.webcam("1", serial: serial, node: 1)))
    await bench.hear(.online(portID("1")))
    #expect(bench.camera(webcamID(serial))?.node == "/dev/video0")
  }

  @Test("a camera that another program holds is tried again when that closes it")
  func busy() async throws {
    let node = try watched()
    let path = node.node
    try await bench.start([node])
    bench.camera(a)?.become(.busy)
    await bench.hear(.changed(a))
    // That it may have been let go before it was watched is another matter.
    await bench.timer.expire(.milliseconds(50))
    await eventually { bench.timer.isWaiting(.milliseconds(150)) }
    TestNode.openAndClose(path)
    await eventually { bench.camera(a)?.calls.contains("retry") == true }
    // Its driver lets go only after that has been told.
    await bench.timer.expire(.milliseconds(50))
    await eventually { bench.camera(a)?.calls.filter { $0 == "retry" }.count == 2 }
    // Free now, it is nobody's business who opens it.
    bench.camera(a)?.become(.streaming)
    await bench.hear(.changed(a), times: 2)
    await bench.timer.expire(.milliseconds(150))
    let before = bench.camera(a)?.calls
    #expect(before?.filter { $0 == "retry" }.count == 2)
    TestNode.openAndClose(path)
    bench.finder.tell(.present(bench.webcam("2", serial: "B2", node: 2)))
    await bench.hear(.online(b))
    #expect(bench.camera(a)?.calls == before)
  }

  /// A webcam whose node can be watched.
  private func watched(_ answer: Result<NodeFacts, NodeProbeError> = .success(RegistryBench.facts())) throws
    -> FoundNode
  {
    let path = bench.directory.path + "/video0"
    try TestNode.touch(path)
    var node = bench.webcam("1", serial: "A1", node: 0)
    node.node = path
    bench.probe.put(path, answer)
    return node
  }

  @Test("a busy camera that is let go before anybody watches its node is noticed all the same")
  func letGoUnseen() async throws {
    try await bench.start([try watched()])
    let camera = try #require(bench.camera(a))
    camera.changeUnseen(.idle)
    camera.become(.busy)
    await eventually { await bench.state(a) == .idle }
    #expect(!camera.calls.contains("retry"))
  }

  @Test("one whose driver lets go a while after the other program has is noticed, and is not asked for ever")
  func letGoSlowly() async throws {
    try await bench.start([try watched()])
    let camera = try #require(bench.camera(a))
    camera.become(.busy)
    for wait in [50, 150, 500, 2000] { await bench.timer.expire(.milliseconds(wait)) }
    await eventually { bench.timer.isWaiting(.seconds(5)) }
    #expect(camera.calls.filter { $0 == "look" }.count == 5)
    camera.changeUnseen(.idle)
    await bench.timer.expire(.seconds(5))
    await eventually { await bench.state(a) == .idle }
    #expect(camera.calls.filter { $0 == "look" }.count == 6)
  }

  @Test(
    "a node that cannot even be opened while another program has it is asked again when that is over",
    arguments: [true, false])
  func busyNode(isSeen: Bool) async throws {
    var node = try watched(.failure(.busy("it is held")))
    // Of what is not on USB nothing is known before it was asked.
    node.properties = [:]
    try await bench.registry.start()
    bench.finder.tell(.all([node, bench.webcam("2", serial: "B2", node: 2)]))
    await bench.hear(.online(b))
    #expect(await bench.registry.onlineIDs == [b])
    bench.probe.put(node.node, .success(RegistryBench.facts()))
    // Let go before it was watched, it is looked at again by itself.
    if isSeen { TestNode.openAndClose(node.node) } else { await bench.timer.expire(.milliseconds(50)) }
    await eventually { await bench.registry.onlineIDs.count == 2 }
  }

  // MARK: - Loose contacts

  @Test("a camera that comes and goes must stay a while before it is used, and its going counts at once")
  func flapping() async throws {
    let node = bench.webcam("1", serial: "A1", node: 0)
    try await bench.start([node])
    for count in 1...3 {
      bench.finder.tell(.removed(sysPath: node.sysPath))
      await bench.hear(.offline(a), times: count)
      bench.finder.tell(.present(node))
      await bench.hear(.online(a), times: count + 1)
    }
    let attached = bench.camera(a)?.calls.filter { $0.hasPrefix("attach") }.count
    #expect(attached == 2)
    #expect(await bench.state(a) == .offline)
    #expect(await bench.registry.description(a)?.message.contains("comes and goes") == true)
    await bench.timer.expire(.seconds(1))
    await eventually { await bench.state(a) == .idle }
    #expect(bench.camera(a)?.node == "/dev/video0")
  }

  @Test("after any number of comings and goings the state is that of the last one")
  func storm() async throws {
    let node = bench.webcam("1", serial: "A1", node: 0)
    try await bench.start([node])
    for _ in 0..<200 {
      bench.finder.tell(.removed(sysPath: node.sysPath))
      bench.clock.advance(by: .milliseconds(70))
      bench.finder.tell(.present(node))
      bench.clock.advance(by: .milliseconds(130))
      try? await Task.sleep(for: .milliseconds(1))
    }
    bench.finder.tell(.present(bench.webcam("2", serial: "B2", node: 2)))
    await bench.hear(.online(b))
    await eventually {
      bench.timer.expireAll()
      return await bench.state(a) == .idle
    }
    #expect(bench.camera(a)?.node == "/dev/video0")
    #expect(bench.camera(b)?.calls.filter { $0.hasPrefix("attach") }.count == 1)
  }

  // MARK: - Test patterns

  @Test("a built-in camera is online from the start, keeps its name, and is not shown without its device")
  func builtIn() async throws {
    let id = CameraID("test-1")
    try await bench.start()
    await bench.registry.addBuiltIn(id: id, name: "Test pattern 1", device: FakeDevice(node: "test-pattern-1"))
    bench.finder.tell(.all([bench.webcam("1", serial: "A1", node: 0)]))
    await bench.hear(.online(a))
    #expect(await bench.registry.onlineIDs == [id, a])
    try await bench.registry.rename(id, "Bars")
    await #expect(throws: CameraRegistryError.builtIn(name: "Bars")) { try await bench.registry.forget(id) }
    let second = RegistryBench(settings: bench.settingsPath)
    #expect(await second.registry.cameras.map(\.id) == [a])
    await second.registry.addBuiltIn(id: id, name: "Test pattern 1", device: FakeDevice(node: "test-pattern-1"))
    #expect(await second.registry.description(id)?.name == "Bars")
  }

  @Test("stopping ends every camera and keeps when it was last seen")
  func stopped() async throws {
    try await bench.start([bench.webcam("1", serial: "A1", node: 0)])
    bench.clock.advance(by: .seconds(60))
    await bench.registry.stop()
    #expect(bench.camera(a)?.calls.last == "shutdown")
    #expect(bench.kept.cameras[a]?.lastSeen == bench.clock.anchor.wall)
  }
}
