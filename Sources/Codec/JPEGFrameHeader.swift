import CamrigModel

/// What SOF says: size, and how its components are sampled.
struct JPEGFrameHeader {
  let size: PixelSize
  let isProgressive: Bool
  let componentCount: Int
  private var ids = SIMD4<UInt8>()
  private var horizontal = SIMD4<UInt8>()
  private var vertical = SIMD4<UInt8>()
  private var quantisation = SIMD4<UInt8>()

  var allComponents: UInt8 { (1 << UInt8(componentCount)) - 1 }

  /// - Parameter contents: of the segment, without its length.
  init(_ contents: UnsafeRawBufferPointer, marker: UInt8) throws(JPEGFault) {
    guard contents.count >= 9 else { throw .malformed(marker: marker) }
    // 12 bits a sample is legal in SOF1, but neither cameras nor players have it.
    guard contents[0] == 8 else { throw .unsupported(marker: marker) }
    let height = Int(contents[1]) << 8 | Int(contents[2])
    let width = Int(contents[3]) << 8 | Int(contents[4])
    componentCount = Int(contents[5])
    guard width > 0, height > 0, (1...4).contains(componentCount), contents.count == 6 + 3 * componentCount
    else { throw .malformed(marker: marker) }
    size = PixelSize(width: width, height: height)
    isProgressive = marker == 0xc2
    for index in 0..<componentCount {
      let sampling = contents[7 + 3 * index]
      ids[index] = contents[6 + 3 * index]
      horizontal[index] = sampling >> 4
      vertical[index] = sampling & 15
      quantisation[index] = contents[8 + 3 * index]
      guard (1...4).contains(sampling >> 4), (1...4).contains(sampling & 15), quantisation[index] <= 3
      else { throw .malformed(marker: marker) }
    }
  }

  /// What a scan's header says, in terms of this frame.
  /// - Parameter contents: of the SOS segment, without its length.
  func scan(_ contents: UnsafeRawBufferPointer) throws(JPEGFault) -> JPEGScanHeader {
    let fault = JPEGFault.malformed(marker: 0xda)
    guard let count = contents.first.map(Int.init), (1...4).contains(count), contents.count == 4 + 2 * count
    else { throw fault }
    let from = contents[1 + 2 * count]
    let to = contents[2 + 2 * count]
    let firstPass = contents[3 + 2 * count] >> 4 == 0
    if isProgressive {
      // DC and AC come in scans of their own, AC one component at a time.
      guard from == 0 ? to == 0 : to >= from && to <= 63 && count == 1 else { throw fault }
    }
    var scan = JPEGScanHeader(isFirstOfComponents: !isProgressive || from == 0 && firstPass)
    var only = 0
    for index in 0..<count {
      let tables = contents[2 + 2 * index]
      guard let component = (0..<componentCount).first(where: { ids[$0] == contents[1 + 2 * index] }),
        scan.components & 1 << UInt8(component) == 0, tables >> 4 <= 3, tables & 15 <= 3
      else { throw fault }
      only = component
      scan.components |= 1 << UInt8(component)
      scan.quantisationTables |= 1 << quantisation[component]
      // Refinements of DC are plain bits without a table.
      if from == 0, firstPass { scan.dcTables |= 1 << (tables >> 4) }
      if to > 0 || !isProgressive { scan.acTables |= 1 << (tables & 15) }
      scan.blocksPerUnit += Int(horizontal[component]) * Int(vertical[component])
    }
    let most = (horizontal: Int(horizontal.max()), vertical: Int(vertical.max()))
    if count == 1 {
      // A scan of one component is coded block by block, and only blocks that hold something of the picture.
      scan.blocksPerUnit = 1
      let width = up(size.width * Int(horizontal[only]), most.horizontal)
      let height = up(size.height * Int(vertical[only]), most.vertical)
      scan.units = up(width, 8) * up(height, 8)
    } else {
      scan.units = up(size.width, 8 * most.horizontal) * up(size.height, 8 * most.vertical)
    }
    return scan
  }
}

/// What SOS says of one scan.
struct JPEGScanHeader {
  /// Masks by the frame's component index and by table number.
  var components: UInt8 = 0
  var quantisationTables: UInt8 = 0
  var dcTables: UInt8 = 0
  var acTables: UInt8 = 0
  /// Minimum coded units, which restart intervals count.
  var units = 0
  var blocksPerUnit = 0
  /// Not a refinement, and not the AC part of a progressive picture.
  let isFirstOfComponents: Bool

  init(isFirstOfComponents: Bool) { self.isFirstOfComponents = isFirstOfComponents }
}

/// `a / b`, rounded up.
private func up(_ a: Int, _ b: Int) -> Int { (a + b - 1) / b }
