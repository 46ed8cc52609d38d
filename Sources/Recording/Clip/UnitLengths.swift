/// The four bytes of length that stand before each H.264 unit, for one fragment; valid until freed.
struct UnitLengths {
  private let lengths: UnsafeMutableRawBufferPointer
  private let next: UnsafeMutablePointer<Int>

  init(_ pictures: [Picture]) {
    var count = 0
    for picture in pictures {
      if case .units(_, let units) = picture.payload { count += units.count }
    }
    lengths = .allocate(byteCount: max(count * 4, 4), alignment: 4)
    next = .allocate(capacity: 1)
    next.initialize(to: 0)
  }

  func free() {
    lengths.deallocate()
    next.deallocate()
  }

  /// The bytes of a picture's sample. Once for each picture.
  func pieces(of picture: Picture) -> [UnsafeRawBufferPointer] {
    switch picture.payload {
    case .whole(let frame): return [frame.unsafeBytes]
    case .units(let frame, let units):
      let bytes = frame.unsafeBytes
      var pieces: [UnsafeRawBufferPointer] = []
      pieces.reserveCapacity(units.count * 2)
      for unit in units {
        let at = next.pointee
        lengths.storeBytes(of: UInt32(truncatingIfNeeded: unit.count).bigEndian, toByteOffset: at, as: UInt32.self)
        next.pointee = at + 4
        pieces.append(UnsafeRawBufferPointer(rebasing: lengths[at..<(at + 4)]))
        pieces.append(UnsafeRawBufferPointer(rebasing: bytes[unit]))
      }
      return pieces
    }
  }
}
