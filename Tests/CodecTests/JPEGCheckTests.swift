import CTurboJPEG
import CamrigModel
import Codec
import TestSupport
import Testing

@Suite("Whole and broken JPEG pictures")
struct JPEGCheckTests {
  static let samplings = [TJSAMP_420, TJSAMP_422, TJSAMP_444, TJSAMP_GRAY, TJSAMP_440].map(\.rawValue)

  @Test("a whole picture of any sampling is good and byte-identical", arguments: samplings)
  func anySampling(sampling: UInt32) throws {
    let base = TestJPEG.make(sampling: TJSAMP(rawValue: sampling))
    let layout = try #require(good(base))
    #expect(layout.byteCount == base.count)
    #expect(layout.size == TestJPEG.size)
    #expect(!layout.huffmanTablesMissing && layout.paddingBytes == 0 && !layout.extraImages)
    #expect(stored(base, layout) == base)
  }

  @Test("a size that fills no whole blocks is good", arguments: ["1x1", "17x9", "641x479"])
  func oddSizes(text: String) throws {
    let size = try #require(PixelSize(text))
    #expect(good(TestJPEG.make(size, sampling: TJSAMP_420), size)?.size == size)
  }

  @Test("tables that the camera leaves out are named, and are put before the scan", arguments: samplings)
  func missingTables(sampling: UInt32) throws {
    let base = TestJPEG.without([0xc4], TestJPEG.make(sampling: TJSAMP(rawValue: sampling)))
    let layout = try #require(good(base))
    #expect(layout.huffmanTablesMissing)
    #expect(layout.insertTablesAt == TestJPEG.segment(0xda, base).lowerBound)
    let mended = stored(base, layout)
    #expect(mended.count == base.count + 420)
    #expect(TestJPEG.segments(mended).map(\.marker).suffix(2) == [0xc4, 0xda])
    let again = try #require(good(mended))
    #expect(!again.huffmanTablesMissing)
  }

  @Test("a picture mended with the standard tables decodes to the very picture that had its own")
  func mendedDecodes() throws {
    let base = TestJPEG.make(sampling: TJSAMP_422)
    let bare = TestJPEG.without([0xc4], base)
    let mended = stored(bare, try #require(good(bare)))
    let (pixels, warnings) = decode(mended)
    #expect(!warnings)
    #expect(pixels == decode(base).pixels)
  }

  @Test("when only some tables are missing, those of the picture stay in force")
  func someTablesMissing() throws {
    let base = TestJPEG.make()
    let tables = TestJPEG.segments(base).filter { $0.marker == 0xc4 }
    #expect(tables.count == 4)
    var some = base
    some.removeSubrange(tables[3].range)
    let layout = try #require(good(some))
    #expect(layout.huffmanTablesMissing)
    #expect(layout.insertTablesAt == tables[0].range.lowerBound)
    #expect(decode(stored(some, layout)).pixels == decode(base).pixels)
  }

  @Test("an AVI1 header instead of JFIF, or no APP0 at all, or COM first, is as good as any")
  func headerOrders() {
    let base = TestJPEG.make()
    let bare = TestJPEG.without([0xe0, 0xfe], base)
    #expect(Array(bare[0..<4]) == [0xff, 0xd8, 0xff, 0xdb])
    #expect(good(bare)?.byteCount == bare.count)
    let avi: [UInt8] = [0xff, 0xe0, 0, 0x10, 0x41, 0x56, 0x49, 0x31] + [UInt8](repeating: 0, count: 10)
    #expect(
      good(TestJPEG.inserting(avi, afterStartOf: TestJPEG.without([0xe0, 0xc4], base)))?.huffmanTablesMissing == true)
    let comment: [UInt8] = [0xff, 0xfe, 0, 10] + Array("00000042".utf8)
    #expect(good(TestJPEG.inserting(comment, afterStartOf: base))?.byteCount == base.count + 12)
    let filled = TestJPEG.inserting([0xff, 0xff, 0xff], afterStartOf: base)
    #expect(good(filled)?.byteCount == base.count + 3)
  }

  @Test("a picture cut anywhere is broken")
  func cut() {
    let base = TestJPEG.make()
    let data = TestJPEG.segment(0xda, base).upperBound
    #expect(TestJPEG.check(Array(base.dropLast(2))) == .broken(.noEnd))
    #expect(TestJPEG.check(Array(base.dropLast(1))) == .broken(.noEnd))
    #expect(TestJPEG.check(Array(base[0..<((data + base.count) / 2)])) == .broken(.noEnd))
    #expect(TestJPEG.check(Array(base[0..<(data - 4)])) == .broken(.cutInHeaders))
    for count in 0..<data { #expect(good(Array(base[0..<count])) == nil) }
  }

  @Test("what follows the end is cut away", arguments: [3, 1000, 614_400])
  func padding(count: Int) throws {
    let base = TestJPEG.make()
    let layout = try #require(good(base + [UInt8](repeating: 0, count: count)))
    #expect(layout.byteCount == base.count)
    #expect(layout.paddingBytes == count && !layout.extraImages)
    #expect(stored(base + [0], layout) == base)
  }

  @Test("a second end marker is padding")
  func doubledEnd() throws {
    let base = TestJPEG.make()
    let layout = try #require(good(base + [0xff, 0xd9]))
    #expect(layout.byteCount == base.count && layout.paddingBytes == 2 && !layout.extraImages)
  }

  @Test("of two pictures in a buffer the first is taken and the second is noticed", arguments: [0, 5, 1000])
  func joined(gap: Int) throws {
    let base = TestJPEG.make()
    let layout = try #require(good(base + [UInt8](repeating: 0, count: gap) + base))
    #expect(layout.byteCount == base.count)
    #expect(layout.extraImages)
  }

  @Test("a picture that was cut before the next one in the same buffer is broken")
  func joinedAfterCut() {
    let base = TestJPEG.make()
    #expect(TestJPEG.check(Array(base[0..<(base.count / 2)]) + base) == .broken(.strayMarker(0xd8)))
  }

  @Test("what looks like pictures inside APP segments is passed over")
  func embedded() throws {
    let base = TestJPEG.make()
    let two = TestJPEG.inserting(TestJPEG.app4 + TestJPEG.app4, afterStartOf: base)
    #expect(try #require(good(two)).byteCount == two.count)
  }

  @Test("what is stored of every good picture is the same picture to a strict decoder of another make")
  func strictDecoder() throws {
    let base = TestJPEG.make(sampling: TJSAMP_422)
    let bare = TestJPEG.without([0xc4], base)
    let buffers = [
      base, bare, TestJPEG.without([0xe0], bare), base + [0, 0, 0], base + [0xff, 0xd9], base + base,
      bare + [UInt8](repeating: 0, count: 5000), TestJPEG.inserting(TestJPEG.app4, afterStartOf: base),
    ]
    var stream: [UInt8] = []
    for buffer in buffers { stream += stored(buffer, try #require(good(buffer))) }
    let directory = TemporaryDirectory()
    FileBytes.write(stream, to: directory.path + "/all.mjpeg")
    let result = Program.run(
      "ffmpeg",
      [
        "-v", "error", "-xerror", "-err_detect", "explode", "-f", "mjpeg", "-i", directory.path + "/all.mjpeg",
        "-f", "framemd5", "-",
      ])
    #expect(result.status == 0)
    let pictures = result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last }
    #expect(pictures.count == buffers.count)
    #expect(Set(pictures).count == 1)
  }

  @Test("bytes that are no picture are broken")
  func noPicture() {
    var numbers = SeededNumbers(3)
    let noise = [0xa8, 0x0a] + (0..<4094).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    #expect(TestJPEG.check(noise) == .broken(.noStart))
    #expect(TestJPEG.check([]) == .broken(.empty))
    #expect(TestJPEG.check([0xff]) == .broken(.noStart))
    #expect(TestJPEG.check([0xff, 0xd8]) == .broken(.cutInHeaders))
    #expect(TestJPEG.check([0xff, 0xd8, 0xff, 0xd9]) == .broken(.scanMissing))
  }

  @Test("a damaged header is broken, whatever decoders make of it")
  func damagedHeaders() {
    let base = TestJPEG.make()
    let frame = TestJPEG.segment(0xc0, base).lowerBound
    let scan = TestJPEG.segment(0xda, base).lowerBound
    let tables = TestJPEG.segment(0xdb, base).lowerBound
    func verdict(_ bytes: [UInt8], at offset: Int, expecting: PixelSize? = TestJPEG.size) -> JPEGVerdict {
      TestJPEG.check(TestJPEG.with(bytes, at: offset, base), expecting: expecting)
    }
    let half = PixelSize(width: 320, height: 240)
    let most = PixelSize(width: 65535, height: 65535)
    #expect(verdict([0xc2], at: frame + 1) == .broken(.malformed(marker: 0xda)))
    #expect(verdict([0xcd], at: frame + 1) == .broken(.unsupported(marker: 0xcd)))
    #expect(
      verdict([0x00, 0xf0, 0x01, 0x40], at: frame + 5)
        == .broken(.sizeDiffers(found: half, expected: TestJPEG.size)))
    #expect(
      verdict([0xff, 0xff, 0xff, 0xff], at: frame + 5)
        == .broken(.sizeDiffers(found: most, expected: TestJPEG.size)))
    #expect(verdict([0xff, 0xff, 0xff, 0xff], at: frame + 5, expecting: nil) == .broken(.tooFewData(size: most)))
    #expect(verdict([0, 0, 0, 0], at: frame + 5, expecting: nil) == .broken(.malformed(marker: 0xc0)))
    #expect(verdict([0xff, 0xff], at: tables + 2) == .broken(.cutInHeaders))
    #expect(verdict([0, 0], at: tables + 2) == .broken(.malformed(marker: 0xdb)))
    #expect(verdict([9], at: frame + 4) == .broken(.unsupported(marker: 0xc0)))
    #expect(verdict([3], at: frame + 12) == .broken(.noQuantisationTable))
    #expect(verdict([0x22], at: scan + 6) == .broken(.noHuffmanTable))
    #expect(verdict([7], at: scan + 5) == .broken(.malformed(marker: 0xda)))
    let large = TestJPEG.with([0xff, 0xff], at: tables + 2, base + [UInt8](repeating: 0, count: 70000))
    #expect(TestJPEG.check(large) == .broken(.malformed(marker: 0xdb)))
  }

  @Test("a picture without quantisation tables is broken")
  func noQuantisation() {
    #expect(TestJPEG.check(TestJPEG.without([0xdb], TestJPEG.make())) == .broken(.noQuantisationTable))
  }

  @Test("damage that makes a marker is seen")
  func strayMarkers() {
    let base = TestJPEG.make()
    let middle = TestJPEG.segment(0xda, base).upperBound + 5000
    #expect(good(TestJPEG.with([0x11, 0xff, 0x01, 0x11], at: middle, base)) == nil)
    #expect(good(TestJPEG.with([0x11, 0xff, 0xc0, 0x11], at: middle, base)) == nil)
    #expect(
      TestJPEG.check(TestJPEG.with([0x11, 0xff, 0xd3, 0x11], at: middle, base))
        == .broken(.restartMarkers(found: 1, expected: 0)))
  }

  @Test("restart markers are counted")
  func restartMarkers() throws {
    // A grey picture of 16x8 is two blocks; with an interval of one block there is one marker between them.
    let small = PixelSize(width: 16, height: 8)
    let base = TestJPEG.make(small, sampling: TJSAMP_GRAY)
    let data = TestJPEG.segment(0xda, base).upperBound
    let each: [UInt8] = [0xff, 0xdd, 0, 4, 0, 1]
    let twice = Array(base.dropLast(2)) + [0xff, 0xd0] + base[data...]
    #expect(good(TestJPEG.inserting(each, afterStartOf: twice), small)?.byteCount == twice.count + 6)
    #expect(
      TestJPEG.check(TestJPEG.inserting(each, afterStartOf: base), expecting: small)
        == .broken(.restartMarkers(found: 0, expected: 1)))
  }

  @Test("a truly progressive picture is good, and the standard tables are not for it")
  func progressive() throws {
    let base = TestJPEG.make(flags: TJFLAG_PROGRESSIVE)
    #expect(TestJPEG.segments(base).contains { $0.marker == 0xc2 })
    #expect(good(base)?.byteCount == base.count)
    #expect(TestJPEG.check(TestJPEG.without([0xc4], base)) == .broken(.noHuffmanTable))
  }

  @Test("a picture that ends before each of its components had its scan is broken")
  func scanMissing() {
    let base = TestJPEG.make(sampling: TJSAMP_GRAY)
    let frame = TestJPEG.segment(0xc0, base)
    var claimed = base
    claimed.replaceSubrange(
      frame,
      with: [0xff, 0xc0, 0, 17] + base[(frame.lowerBound + 4)..<(frame.lowerBound + 9)]
        + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
    #expect(TestJPEG.check(claimed) == .broken(.scanMissing))
  }

  @Test("a picture whose data end at once is broken")
  func fewData() {
    let base = TestJPEG.make()
    let data = TestJPEG.segment(0xda, base).upperBound
    #expect(TestJPEG.check(Array(base[0..<(data + 100)]) + [0xff, 0xd9]) == .broken(.tooFewData(size: TestJPEG.size)))
  }

  @Test("what is said of a fault names it for people")
  func texts() {
    let small = PixelSize(width: 320, height: 240)
    #expect("\(JPEGFault.noEnd)" == "it is cut short: the end marker (FF D9) is missing")
    #expect(
      "\(JPEGFault.sizeDiffers(found: small, expected: TestJPEG.size))"
        == "it is 320x240, but the camera was set to 640x480")
    #expect("\(JPEGFault.malformed(marker: 0x0b))" == "its segment FF 0B is malformed")
  }

  @Test("no bytes whatever make it fail, and what is good ends with an end marker")
  func mutations() {
    var numbers = SeededNumbers(20)
    let bases = [
      TestJPEG.make(PixelSize(width: 64, height: 48)),
      TestJPEG.make(PixelSize(width: 64, height: 48), flags: TJFLAG_PROGRESSIVE),
    ]
    for round in 0..<20000 {
      var bytes = bases[round & 1]
      for _ in 0..<Int.random(in: 1...6, using: &numbers) {
        let at = Int.random(in: 0..<bytes.count, using: &numbers)
        switch UInt8.random(in: 0...3, using: &numbers) {
        case 0: bytes[at] = 0xff
        case 1: bytes.remove(at: at)
        case 2: bytes.removeSubrange(at...)
        default: bytes[at] = UInt8.random(in: 0...255, using: &numbers)
        }
        if bytes.isEmpty { bytes = [0xff] }
      }
      guard let layout = good(bytes, nil) else { continue }
      let valid =
        layout.byteCount <= bytes.count && bytes[layout.byteCount - 2] == 0xff && bytes[layout.byteCount - 1] == 0xd9
        && layout.insertTablesAt < layout.byteCount
      if !valid { Issue.record("a wrong layout in round \(round)") }
      _ = stored(bytes, layout)
    }
  }
}

private func good(_ bytes: [UInt8], _ expecting: PixelSize? = TestJPEG.size) -> JPEGLayout? {
  guard case .good(let layout) = TestJPEG.check(bytes, expecting: expecting) else { return nil }
  return layout
}

private func stored(_ bytes: [UInt8], _ layout: JPEGLayout) -> [UInt8] {
  var result = [UInt8](repeating: 0, count: layout.storedByteCount)
  bytes.withUnsafeBytes { source in result.withUnsafeMutableBytes { layout.copy(source, into: $0) } }
  return result
}

/// By libturbojpeg; `warnings` when it was not content.
private func decode(_ jpeg: [UInt8]) -> (pixels: [UInt8], warnings: Bool) {
  let handle = tjInitDecompress()
  defer { tjDestroy(handle) }
  var pixels = [UInt8](repeating: 0, count: TestJPEG.size.area * 3)
  let result = tjDecompress2(
    handle, jpeg, UInt(jpeg.count), &pixels, Int32(TestJPEG.size.width), 0, Int32(TestJPEG.size.height),
    Int32(TJPF_RGB.rawValue), 0)
  return (pixels, result != 0)
}
