import CamrigModel

/// EXIF (CIPA DC-008, version 2.32) for a photo: what `PhotoFacts` knows, and what every reader expects beside it.
package enum ExifBlock {
  /// What begins the APP1 segments that hold EXIF.
  static let signature: [UInt8] = Array("Exif".utf8) + [0, 0]

  /// A whole APP1 segment, marker and length included. Far below the 64 KiB that one holds: texts are cut to 255 bytes.
  package static func segment(_ facts: PhotoFacts) -> [UInt8] {
    let tiff = tiff(facts)
    let length = 2 + signature.count + tiff.count
    return [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 255)] + signature + tiff
  }

  private static func tiff(_ facts: PhotoFacts) -> [UInt8] {
    let details = details(facts)
    var main = TIFFDirectory()
    main.text(0x010e, cut(facts.camera))  // ImageDescription
    main.text(0x0110, facts.model.map(cut))  // Model
    main.short(0x0112, 1)  // Orientation: top left
    main.rational(0x011a, 72, 1)  // XResolution and YResolution: none is known, and 72 says so
    main.rational(0x011b, 72, 1)
    main.short(0x0128, 2)  // ResolutionUnit: inch
    main.text(0x0131, facts.software.map(cut))  // Software
    if let taken = facts.taken { main.text(0x0132, taken.exif(offsetSeconds: facts.offsetSeconds)) }  // DateTime
    main.text(0x013c, facts.rig.map(cut))  // HostComputer
    main.short(0x0213, 1)  // YCbCrPositioning: centred
    let header = 8
    // The pointer to the details (0x8769) is itself an entry of the main directory.
    let detailsAt = header + main.byteCount + 12
    main.long(0x8769, detailsAt)
    return Array("II".utf8) + [42, 0, 8, 0, 0, 0] + main.bytes(at: header) + details.bytes(at: detailsAt)
  }

  private static func details(_ facts: PhotoFacts) -> TIFFDirectory {
    var details = TIFFDirectory()
    if let time = facts.exposure.time, time > .zero {
      // V4L2 counts in 100 µs.
      details.rational(0x829a, UInt32(clamping: max(1, time.inNanoseconds / 100_000)), 10_000)  // ExposureTime
    }
    details.undefined(0x9000, Array("0232".utf8))  // ExifVersion
    if let taken = facts.taken {
      let (text, offset) = (taken.exif(offsetSeconds: facts.offsetSeconds), offset(facts.offsetSeconds))
      for tag: UInt16 in [0x9003, 0x9004] { details.text(tag, text) }  // DateTimeOriginal, DateTimeDigitized
      for tag: UInt16 in [0x9010, 0x9011, 0x9012] { details.text(tag, offset) }  // their offsets from UTC
      for tag: UInt16 in [0x9290, 0x9291, 0x9292] { details.text(tag, taken.secondFraction) }  // their SubSecTime
    }
    details.undefined(0x9101, [1, 2, 3, 0])  // ComponentsConfiguration: Y, Cb, Cr
    details.short(0x9209, facts.flash?.rawValue)  // Flash
    details.undefined(0xa000, Array("0100".utf8))  // FlashpixVersion
    details.short(0xa001, 1)  // ColorSpace: sRGB, as UVC has it
    details.long(0xa002, facts.size.width)
    details.long(0xa003, facts.size.height)
    details.short(0xa402, facts.exposure.isAutomatic.map { $0 ? 0 : 1 })  // ExposureMode
    details.short(0xa403, facts.exposure.whiteBalanceIsAutomatic.map { $0 ? 0 : 1 })  // WhiteBalance
    return details
  }

  /// `+01:00`
  private static func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return (seconds < 0 ? "-" : "+") + "\(two(minutes / 60)):\(two(minutes % 60))"
  }

  /// At the end of a character.
  private static func cut(_ text: String) -> String {
    var text = text
    while text.utf8.count > 255 { text.removeLast() }
    return text
  }
}
