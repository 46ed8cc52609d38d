import CFFmpeg
import CamrigModel
import Frames

/// Makes small JPEGs of a camera's pictures, whatever their format. For one owner, such as a preview's thread.
///
/// MJPEG is reduced while it is decoded, H.264 is decoded, and both and raw pictures are compressed from planes: nothing
/// becomes RGB. A picture that several want in one size is scaled once.
package final class PreviewRenderer {
  private let pool: FramePool
  private let parameterSets: () -> H264ParameterSets?
  /// The picture that `render` makes something of.
  package private(set) var current: Frame?

  private var reducer: JPEGReducer?
  private var decoder: H264Decoder?
  private var decoded: UnsafeMutablePointer<AVFrame>?
  private var scaler: PictureScaler?
  private var converter: (format: VideoFormat, size: PixelSize, converter: PictureConverter)?
  /// Of the current picture.
  private var planes: (size: PixelSize, planes: PicturePlanes)?
  private var compressors: [JPEGCompressor] = []

  /// - Parameter parameterSets: of an H.264 camera, those it has sent so far.
  package init(pool: FramePool = FramePool(), parameterSets: @escaping () -> H264ParameterSets? = { nil }) {
    self.pool = pool
    self.parameterSets = parameterSets
  }

  /// Lets go of the current picture; what an H.264 camera sends next builds on nothing.
  package func forget() {
    letGo()
    decoder?.startOver()
  }

  private func letGo() {
    current = nil
    planes = nil
    decoded = nil
    converter?.converter.release()
  }

  /// Makes the newest of these the current picture. If it throws, there is none, and of an H.264 camera none before
  /// the next keyframe.
  package func take(_ pictures: FrameTap.Pictures) throws(CodecError) {
    letGo()
    let newest = pictures.newest
    guard newest.format == .h264 else {
      current = newest
      return
    }
    do throws(CodecError) {
      let decoder = if let decoder { decoder } else { try H264Decoder() }
      self.decoder = decoder
      if pictures.beginAfresh { decoder.startOver() }
      decoded = try decoder.decode(pictures.frames, after: pictures.beginAfresh ? parameterSets() : nil)
    } catch {
      decoder?.startOver()
      throw error
    }
    if decoded != nil { current = newest }
  }

  /// The current picture as JPEG, with its time, run and sequence.
  /// - Parameters:
  ///   - size: MJPEG pictures become the largest eighth of theirs that fits in; others become of this size, which has
  ///     even numbers.
  ///   - quality: libjpeg's scale, 1...100.
  /// - Returns: nil if there is no current picture.
  package func render(_ size: PixelSize, quality: Int) throws(CodecError) -> Frame? {
    guard let current else { return nil }
    let planes = try planes(of: current, size)
    let bytes = try compressor(for: planes).compress(planes, quality: min(max(quality, 1), 100))
    return Frame(
      pool.buffer(copying: bytes), format: .mjpeg, size: planes.size, presentationTime: current.presentationTime,
      run: current.run, sequence: current.sequence, isKeyframe: true)
  }

  /// The mean luma of the current picture, 0…255, as it looks at an eighth of its size.
  /// - Returns: nil if there is no current picture.
  package func brightness() throws(CodecError) -> Double? {
    guard let current else { return nil }
    func eighth(_ length: Int) -> Int { max(16, length / 8 & ~1) }
    let size = PixelSize(width: eighth(current.size.width), height: eighth(current.size.height))
    return try planes(of: current, size).meanLuma
  }

  private func planes(of frame: Frame, _ size: PixelSize) throws(CodecError) -> PicturePlanes {
    if let planes, planes.size == size { return planes.planes }
    // It points into memory that is written now.
    planes = nil
    let made: PicturePlanes
    switch frame.format {
    case .mjpeg:
      let reducer = if let reducer { reducer } else { try JPEGReducer() }
      self.reducer = reducer
      made = try reducer.reduce(frame, within: size)
    case .h264:
      guard let decoded else { throw .decoding(reason: "there is no picture") }
      let scaler = if let scaler { scaler } else { try PictureScaler() }
      self.scaler = scaler
      made = try scaler.scale(decoded, to: size)
    case .yuyv, .uyvy, .nv12, .yu12, .grey:
      made = PicturePlanes(try rawConverter(frame, size).convert(frame))
    }
    planes = (size, made)
    return made
  }

  private func rawConverter(_ frame: Frame, _ size: PixelSize) throws(CodecError) -> PictureConverter {
    let format = VideoFormat(frame.format, frame.size, rate: nil, bytesPerLine: frame.bytesPerLine)
    if let converter, converter.format == format, converter.size == size { return converter.converter }
    converter = nil
    let made = try PictureConverter(
      format, to: frame.format == .grey ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_YUVJ420P, size: size)
    converter = (format, size, made)
    return made
  }

  /// The last few are kept: several sizes may be wanted of each picture.
  private func compressor(for planes: PicturePlanes) throws(CodecError) -> JPEGCompressor {
    if let index = compressors.firstIndex(where: { $0.fits(planes) }) {
      compressors.append(compressors.remove(at: index))
    } else {
      compressors.append(try JPEGCompressor(size: planes.size, sampling: planes.sampling))
      if compressors.count > 4 { compressors.removeFirst() }
    }
    return compressors[compressors.count - 1]
  }
}
