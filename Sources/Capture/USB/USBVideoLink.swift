import CamrigModel

/// What a USB camera's descriptors say of its way through the bus: the alternate settings of its stream, each with the
/// bytes that it reserves.
package struct USBVideoLink: Hashable, Sendable {
  /// The interface that streams.
  package var interface: Int
  /// Bytes per interval of the alternate settings 1, 2 …, as far as they are isochronous.
  package var settings: [Int: Int]
  /// It streams by bulk transfers, which reserve nothing.
  package var isBulk: Bool

  package init(interface: Int, settings: [Int: Int], isBulk: Bool = false) {
    self.interface = interface
    self.settings = settings
    self.isBulk = isBulk
  }

  /// - Parameters:
  ///   - bytes: the file `descriptors` of the device in sysfs: device and configuration descriptors, one after another.
  ///   - control: number of the camera's control interface, which names its streaming ones.
  /// Nil: the camera is not in there.
  package init?(descriptors bytes: [UInt8], control: Int) {
    var streaming: [Int] = []
    var settings: [Int: [Int: Int]] = [:]
    var bulk: Set<Int> = []
    var interface = (number: -1, setting: 0)
    // Interval bytes of a SuperSpeed endpoint come in a companion descriptor after it.
    var isIsochronous = false
    var at = 0
    while at + 2 <= bytes.count {
      let length = Int(bytes[at])
      guard length >= 2, at + length <= bytes.count else { break }
      let one = Array(bytes[at..<at + length])
      at += length
      switch one[1] {
      case 0x04 where length >= 9:  // interface
        interface = (Int(one[2]), Int(one[3]))
        isIsochronous = false
      case 0x24 where length >= 12 && one[2] == 0x01 && interface == (control, 0) && streaming.isEmpty:  // VC_HEADER
        streaming = one[12..<min(length, 12 + Int(one[11]))].map { Int($0) }
      case 0x05 where length >= 7:  // endpoint
        isIsochronous = one[3] & 3 == 1
        let word = Int(one[4]) | Int(one[5]) << 8
        if isIsochronous {
          // High speed: up to three transactions in an interval.
          settings[interface.number, default: [:]][interface.setting] = (word & 0x7ff) * ((word >> 11 & 3) + 1)
        } else if one[3] & 3 == 2 {
          bulk.insert(interface.number)
        }
      case 0x30 where length >= 6 && isIsochronous:  // SuperSpeed endpoint companion
        let perInterval = Int(one[4]) | Int(one[5]) << 8
        if perInterval > 0 { settings[interface.number, default: [:]][interface.setting] = perInterval }
      default: break
      }
    }
    guard let number = streaming.first(where: { settings[$0] != nil || bulk.contains($0) }) else { return nil }
    self.init(
      interface: number, settings: settings[number] ?? [:], isBulk: settings[number] == nil && bulk.contains(number))
  }

  /// What a stream of so many bytes a second reserves: the smallest setting with room for it, as the driver chooses; the
  /// largest where none has.
  package func claim(bytesPerSecond: Double, intervalsPerSecond: Int) -> Int {
    guard !isBulk else { return 0 }
    // 12 bytes of each payload are its header.
    let needed = Int((bytesPerSecond / Double(intervalsPerSecond)).rounded(.up)) + 12
    return settings.values.filter { $0 >= needed }.min() ?? settings.values.max() ?? 0
  }
}
