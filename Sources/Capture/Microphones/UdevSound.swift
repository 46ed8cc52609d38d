import CUdev
import CamrigModel

/// ALSA's capture devices as udev tells of them. What identifies them stands at their card, which udev's rules are done
/// with last; until then nothing is said of them.
struct UdevSound {
  private let udev: OpaquePointer
  private let hasDaemon: Bool

  init(_ udev: OpaquePointer, hasDaemon: Bool) {
    self.udev = udev
    self.hasDaemon = hasDaemon
  }

  /// - Parameter device: anything of the subsystem `sound`: news of a card are news of its capture devices.
  func microphones(_ device: OpaquePointer) -> [FoundNode] {
    guard let name = UdevText.of(udev_device_get_sysname(device)) else { return [] }
    if name.hasPrefix("pcm") {
      guard let card = udev_device_get_parent_with_subsystem_devtype(device, "sound", nil) else { return [] }
      return microphone(device, of: card).map { [$0] } ?? []
    }
    if name.hasPrefix("card") { return children(of: device) }
    return []
  }

  private func children(of card: OpaquePointer) -> [FoundNode] {
    guard let list = udev_enumerate_new(udev) else { return [] }
    defer { udev_enumerate_unref(list) }
    udev_enumerate_add_match_parent(list, card)
    udev_enumerate_add_match_sysname(list, "pcmC*c")
    guard udev_enumerate_scan_devices(list) >= 0 else { return [] }
    var nodes: [FoundNode] = []
    var entry = udev_enumerate_get_list_entry(list)
    while let current = entry {
      entry = udev_list_entry_get_next(current)
      guard let device = udev_device_new_from_syspath(udev, udev_list_entry_get_name(current)) else { continue }
      defer { udev_device_unref(device) }
      if let node = microphone(device, of: card) { nodes.append(node) }
    }
    return nodes
  }

  /// `pcmC1D0c`: card 1, device 0, capture.
  private func microphone(_ device: OpaquePointer, of card: OpaquePointer) -> FoundNode? {
    guard let sysPath = UdevText.of(udev_device_get_syspath(device)),
      let name = UdevText.of(udev_device_get_sysname(device)),
      let node = UdevText.of(udev_device_get_devnode(device)), let numbers = PCMNumbers(name), isReady(device, card)
    else { return nil }
    var properties = UdevText.properties(card)
    properties[FoundNode.cardID] = UdevText.of(udev_device_get_sysattr_value(card, "id"))
    // Parents belong to the device: no reference is to be given back.
    let usb = udev_device_get_parent_with_subsystem_devtype(card, "usb", "usb_device")
    let product = usb.flatMap { UdevText.of(udev_device_get_sysattr_value($0, "product")) }
    let tree = udev_device_get_parent(card).flatMap { UdevText.of(udev_device_get_property_value($0, "OF_FULLNAME")) }
    return FoundNode(
      sysPath: sysPath, node: node, properties: properties, index: numbers.device, deviceTreePath: tree,
      usbDevice: usb.flatMap { UdevText.of(udev_device_get_syspath($0)) },
      label: product ?? properties["ID_MODEL"] ?? properties[FoundNode.cardID] ?? "Microphone")
  }

  private func isReady(_ device: OpaquePointer, _ card: OpaquePointer) -> Bool {
    guard hasDaemon else { return true }
    return udev_device_get_is_initialized(device) > 0
      && UdevText.of(udev_device_get_property_value(card, "SOUND_INITIALIZED")) == "1"
  }
}

/// What ALSA's names of nodes say. The numbers hold as long as the card stays plugged in, and no longer.
struct PCMNumbers: Hashable {
  let card: Int
  let device: Int

  /// `pcmC1D0c`, alone or at the end of a path; nil for what does not capture.
  init?(_ name: String) {
    guard let last = name.split(separator: "/").last, last.hasPrefix("pcmC"), last.hasSuffix("c") else { return nil }
    let parts = last.dropFirst(4).dropLast().split(separator: "D", omittingEmptySubsequences: false)
    guard parts.count == 2, let card = Int(parts[0]), let device = Int(parts[1]) else { return nil }
    self.card = card
    self.device = device
  }
}

extension FoundNode {
  /// ALSA's name for the card (`C920`), beside udev's properties.
  static let cardID = "CARD_ID"
}
