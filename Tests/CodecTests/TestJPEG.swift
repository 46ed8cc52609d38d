import CTurboJPEG
import CamrigModel
import Codec

/// Pictures made by libturbojpeg, and the vectors that real cameras' faults are made of.
enum TestJPEG {
  static let size = PixelSize(width: 640, height: 480)

  static func make(
    _ size: PixelSize = size, sampling: TJSAMP = TJSAMP_420, quality: Int32 = 85, flags: Int32 = 0
  ) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: size.area * 3)
    var numbers = SeededNumbers(7)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let at = (y * size.width + x) * 3
        pixels[at] = UInt8(truncatingIfNeeded: x * 255 / size.width)
        pixels[at + 1] = UInt8(truncatingIfNeeded: (x / 16 ^ y / 16) * 8)
        pixels[at + 2] = UInt8(truncatingIfNeeded: numbers.next() & 31)
      }
    }
    let handle = tjInitCompress()
    defer { tjDestroy(handle) }
    var memory: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let result = tjCompress2(
      handle, pixels, Int32(size.width), 0, Int32(size.height), Int32(TJPF_RGB.rawValue), &memory, &count,
      Int32(sampling.rawValue), quality, flags)
    precondition(result == 0, "libturbojpeg makes a picture")
    defer { tjFree(memory) }
    return Array(UnsafeBufferPointer(start: memory, count: Int(count)))
  }

  static func check(_ bytes: [UInt8], expecting: PixelSize? = size) -> JPEGVerdict {
    bytes.withUnsafeBytes { JPEGCheck.check($0, expecting: expecting) }
  }

  /// Marker and range (from its FF) of each header segment up to and with SOS.
  static func segments(_ jpeg: [UInt8]) -> [(marker: UInt8, range: Range<Int>)] {
    var found: [(marker: UInt8, range: Range<Int>)] = []
    var at = 2
    while found.last?.marker != 0xda {
      let length = Int(jpeg[at + 2]) << 8 | Int(jpeg[at + 3])
      found.append((jpeg[at + 1], at..<(at + 2 + length)))
      at += 2 + length
    }
    return found
  }

  static func segment(_ marker: UInt8, _ jpeg: [UInt8]) -> Range<Int> {
    segments(jpeg).first { $0.marker == marker }!.range
  }

  static func without(_ markers: Set<UInt8>, _ jpeg: [UInt8]) -> [UInt8] {
    var result = jpeg
    for segment in segments(jpeg).reversed() where markers.contains(segment.marker) {
      result.removeSubrange(segment.range)
    }
    return result
  }

  static func with(_ bytes: [UInt8], at offset: Int, _ jpeg: [UInt8]) -> [UInt8] {
    var result = jpeg
    result.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    return result
  }

  static func inserting(_ bytes: [UInt8], afterStartOf jpeg: [UInt8]) -> [UInt8] {
    Array(jpeg[0..<2]) + bytes + jpeg[2...]
  }

  /// UVC H.264 in APP4, full of what looks like pictures.
  static let app4: [UInt8] = {
    var payload: [UInt8] = []
    let part: [UInt8] = [0x48, 0x32, 0x36, 0x34, 0xff, 0xd8] + [UInt8](repeating: 0, count: 100) + [0xff, 0xd9]
    while payload.count < 4094 { payload += part }
    return [0xff, 0xe4, 0x10, 0x00] + payload[0..<4094]
  }()
}
