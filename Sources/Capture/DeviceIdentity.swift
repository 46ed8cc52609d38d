import CamrigModel
import Settings

/// Which of the devices (cameras, or microphones) that are plugged in is which of those that are remembered: the rules by
/// which an ID never changes. Knows no order of events: the same devices and the same memory give the same answer.
///
/// - A real serial is looked for in any socket. A socket counts where there is none.
/// - Where two cameras have the same serial, each belongs to its socket from then on. Whoever is not where a
///   remembered one was is a new one; that a remembered one has moved cannot be told from a third twin.
package enum DeviceIdentity<Record: RememberedDevice> {
  package typealias ID = Record.ID

  package struct Resolution: Hashable, Sendable {
    /// By `PresentCamera.sysPath`.
    package var ids: [String: ID]
    package var memory: [ID: Record]
  }

  /// - Parameters:
  ///   - memory: all cameras ever seen.
  ///   - promised: names that cameras are being given at this moment.
  ///   - now: becomes `firstSeen` of the new ones.
  package static func resolve<Present: PresentDevice>(
    present: [Present], memory: [ID: Record], promised: [String] = [], now: WallTime
  ) -> Resolution {
    var resolution = Resolution(ids: [:], memory: memory)
    let present = present.sorted(by: order)
    let ambiguous = ambiguousSerials(present, memory)
    for (id, record) in memory where record.recognition == .serial {
      if let serial = serial(record.fingerprint), ambiguous.contains(serial) {
        resolution.memory[id]?.recognition = .serialAndPlace
      }
    }
    var taken: Set<ID> = []
    var strangers: [Present] = []
    for camera in present {
      let known = resolution.memory.filter { !taken.contains($0.key) && matches(camera, $0.value) }.keys.min()
      guard let known else {
        strangers.append(camera)
        continue
      }
      taken.insert(known)
      resolution.ids[camera.sysPath] = known
      if !camera.fingerprint.card.isEmpty { resolution.memory[known]?.fingerprint.card = camera.fingerprint.card }
    }
    for camera in strangers {
      let serial = serial(camera.fingerprint)
      let recognition: CameraSettings.Recognition =
        if let serial { ambiguous.contains(serial) ? .serialAndPlace : .serial } else { .place }
      let id = freeID(for: camera, recognition, resolution.memory)
      var record = Record(
        name: CameraNames.free(camera.fingerprint.card, among: resolution.memory.values.map(\.name) + promised),
        recognition: recognition, fingerprint: camera.fingerprint, place: camera.place)
      record.port = camera.port
      record.firstSeen = now
      resolution.memory[id] = record
      resolution.ids[camera.sysPath] = id
    }
    return resolution
  }

  /// The cameras that look just like each one: same model, same serial, same function.
  package static func sharing(_ memory: [ID: Record]) -> [ID: [ID]] {
    var groups: [Serial: [ID]] = [:]
    for (id, record) in memory where record.recognition == .serialAndPlace {
      if let serial = serial(record.fingerprint) { groups[serial, default: []].append(id) }
    }
    var sharing: [ID: [ID]] = [:]
    for group in groups.values where group.count > 1 {
      for id in group { sharing[id] = group.filter { $0 != id }.sorted() }
    }
    return sharing
  }

  /// The memory without `id`. A twin that remains alone is known by its serial again.
  package static func forgetting(_ id: ID, _ memory: [ID: Record]) -> [ID: Record] {
    var memory = memory
    guard let gone = memory.removeValue(forKey: id), let serial = serial(gone.fingerprint) else { return memory }
    let rest = memory.filter { $0.value.recognition == .serialAndPlace && Self.serial($0.value.fingerprint) == serial }
    if rest.count == 1, let last = rest.keys.first { memory[last]?.recognition = .serial }
    return memory
  }

  /// The memory in which the device of `new` is the camera `old`, with its ID, name and settings.
  package static func replacing(
    _ old: ID, with new: ID, _ memory: [ID: Record]
  ) -> [ID: Record] {
    guard let device = memory[new], memory[old] != nil else { return memory }
    // First the old device is forgotten, then the new one takes its place.
    var changed = forgetting(old, memory)
    var record = memory[old] ?? device
    record.recognition = changed[new]?.recognition ?? device.recognition
    record.fingerprint = device.fingerprint
    record.place = device.place
    record.port = device.port
    record.lastSeen = device.lastSeen
    record.aliases = (record.aliases + [new] + device.aliases).filter { $0 != old }
    changed[new] = nil
    changed[old] = record
    return changed
  }

  // MARK: - Rules

  /// Model, serial and function.
  private struct Serial: Hashable {
    let vendor: String
    let product: String
    let serial: String
    let interface: String
  }

  private static func serial(_ fingerprint: CameraFingerprint) -> Serial? {
    guard isReal(serial: fingerprint.serial) else { return nil }
    return Serial(
      vendor: fingerprint.vendor, product: fingerprint.product, serial: fingerprint.serial,
      interface: fingerprint.interface)
  }

  /// Not what makers write where they give none. A serial that all units of a model share looks real until two of
  /// them meet.
  package static func isReal(serial: String) -> Bool {
    let text = serial.lowercased().filter { $0.isLetter || $0.isNumber }
    guard let first = text.first, text.count > 1, text.contains(where: { $0 != first }) else { return false }
    return !["none", "na", "unknown", "serial", "serialnumber", "notspecified", "default", "string", "null"].contains(
      text)
      && !"0123456789abcdef".hasPrefix(text) && !"123456789".hasPrefix(text)
  }

  private static func ambiguousSerials(
    _ present: [some PresentDevice], _ memory: [ID: Record]
  ) -> Set<Serial> {
    var seen: Set<Serial> = []
    var ambiguous: Set<Serial> = []
    for camera in present {
      guard let serial = serial(camera.fingerprint) else { continue }
      if !seen.insert(serial).inserted { ambiguous.insert(serial) }
    }
    for record in memory.values where record.recognition == .serialAndPlace {
      if let serial = serial(record.fingerprint) { ambiguous.insert(serial) }
    }
    return ambiguous
  }

  private static func matches(_ camera: some PresentDevice, _ record: Record) -> Bool {
    let (own, remembered) = (camera.fingerprint, record.fingerprint)
    return switch record.recognition {
    case .serial: serial(own) != nil && serial(own) == serial(remembered)
    case .serialAndPlace:
      serial(own) != nil && serial(own) == serial(remembered) && camera.place == record.place
    // Another model in the same socket is another camera.
    case .place:
      serial(own) == nil && camera.place == record.place && own.vendor == remembered.vendor
        && own.product == remembered.product
    case .builtIn: false
    }
  }

  private static func freeID(
    for camera: some PresentDevice, _ recognition: CameraSettings.Recognition, _ memory: [ID: Record]
  ) -> ID {
    let aliases = Set(memory.values.flatMap(\.aliases))
    func isFree(_ text: String) -> Bool {
      memory[ID(text)] == nil && !aliases.contains(ID(text))
    }
    let fingerprint = camera.fingerprint
    let function = fingerprint.interface.isEmpty ? "" : "-\(CameraIDText.safe(fingerprint.interface))"
    let model = "\(CameraIDText.safe(fingerprint.vendor))-\(CameraIDText.safe(fingerprint.product))"
    let first =
      switch recognition {
      case .serial: "usb-\(model)-\(CameraIDText.safe(fingerprint.serial))\(function)"
      case .serialAndPlace, .place, .builtIn:
        switch camera.place.kind {
        case .usbPort: "port-\(CameraIDText.safe(camera.place.path))\(function)"
        case .deviceTree: "csi-\(CameraIDText.safePath(camera.place.path))"
        case .bus: CameraIDText.safe(camera.place.path)
        }
      }
    if isFree(first) { return ID(first) }
    // Another model was in this socket before.
    let second = "\(first)-\(model)"
    if recognition != .serial, !fingerprint.vendor.isEmpty, isFree(second) { return ID(second) }
    var number = 2
    while !isFree("\(first)-\(number)") { number += 1 }
    return ID("\(first)-\(number)")
  }

  /// By place: the order in which strangers get their IDs and names.
  package static func order<Present: PresentDevice>(_ a: Present, _ b: Present) -> Bool {
    (a.place.path, a.place.interface, a.sysPath) < (b.place.path, b.place.interface, b.sysPath)
  }
}
