import CamrigModel

/// A JPEG as a photo: the picture byte for byte as it was, with EXIF in front of it.
package enum PhotoJPEG {
  /// EXIF goes behind a JFIF header, which must be first, and before everything else. EXIF that the camera itself
  /// has put in is left out: two would contradict each other, and most readers take the first. All other segments and
  /// all picture data stay.
  /// - Parameter jpeg: whole and checked, as the hub has it.
  /// - Returns: nil where the headers cannot be followed.
  package static func make(_ jpeg: UnsafeRawBufferPointer, facts: PhotoFacts) -> [UInt8]? {
    guard let walk = walk(jpeg) else { return nil }
    let segment = ExifBlock.segment(facts)
    var photo: [UInt8] = []
    photo.reserveCapacity(jpeg.count + segment.count)
    photo += jpeg[..<walk.insertAt]
    photo += segment
    var from = walk.insertAt
    for old in walk.exif {
      photo += jpeg[from..<old.lowerBound]
      from = old.upperBound
    }
    photo += jpeg[from...]
    return photo
  }

  private static let jfif: [UInt8] = Array("JFIF".utf8) + [0]
  private static let jfxx: [UInt8] = Array("JFXX".utf8) + [0]

  private static func walk(_ jpeg: UnsafeRawBufferPointer) -> (insertAt: Int, exif: [Range<Int>])? {
    guard jpeg.count > 4, jpeg[0] == 0xff, jpeg[1] == 0xd8 else { return nil }
    var insertAt = 2
    var exif: [Range<Int>] = []
    var at = 2
    while at + 4 <= jpeg.count {
      guard jpeg[at] == 0xff else { return nil }
      let marker = jpeg[at + 1]
      // Any number of FF may stand before a marker.
      if marker == 0xff {
        at += 1
        continue
      }
      if marker == 0xda { return (insertAt, exif) }
      let length = Int(jpeg[at + 2]) << 8 | Int(jpeg[at + 3])
      let next = at + 2 + length
      guard length >= 2, next <= jpeg.count else { return nil }
      let contents = UnsafeRawBufferPointer(rebasing: jpeg[(at + 4)..<next])
      // JFIF is the first segment, or it is none; its extension follows it.
      if marker == 0xe0, at == 2 && contents.starts(with: jfif) || at == insertAt && contents.starts(with: jfxx) {
        insertAt = next
      }
      if marker == 0xe1, contents.starts(with: ExifBlock.signature) { exif.append(at..<next) }
      at = next
    }
    return nil
  }
}
