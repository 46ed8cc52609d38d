import CamrigModel
import Frames

/// Turns raw pictures sample by sample. Two pixels share a chroma sample, so an odd last column or row is cut off.
/// YUYV and UYVY that are turned by a quarter become YU12: their chroma, shared by two pixels across, would then be
/// shared by two pixels down, and is averaged as any encoder does.
package final class RawTurner: PictureTurner {
  private let setting: PictureSetting
  private let pool: FramePool

  package init(_ setting: PictureSetting, pool: FramePool = FramePool()) {
    self.setting = setting
    self.pool = pool
  }

  package func format(of frame: Frame) throws(TurnRefusal) -> VideoFormat {
    guard let geometry = geometry(frame.size) else { throw .tooSmall(frame.size) }
    return VideoFormat(turned(frame.format), geometry.size, rate: nil)
  }

  package func turn(_ frame: Frame) throws(CodecError) -> Frame {
    let line = frame.bytesPerLine > 0 ? frame.bytesPerLine : frame.format.leastBytesPerLine(width: frame.size.width)
    guard let geometry = geometry(frame.size), let from = RawLayout(frame.format, frame.size, bytesPerLine: line)
    else { throw .notRaw(frame.format) }
    guard frame.byteCount >= from.byteCount
    else { throw .shortPicture(byteCount: frame.byteCount, expected: from.byteCount) }
    let format = VideoFormat(turned(frame.format), geometry.size, rate: nil)
    guard let to = RawLayout(format.pixelFormat, format.size, bytesPerLine: format.bytesPerLine)
    else { throw .notRaw(frame.format) }
    let buffer = pool.buffer(count: to.byteCount) { target in
      frame.withBytes { source in
        SampleMove(from.luma, to.luma, geometry, across: 1, down: 1, averages: false).run(source, target)
        let averages = to.chromaRows > from.chromaRows
        for (one, other) in zip(from.chroma, to.chroma) {
          SampleMove(one, other, geometry, across: 2, down: to.chromaRows, averages: averages).run(source, target)
        }
      }
    }
    return Frame(
      buffer, format: format.pixelFormat, size: format.size, bytesPerLine: format.bytesPerLine,
      presentationTime: frame.presentationTime, run: frame.run, sequence: frame.sequence,
      isKeyframe: frame.isKeyframe)
  }

  private func geometry(_ size: PixelSize) -> PictureGeometry? {
    PictureGeometry(
      setting, source: PixelSize(width: size.width & ~1, height: size.height & ~1), unit: PixelSize(width: 2, height: 2)
    )
  }

  private func turned(_ format: PixelFormat) -> PixelFormat {
    setting.rotation.swapsAxes && (format == .yuyv || format == .uyvy) ? .yu12 : format
  }
}

/// The way of one component's samples, as steps from byte to byte.
private struct SampleMove {
  private let width: Int
  private let height: Int
  /// In the source, of the target's first sample, and to the next one across and down.
  private let start: Int
  private let across: Int
  private let down: Int
  /// To the sample below, which is averaged with.
  private let pair: Int?
  private let target: RawLayout.Component

  /// - Parameters:
  ///   - across: pixels of the source's rows that share a sample; `down` the same of its columns.
  ///   - averages: two rows of the source become one.
  init(
    _ from: RawLayout.Component, _ to: RawLayout.Component, _ geometry: PictureGeometry, across: Int, down: Int,
    averages: Bool
  ) {
    // Averaged, the source has two of its own lines for each of ours.
    let line = averages ? from.bytesPerLine * down : from.bytesPerLine
    let columns = geometry.columns.count / across
    let rows = geometry.rows.count / down
    let first = from.offset + geometry.columns.lowerBound / across * from.step + geometry.rows.lowerBound / down * line
    start =
      first + (geometry.reversesColumns ? (columns - 1) * from.step : 0)
      + (geometry.reversesRows ? (rows - 1) * line : 0)
    let column = geometry.reversesColumns ? -from.step : from.step
    let row = geometry.reversesRows ? -line : line
    self.across = geometry.swapsAxes ? row : column
    self.down = geometry.swapsAxes ? column : row
    width = geometry.swapsAxes ? rows : columns
    height = geometry.swapsAxes ? columns : rows
    pair = averages ? from.bytesPerLine : nil
    target = to
  }

  /// Square by square: read along and written across, whole lines would fall out of the cache before their next byte
  /// is wanted.
  private static let square = 32

  func run(_ source: UnsafeRawBufferPointer, _ memory: UnsafeMutableRawBufferPointer) {
    guard let from = source.baseAddress, let to = memory.baseAddress else { return }
    if across == 1, target.step == 1, pair == nil {
      for y in 0..<height {
        (to + target.offset + y * target.bytesPerLine).copyMemory(from: from + start + y * down, byteCount: width)
      }
      return
    }
    let bytes = from.assumingMemoryBound(to: UInt8.self)
    let result = to.assumingMemoryBound(to: UInt8.self)
    for top in stride(from: 0, to: height, by: Self.square) {
      for left in stride(from: 0, to: width, by: Self.square) {
        let end = min(left + Self.square, width)
        for y in top..<min(top + Self.square, height) {
          move(bytes + start + y * down, result + target.offset + y * target.bytesPerLine, left..<end)
        }
      }
    }
  }

  /// Of one line of the target.
  @inline(__always)
  private func move(_ source: UnsafePointer<UInt8>, _ result: UnsafeMutablePointer<UInt8>, _ columns: Range<Int>) {
    if let pair {
      for x in columns {
        let at = source + x * across
        result[x * target.step] = UInt8((Int(at[0]) + Int(at[pair]) + 1) / 2)
      }
    } else {
      for x in columns { result[x * target.step] = source[x * across] }
    }
  }
}
