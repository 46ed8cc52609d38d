import CFFmpeg
import CFFmpegShim
import CamrigModel
import Frames

/// One opened encoder of libavcodec.
final class LibAVSession {
  let name: String
  private let library: String
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let converter: PictureConverter
  /// Only with a graphics card: pictures are copied into its memory.
  private let card: GraphicsCard?

  init(_ candidate: EncoderCandidate, format: VideoFormat, settings: EncoderSettings) throws(CodecError) {
    _ = LibAV.quiet
    library = candidate.libraryName
    let preset = X264Preset(format)
    switch candidate {
    case .v4l2: name = library
    case .vaapi(let device): name = "\(library) (\(device))"
    case .x264: name = "\(library) (\(preset.rawValue))"
    }
    guard let codec = avcodec_find_encoder_by_name(library)
    else { throw .encoding(encoder: library, reason: "it is not installed") }
    // Both forms of 4:2:0 are taken by libx264 and by codecs on chip; cards take one.
    let pixels: AVPixelFormat
    switch candidate {
    case .v4l2, .x264: pixels = format.pixelFormat == .nv12 ? AV_PIX_FMT_NV12 : AV_PIX_FMT_YUV420P
    case .vaapi: pixels = AV_PIX_FMT_NV12
    }
    converter = try PictureConverter(format, to: pixels)
    if case .vaapi(let device) = candidate {
      card = try GraphicsCard(device, size: format.size)
    } else {
      card = nil
    }
    guard let packet = av_packet_alloc() else { throw .outOfMemory }
    guard let context = avcodec_alloc_context3(codec) else {
      LibAV.free(packet)
      throw .outOfMemory
    }
    self.packet = packet
    self.context = context
    Self.prepare(context, format, pixels: card == nil ? pixels : AV_PIX_FMT_VAAPI, settings)
    if let card { context.pointee.hw_frames_ctx = av_buffer_ref(card.frames) }
    switch candidate {
    case .x264: Self.prepareX264(context, preset, settings)
    case .vaapi: Self.option(context, "qp", "\(settings.rateFactor + 2)")
    // It knows bit rates only: a tenth of a bit a pixel and picture.
    case .v4l2: context.pointee.bit_rate = Int64(Double(format.size.area) * (format.rate?.perSecond ?? 30) / 10)
    }
    _ = try LibAV.call(library) { avcodec_open2(context, codec, nil) }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
    LibAV.free(packet)
  }

  /// What is known of the stream before its first picture: Annex B with parameter sets, or nothing.
  var header: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: context.pointee.extradata, count: Int(max(0, context.pointee.extradata_size)))
  }

  /// - Parameter time: in microseconds, later than the last one.
  func send(_ frame: Frame, time: Int64, keyframe: Bool) throws(CodecError) {
    var picture = try converter.convert(frame)
    // libav made its own reference if it still needs the picture.
    defer { converter.release() }
    if let card { picture = try card.upload(picture) }
    picture.pointee.pts = time
    picture.pointee.pict_type = keyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    _ = try LibAV.call(library) { avcodec_send_frame(context, picture) }
  }

  /// After this only `receive` may be called.
  func sendEnd() throws(CodecError) {
    _ = try LibAV.call(library, expecting: cff_error_eof()) { avcodec_send_frame(context, nil) }
  }

  /// Calls `body` with each picture that is ready: Annex B, and its time.
  func receive(_ body: (UnsafeRawBufferPointer, Int64) throws(CodecError) -> Void) throws(CodecError) {
    while true {
      let code = try LibAV.call(library, expecting: cff_error_again(), cff_error_eof()) {
        avcodec_receive_packet(context, packet)
      }
      guard code >= 0 else { return }
      defer { av_packet_unref(packet) }
      try body(UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)), packet.pointee.pts)
    }
  }

  // MARK: Settings

  private static func prepare(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ format: VideoFormat, pixels: AVPixelFormat,
    _ settings: EncoderSettings
  ) {
    let rate = format.rate ?? FrameRate(30)
    context.pointee.width = Int32(format.size.width)
    context.pointee.height = Int32(format.size.height)
    context.pointee.pix_fmt = pixels
    context.pointee.time_base = AVRational(num: 1, den: 1_000_000)
    // For the rate control; the pictures' times decide.
    context.pointee.framerate = AVRational(num: Int32(clamping: rate.numerator), den: Int32(clamping: rate.denominator))
    context.pointee.max_b_frames = 0
    // Keyframes are asked for by time. This is for encoders that do not listen.
    let pictures = rate.perSecond * settings.keyframeInterval.inSeconds
    context.pointee.gop_size = Int32(max(1, min(pictures * 2, 600)))
    context.pointee.flags |= Int32(bitPattern: UInt32(AV_CODEC_FLAG_GLOBAL_HEADER))
    // What V4L2 says of cameras without other word: sRGB colours in BT.601's luma and chroma, narrow range.
    context.pointee.color_range = AVCOL_RANGE_MPEG
    context.pointee.colorspace = AVCOL_SPC_SMPTE170M
    context.pointee.color_primaries = AVCOL_PRI_BT709
    context.pointee.color_trc = AVCOL_TRC_BT709
  }

  private static func prepareX264(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ preset: X264Preset, _ settings: EncoderSettings
  ) {
    context.pointee.thread_count = Int32(min(X264Preset.cores, 4))
    option(context, "preset", preset.rawValue)
    option(context, "tune", "zerolatency")
    option(context, "crf", "\(settings.rateFactor)")
    option(context, "forced-idr", "1")
    // A cut in the scene costs more bits in an intra picture; another keyframe would only make rates uneven.
    option(context, "sc_threshold", "0")
  }

  /// An encoder that does not know an option works without it.
  private static func option(_ context: UnsafeMutablePointer<AVCodecContext>, _ name: String, _ value: String) {
    av_opt_set(context, name, value, AV_OPT_SEARCH_CHILDREN)
  }
}
