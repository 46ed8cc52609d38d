import CamrigModel
import Capture
import Settings
import TestSupport
import Testing

@Suite("The identity of cameras")
struct CameraIdentityTests {
  private let now = TestClock().anchor.wall

  private func usb(
    _ port: String, serial: String = "", product: String = "0825", interface: String = "00", node: Int = 0
  ) -> PresentCamera {
    let path = "pci-0000:00:14.0-usb-0:\(port):1.\(Int(interface) ?? 0)"
    return PresentCamera(
      sysPath: "/sys/devices/usb1/1-\(port)/1-\(port):1.\(Int(interface) ?? 0)/video4linux/video\(node)",
      node: "/dev/video\(node)",
      fingerprint: CameraFingerprint(
        vendor: "046d", product: product, serial: serial, interface: interface, card: "Webcam"),
      place: CameraPlace(.usbPort, path, interface: interface), port: path)
  }

  private func resolve(
    _ present: [PresentCamera], _ memory: [CameraID: CameraSettings] = [:]
  ) -> CameraIdentity.Resolution {
    CameraIdentity.resolve(present: present, memory: memory, now: now)
  }

  /// The cameras come one after the other.
  private func arrive(
    _ order: [PresentCamera], _ memory: [CameraID: CameraSettings]
  ) -> CameraIdentity.Resolution {
    var resolution = resolve([], memory)
    for count in order.indices { resolution = resolve(Array(order[...count]), resolution.memory) }
    return resolution
  }

  private func ids(_ resolution: CameraIdentity.Resolution) -> [String] {
    resolution.ids.values.map(\.rawValue).sorted()
  }

  @Test("the ID is made of what does not change")
  func forms() {
    #expect(ids(resolve([usb("1.2", serial: "A1B2")])) == ["usb-046d-0825-A1B2-00"])
    #expect(ids(resolve([usb("1.2")])) == ["port-pci-0000:00:14.0-usb-0:1.2:1.0-00"])
    let csi = PresentCamera(
      sysPath: "/sys/a/video4linux/video0", node: "/dev/video0", fingerprint: CameraFingerprint(card: "rp1-cfe"),
      place: CameraPlace(.deviceTree, "/axi/pcie@1000120000/rp1/csi@110000"), port: "platform-1f00110000.csi")
    #expect(ids(resolve([csi])) == ["csi-axi-pcie_1000120000-rp1-csi_110000"])
    let vivid = PresentCamera(
      sysPath: "/sys/b/video4linux/video1", node: "/dev/video1", fingerprint: CameraFingerprint(card: "vivid"),
      place: CameraPlace(.bus, "vivid-platform:vivid-000-0"), port: "platform-vivid.0")
    #expect(ids(resolve([vivid])) == ["vivid-platform:vivid-000-0"])
  }

  @Test("the number of its node plays no part")
  func nodeNumbers() {
    let first = resolve([usb("1", serial: "A1", node: 0), usb("2", serial: "B2", node: 2)])
    let second = resolve([usb("2", serial: "B2", node: 0), usb("1", serial: "A1", node: 2)], first.memory)
    #expect(second.memory == first.memory)
    #expect(second.ids[usb("1", serial: "A1", node: 2).sysPath] == CameraID("usb-046d-0825-A1-00"))
  }

  @Test("a camera with a serial is the same in every socket, one without is not")
  func moved() {
    let known = resolve([usb("1", serial: "A1"), usb("2")]).memory
    #expect(ids(resolve([usb("3", serial: "A1")], known)) == ["usb-046d-0825-A1-00"])
    let moved = resolve([usb("3")], known)
    #expect(ids(moved) == ["port-pci-0000:00:14.0-usb-0:3:1.0-00"])
    #expect(moved.memory.count == 3)
  }

  @Test("no other camera is taken for one that is away")
  func noSubstitute() {
    let known = resolve([usb("1", serial: "A1"), usb("2")]).memory
    let strangers = resolve([usb("1", serial: "B7"), usb("2", product: "0900")], known)
    #expect(Set(strangers.ids.values).isDisjoint(with: known.keys))
    #expect(
      ids(strangers) == ["port-pci-0000:00:14.0-usb-0:2:1.0-00-046d-0900", "usb-046d-0825-B7-00"])
  }

  @Test(
    "a serial that says nothing is none",
    arguments: [
      "", "0", "00000000", "0000:0000", "FFFFFFFF", "none", "Unknown", "N/A", "0123456789ABCDEF", "123456",
    ])
  func emptySerials(serial: String) {
    #expect(!CameraIdentity.isReal(serial: serial))
    #expect(ids(resolve([usb("1", serial: serial)])) == ["port-pci-0000:00:14.0-usb-0:1:1.0-00"])
  }

  @Test("two capture functions of one device are two cameras, and no twins")
  func functions() {
    let both = resolve([usb("1", serial: "A1", interface: "00"), usb("1", serial: "A1", interface: "02")])
    #expect(ids(both) == ["usb-046d-0825-A1-00", "usb-046d-0825-A1-02"])
    #expect(CameraIdentity.sharing(both.memory).isEmpty)
  }

  @Test("two models with one serial are no twins")
  func models() {
    let both = resolve([usb("1", serial: "200901010001"), usb("2", serial: "200901010001", product: "0900")])
    #expect(ids(both) == ["usb-046d-0825-200901010001-00", "usb-046d-0900-200901010001-00"])
  }

  // MARK: - Twins

  private let twin = "200901010001"
  private let known = CameraID("usb-046d-0825-200901010001-00")
  private func port(_ port: String) -> CameraID { CameraID("port-pci-0000:00:14.0-usb-0:\(port):1.0-00") }

  @Test("a twin of a known camera is a camera of its own; the known one keeps its ID and belongs to its socket now")
  func newTwin() {
    let first = resolve([usb("1", serial: twin)])
    #expect(Array(first.ids.values) == [known])
    let second = resolve([usb("1", serial: twin), usb("2", serial: twin)], first.memory)
    #expect(second.ids[usb("1", serial: twin).sysPath] == known)
    #expect(second.ids[usb("2", serial: twin).sysPath] == port("2"))
    #expect(CameraIdentity.sharing(second.memory) == [known: [port("2")], port("2"): [known]])
    // Alone again, it still belongs to its socket.
    let third = resolve([usb("2", serial: twin)], second.memory)
    #expect(Array(third.ids.values) == [port("2")])
  }

  @Test("twins that nobody knew are both known by their sockets")
  func bothNew() {
    let both = resolve([usb("2", serial: twin), usb("1", serial: twin)])
    #expect(ids(both) == [port("1").rawValue, port("2").rawValue])
    #expect(CameraIdentity.sharing(both.memory).count == 2)
    #expect(both.memory[port("1")]?.name == "Webcam")
    #expect(both.memory[port("2")]?.name == "Webcam 2")
  }

  @Test("twins that swap sockets swap")
  func swap() {
    let memory = arrive([usb("1", serial: twin), usb("2", serial: twin)], [:]).memory
    let swapped = resolve([usb("2", serial: twin, node: 0), usb("1", serial: twin, node: 2)], memory)
    #expect(swapped.ids[usb("1", serial: twin, node: 2).sysPath] == known)
    #expect(swapped.memory == memory)
  }

  @Test("a third twin in a third socket is new, whoever is away")
  func third() {
    let memory = arrive([usb("1", serial: twin), usb("2", serial: twin)], [:]).memory
    #expect(Array(resolve([usb("3", serial: twin)], memory).ids.values) == [port("3")])
  }

  @Test("the known camera is the one in its socket, even if its twin comes first")
  func twinFirst() {
    let memory = resolve([usb("1", serial: twin)]).memory
    let alone = resolve([usb("2", serial: twin)], memory)
    #expect(Array(alone.ids.values) == [known])
    let both = resolve([usb("2", serial: twin), usb("1", serial: twin)], alone.memory)
    #expect(both.ids[usb("1", serial: twin).sysPath] == known)
    #expect(both.ids[usb("2", serial: twin).sysPath] == port("2"))
  }

  @Test("the twin that remains alone in memory is known by its serial again")
  func forgottenTwin() {
    let memory = arrive([usb("1", serial: twin), usb("2", serial: twin)], [:]).memory
    let alone = CameraIdentity.forgetting(port("2"), memory)
    #expect(CameraIdentity.sharing(alone).isEmpty)
    #expect(Array(resolve([usb("3", serial: twin)], alone).ids.values) == [known])
  }

  // MARK: - Any order

  @Test("known cameras get the same IDs in every order of plugging, of removal, and all at once")
  func everyOrder() {
    let cameras = [
      usb("1", serial: twin), usb("2", serial: twin), usb("3", serial: "A1"), usb("4"),
      usb("5", serial: "A1", interface: "02"),
    ]
    let known = arrive(cameras, [:])
    #expect(known.memory.count == 5)
    for order in permutations(cameras) {
      let renumbered = order.enumerated().map { number, camera in
        var camera = camera
        camera.node = "/dev/video\(number)"
        return camera
      }
      let plugged = arrive(renumbered, known.memory)
      #expect(plugged.ids == known.ids)
      #expect(resolve(renumbered, known.memory) == plugged)
      for count in order.indices {
        let rest = resolve(Array(order[count...]), plugged.memory)
        #expect(rest.ids == known.ids.filter { entry in order[count...].contains { $0.sysPath == entry.key } })
        #expect(rest.memory == known.memory)
      }
    }
  }

  @Test("cameras that nobody knew get the same IDs however they are listed")
  func newInEveryOrder() {
    let cameras = [
      usb("1", serial: twin), usb("2", serial: twin), usb("3", serial: "A1"), usb("4"), usb("6", serial: "00"),
    ]
    let first = resolve(cameras)
    for order in permutations(cameras) { #expect(resolve(order) == first) }
  }

  @Test("a twin that comes to a known camera changes nothing for it, whichever is found first")
  func twinOfKnownInEveryOrder() {
    let memory = arrive([usb("1", serial: twin), usb("3", serial: "A1")], [:]).memory
    for order in permutations([usb("1", serial: twin), usb("2", serial: twin), usb("3", serial: "A1")]) {
      let plugged = arrive(order, memory)
      #expect(plugged.ids[usb("1", serial: twin).sysPath] == known)
      #expect(plugged.ids[usb("2", serial: twin).sysPath] == port("2"))
    }
  }

  // MARK: - Replacing

  @Test("a new device takes the place of a broken one, with its ID and all that users chose")
  func replaced() {
    var memory = resolve([usb("1", serial: "A1"), usb("2", serial: "B2")]).memory
    let old = CameraID("usb-046d-0825-A1-00")
    let new = CameraID("usb-046d-0825-B2-00")
    memory[old]?.name = "Front"
    let changed = CameraIdentity.replacing(old, with: new, memory)
    #expect(Set(changed.keys) == [old])
    #expect(changed[old]?.name == "Front")
    #expect(changed[old]?.aliases == [new])
    #expect(Array(resolve([usb("4", serial: "B2")], changed).ids.values) == [old])
    // The broken one comes back repaired: another camera, known by its serial.
    let back = resolve([usb("1", serial: "A1"), usb("4", serial: "B2")], changed)
    #expect(ids(back) == ["usb-046d-0825-A1-00", "usb-046d-0825-A1-00-2"])
    #expect(Array(resolve([usb("9", serial: "A1")], back.memory).ids.values) == [CameraID("usb-046d-0825-A1-00-2")])
  }

  @Test("a device without a serial can be replaced by one in another socket")
  func replacedByPort() {
    let memory = resolve([usb("1"), usb("2")]).memory
    let changed = CameraIdentity.replacing(port("1"), with: port("2"), memory)
    #expect(Array(resolve([usb("2")], changed).ids.values) == [port("1")])
  }

  // MARK: - Bytes from hardware

  @Test(
    "an ID is made of safe characters only, and different serials stay different",
    arguments: [
      "Caméra® №1", "a/../../b", "x y\n", String(repeating: "A", count: 300), "-rf", "\u{FFFD}\u{FFFD}1",
    ])
  func safe(serial: String) {
    let one = resolve([usb("1", serial: serial)])
    let id = one.ids.values.first?.rawValue ?? ""
    #expect(id.utf8.count <= 120)
    #expect(
      id.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || "._:-".utf8.contains(byte)
      })
    let two = resolve([usb("2", serial: serial + "?")], one.memory)
    #expect(two.memory.count == 2)
    #expect(!two.memory.keys.contains { $0.rawValue.hasSuffix("-2") })
  }
}

private func permutations<T>(_ items: [T]) -> [[T]] {
  guard let first = items.first else { return [[]] }
  return permutations(Array(items.dropFirst())).flatMap { rest in
    (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
  }
}
