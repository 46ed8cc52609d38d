import CamrigModel
import Capture
import Codec
import Frames

extension FuzzTarget {
  /// The buffer of an MJPEG camera: what is kept of it must be a whole picture with all its tables, a photo of it too,
  /// and a preview of it must come out or be refused.
  static let jpeg = FuzzTarget(name: "jpeg") { bytes in
    guard let picture = FuzzedPicture(.mjpeg, bytes) else { return }
    let kept = picture.layout
    precondition(kept.size == picture.size, "what is kept has another size")
    precondition(!kept.huffmanTablesMissing && kept.paddingBytes == 0, "what is kept is not whole")
    let photo = picture.bytes.withUnsafeBytes { PhotoJPEG.make($0, facts: FuzzedPicture.facts(picture.size)) }
    if let photo {
      precondition(FuzzedPicture.layout(photo).size == picture.size, "a photo is another picture")
      let again = photo.withUnsafeBytes { PhotoJPEG.make($0, facts: FuzzedPicture.facts(picture.size)) }
      precondition(again == photo, "a photo made of a photo is another one")
    }
    picture.show()
  }

  /// Buffers of an H.264 camera, each with two bytes of length in front: inspected one after the other, made samples of a
  /// movie, shown.
  static let h264 = FuzzTarget(name: "h264") { bytes in
    var inspector = H264PictureInspector()
    var rest = bytes[...]
    let format = VideoFormat(.h264, PixelSize(width: 64, height: 64), rate: nil)
    for _ in 0..<16 {
      guard rest.count > 2 else { break }
      let count = (Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])) % rest.count
      let buffer = Array(rest.dropFirst(2).prefix(count))
      rest = rest.dropFirst(2 + buffer.count)
      let verdict = buffer.withUnsafeBytes { inspector.inspect($0, format: format) }
      guard case .good(let good) = verdict else { continue }
      FuzzedPicture.checkSample(buffer)
      let sets = inspector.parameterSets
      if let sets {
        precondition(
          sets.sequence.count <= H264ParameterSets.mostSequence && sets.picture.count <= H264ParameterSets.mostPicture,
          "more sets than a movie's header can name")
      }
      guard good.isKeyframe, good.size.area <= FuzzedPicture.mostPixels else { continue }
      FuzzedPicture(.h264, buffer, good.size).show(sets)
    }
  }

  /// The buffer of a camera with raw pictures. In front: the format, width, height, and bytes of a line beyond the least.
  static let raw = FuzzTarget(name: "raw") { bytes in
    guard bytes.count > 4 else { return }
    let formats: [PixelFormat] = [.yuyv, .uyvy, .nv12, .yu12, .grey]
    let pixels = formats[Int(bytes[0]) % formats.count]
    let size = PixelSize(width: Int(bytes[1]), height: Int(bytes[2]))
    guard size.width > 0, size.height > 0 else { return }
    let format = VideoFormat(
      pixels, size, rate: nil, bytesPerLine: pixels.leastBytesPerLine(width: size.width) + Int(bytes[3]))
    let buffer = Array(bytes.dropFirst(4))
    let verdict = buffer.withUnsafeBytes { RawPictureInspector().inspect($0, format: format) }
    guard case .good(let good) = verdict else { return }
    precondition(good.range == 0..<format.rawByteCount && good.range.count <= buffer.count, "a range outside")
    FuzzedPicture(pixels, Array(buffer[good.range]), size, bytesPerLine: format.bytesPerLine).show()
  }

  /// The file `descriptors` of a USB camera; in front the number of its control interface.
  static let descriptors = FuzzTarget(name: "descriptors") { bytes in
    guard let first = bytes.first else { return }
    guard let link = USBVideoLink(descriptors: Array(bytes.dropFirst()), control: Int(first)) else { return }
    precondition(link.claim(bytesPerSecond: 1e9, intervalsPerSecond: 8000) >= 0, "less than nothing")
  }
}

/// What is kept of a camera's buffer.
private struct FuzzedPicture {
  /// Larger ones only take time and memory.
  static let mostPixels = 1 << 20

  let format: PixelFormat
  let bytes: [UInt8]
  let size: PixelSize
  var bytesPerLine = 0

  /// Of an MJPEG camera's buffer; nil where it is refused, or large.
  init?(_ format: PixelFormat, _ buffer: [UInt8]) {
    let wanted = VideoFormat(format, PixelSize(width: 64, height: 64), rate: nil)
    let verdict = buffer.withUnsafeBytes { JPEGPictureInspector().inspect($0, format: wanted) }
    guard case .good(let good) = verdict, good.size.area <= Self.mostPixels else { return nil }
    precondition(good.range.upperBound <= buffer.count, "a range outside")
    let kept = [UInt8](unsafeUninitializedCapacity: good.byteCount) { memory, count in
      buffer.withUnsafeBytes { good.copy($0, into: UnsafeMutableRawBufferPointer(memory)) }
      count = good.byteCount
    }
    self.init(format, kept, good.size)
  }

  init(_ format: PixelFormat, _ bytes: [UInt8], _ size: PixelSize, bytesPerLine: Int = 0) {
    self.format = format
    self.bytes = bytes
    self.size = size
    self.bytesPerLine = bytesPerLine
  }

  var layout: JPEGLayout { Self.layout(bytes) }

  static func layout(_ jpeg: [UInt8]) -> JPEGLayout {
    switch jpeg.withUnsafeBytes({ JPEGCheck.check($0, expecting: nil) }) {
    case .good(let layout): return layout
    case .broken(let fault): preconditionFailure("what was whole is broken: \(fault)")
    }
  }

  static func facts(_ size: PixelSize) -> PhotoFacts {
    PhotoFacts(size: size, taken: nil, camera: "Camera", model: "Model")
  }

  /// As previews of two sizes. What cannot be decoded is refused.
  func show(_ sets: H264ParameterSets? = nil) {
    let renderer = PreviewRenderer(parameterSets: { sets })
    let pool = FramePool(keep: 0)
    let frame = Frame(
      bytes.withUnsafeBytes { pool.buffer(copying: $0) }, format: format, size: size, bytesPerLine: bytesPerLine,
      presentationTime: MediaTime(nanoseconds: 0), run: 1, sequence: 1, isKeyframe: true)
    do {
      try renderer.take(FrameTap.Pictures(frame))
      for wanted in [PixelSize(width: 16, height: 16), PixelSize(width: 320, height: 240)] {
        guard let preview = try renderer.render(wanted, quality: 50) else { continue }
        let found = preview.withBytes { Self.layout(Array($0)) }
        precondition(found.size == preview.size, "a preview of another size than it says")
      }
    } catch {}
  }

  /// Of a movie: what stands in it is what the units were.
  static func checkSample(_ buffer: [UInt8]) {
    buffer.withUnsafeBytes { source in
      guard let unit = try? H264AccessUnit(source) else { preconditionFailure("what was good is not") }
      var sample = [UInt8](repeating: 0, count: unit.sampleByteCount)
      sample.withUnsafeMutableBytes { unit.copySample(of: source, into: $0) }
      var at = 0
      for range in unit.sampleUnits {
        let length = sample[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
        precondition(length == range.count && !range.isEmpty, "a unit of another length")
        precondition(sample[(at + 4)..<(at + 4 + length)].elementsEqual(source[range]), "a unit of other bytes")
        at += 4 + length
      }
      precondition(at == sample.count, "a sample of another length")
    }
  }
}
