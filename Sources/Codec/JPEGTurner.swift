import CTurboJPEG
import CamrigModel
import Frames

/// Turns JPEGs without loss: the coefficients are moved, not decoded (`tjTransform`). What comes out has the standard
/// Huffman tables, no restart markers, and of the camera's other segments none.
package final class JPEGTurner: PictureTurner {
  private let setting: PictureSetting
  private let pool: FramePool
  private let handle: tjhandle
  private let workspace = KeptMemory()
  /// Written anew for each picture.
  private var memory: UnsafeMutablePointer<UInt8>?
  private var capacity: UInt = 0
  /// Of the last picture.
  private var plan: (header: Header, geometry: PictureGeometry)?

  private struct Header: Hashable {
    let size: PixelSize
    /// One of `TJSAMP`.
    let sampling: Int32
  }

  package init(_ setting: PictureSetting, pool: FramePool = FramePool()) throws(CodecError) {
    guard let handle = tjInitTransform() else { throw .jpeg(String(cString: tjGetErrorStr2(nil))) }
    self.setting = setting
    self.pool = pool
    self.handle = handle
  }

  deinit {
    tjDestroy(handle)
    tjFree(memory)
  }

  package func format(of frame: Frame) throws(TurnRefusal) -> VideoFormat {
    VideoFormat(.mjpeg, try geometry(frame).size, rate: nil)
  }

  package func turn(_ frame: Frame) throws(CodecError) -> Frame {
    let geometry: PictureGeometry
    do throws(TurnRefusal) { geometry = try self.geometry(frame) } catch { throw .jpeg("\(error)") }
    try makeRoom(frame.size)
    let bytes = frame.unsafeBytes.assumingMemoryBound(to: UInt8.self).baseAddress
    var target = memory
    var count = capacity
    var transform = geometry.transform
    // Of the picture before; what fails leaves it.
    memory?[0] = 0
    let result = tjTransform(
      handle, bytes, UInt(frame.byteCount), 1, &target, &count, &transform, TJFLAG_NOREALLOC | TJFLAG_LIMITSCANS)
    // Behind a warning all coefficients that could be read are there, damaged as the camera sent them.
    // An error behind it counts as a warning, too, and leaves no end.
    guard result == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) && isWhole(Int(count)) else {
      throw .jpeg(said)
    }
    return Frame(
      pool.buffer(copying: UnsafeRawBufferPointer(start: memory, count: Int(count))), format: .mjpeg,
      size: geometry.size, presentationTime: frame.presentationTime, run: frame.run, sequence: frame.sequence,
      isKeyframe: true)
  }

  private func isWhole(_ count: Int) -> Bool {
    guard let memory, count > 4 else { return false }
    return memory[0] == 0xff && memory[1] == 0xd8 && memory[count - 2] == 0xff && memory[count - 1] == 0xd9
  }

  private var said: String { String(cString: tjGetErrorStr2(handle)) }

  private func geometry(_ frame: Frame) throws(TurnRefusal) -> PictureGeometry {
    guard let header = header(frame) else { throw .sampling }
    if let plan, plan.header == header { return plan.geometry }
    // libturbojpeg has no name for what 4:1:1 becomes, and most programs cannot show it.
    if setting.rotation.swapsAxes, header.sampling == Int32(TJSAMP_411.rawValue) { throw .sampledInFours }
    let unit = mcu(header.sampling)
    let square = max(unit.width, unit.height)
    // libturbojpeg holds the corner of a part to the MCU of before or after turning, by its version: both fit then.
    let partUnit = setting.rotation.swapsAxes ? PixelSize(width: square, height: square) : unit
    guard let geometry = PictureGeometry(setting, source: header.size, unit: unit, partUnit: partUnit)
    else { throw .tooSmall(header.size) }
    plan = (header, geometry)
    return geometry
  }

  private func header(_ frame: Frame) -> Header? {
    let bytes = frame.unsafeBytes.assumingMemoryBound(to: UInt8.self).baseAddress
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, -1, 0)
    guard
      tjDecompressHeader3(handle, bytes, UInt(frame.byteCount), &width, &height, &sampling, &space) == 0,
      width > 0, height > 0, (0..<TJ_NUMSAMP).contains(sampling)
    else { return nil }
    return Header(size: PixelSize(width: Int(width), height: Int(height)), sampling: sampling)
  }

  /// Enough for any sampling, lying or standing.
  private func makeRoom(_ size: PixelSize) throws(CodecError) {
    let (width, height) = (Int32(size.width), Int32(size.height))
    let needed = (0..<TJ_NUMSAMP).flatMap { [tjBufSize(width, height, $0), tjBufSize(height, width, $0)] }.max() ?? 0
    guard needed > capacity else { return }
    tjFree(memory)
    capacity = 0
    memory = tjAlloc(Int32(clamping: needed))
    guard memory != nil else { throw .outOfMemory }
    capacity = needed
  }
}

private func mcu(_ sampling: Int32) -> PixelSize {
  switch TJSAMP(rawValue: UInt32(sampling)) {
  case TJSAMP_420: PixelSize(width: 16, height: 16)
  case TJSAMP_422: PixelSize(width: 16, height: 8)
  case TJSAMP_440: PixelSize(width: 8, height: 16)
  case TJSAMP_411: PixelSize(width: 32, height: 8)
  default: PixelSize(width: 8, height: 8)
  }
}

extension PictureGeometry {
  fileprivate var transform: tjtransform {
    let operation =
      switch (swapsAxes, reversesColumns, reversesRows) {
      case (false, false, false): TJXOP_NONE
      case (false, true, false): TJXOP_HFLIP
      case (false, false, true): TJXOP_VFLIP
      case (false, true, true): TJXOP_ROT180
      case (true, false, false): TJXOP_TRANSPOSE
      case (true, true, true): TJXOP_TRANSVERSE
      case (true, false, true): TJXOP_ROT90
      case (true, true, false): TJXOP_ROT270
      }
    var transform = tjtransform()
    transform.op = Int32(operation.rawValue)
    transform.options = TJXOPT_TRIM | TJXOPT_COPYNONE
    if isPart {
      transform.options |= TJXOPT_CROP
      transform.r = tjregion(x: Int32(x), y: Int32(y), w: Int32(size.width), h: Int32(size.height))
    }
    return transform
  }
}
