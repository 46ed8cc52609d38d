import CamrigModel

/// How the samples of a raw picture lie in memory: the same for all raw formats, by steps.
struct RawLayout: Hashable, Sendable {
  /// One component: the first sample, and the bytes to the next line and to the next sample.
  struct Component: Hashable, Sendable {
    let offset: Int
    let bytesPerLine: Int
    let step: Int
  }

  let luma: Component
  /// Cb and Cr; empty for GREY. Each sample is for two pixels across.
  let chroma: [Component]
  /// Lines of pixels for one line of chroma.
  let chromaRows: Int
  let byteCount: Int

  /// Nil for compressed formats.
  init?(_ format: PixelFormat, _ size: PixelSize, bytesPerLine: Int) {
    let lumaBytes = bytesPerLine * size.height
    switch format {
    case .mjpeg, .h264: return nil
    case .grey:
      self.init(Component(offset: 0, bytesPerLine: bytesPerLine, step: 1), [], 1, lumaBytes)
    case .yuyv:
      self.init(
        Component(offset: 0, bytesPerLine: bytesPerLine, step: 2),
        [1, 3].map { Component(offset: $0, bytesPerLine: bytesPerLine, step: 4) }, 1, lumaBytes)
    case .uyvy:
      self.init(
        Component(offset: 1, bytesPerLine: bytesPerLine, step: 2),
        [0, 2].map { Component(offset: $0, bytesPerLine: bytesPerLine, step: 4) }, 1, lumaBytes)
    case .nv12:
      self.init(
        Component(offset: 0, bytesPerLine: bytesPerLine, step: 1),
        [0, 1].map { Component(offset: lumaBytes + $0, bytesPerLine: bytesPerLine, step: 2) }, 2,
        format.rawByteCount(size: size, bytesPerLine: bytesPerLine))
    case .yu12:
      self.init(planes: size, bytesPerLine: bytesPerLine, chromaRows: 2)
    }
  }

  /// Three planes one after the other: 4:2:0 (`chromaRows` 2) or 4:2:2 (1).
  init(planes size: PixelSize, bytesPerLine: Int, chromaRows: Int) {
    let half = bytesPerLine / 2
    let lumaBytes = bytesPerLine * size.height
    let chromaBytes = half * ((size.height + chromaRows - 1) / chromaRows)
    self.init(
      Component(offset: 0, bytesPerLine: bytesPerLine, step: 1),
      [0, 1].map { Component(offset: lumaBytes + $0 * chromaBytes, bytesPerLine: half, step: 1) }, chromaRows,
      lumaBytes + 2 * chromaBytes)
  }

  private init(_ luma: Component, _ chroma: [Component], _ chromaRows: Int, _ byteCount: Int) {
    self.luma = luma
    self.chroma = chroma
    self.chromaRows = chromaRows
    self.byteCount = byteCount
  }
}

/// A raw picture that is drawn into. Owned by one object, never shared.
final class RawPicture {
  let layout: RawLayout
  let memory: UnsafeMutableRawBufferPointer

  init(_ layout: RawLayout) {
    self.layout = layout
    memory = .allocate(byteCount: max(layout.byteCount, 1), alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { memory.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[0..<layout.byteCount]) }

  /// Luma, Cb, Cr in the narrow range.
  struct Colour {
    let luma: UInt8
    let cb: UInt8
    let cr: UInt8

    static let black = Colour(luma: 16, cb: 128, cr: 128)
    static let white = Colour(luma: 235, cb: 128, cr: 128)
  }

  /// Corners are at even pixels.
  func fill(x: Int, y: Int, width: Int, height: Int, _ colour: Colour) {
    fillLuma(x: x, y: y, width: width, height: height, colour.luma)
    let rows = layout.chromaRows
    for (component, value) in zip(layout.chroma, [colour.cb, colour.cr]) {
      fill(component, x / 2, y / rows, (width + 1) / 2, (height + rows - 1) / rows, value)
    }
  }

  func fillLuma(x: Int, y: Int, width: Int, height: Int, _ value: UInt8) {
    fill(layout.luma, x, y, width, height, value)
  }

  private func fill(
    _ component: RawLayout.Component, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ value: UInt8
  ) {
    for row in y..<(y + height) {
      let start = component.offset + row * component.bytesPerLine + x * component.step
      if component.step == 1 {
        UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + width)])
          .initializeMemory(as: UInt8.self, repeating: value)
      } else {
        var at = start
        for _ in 0..<width {
          memory[at] = value
          at += component.step
        }
      }
    }
  }
}
