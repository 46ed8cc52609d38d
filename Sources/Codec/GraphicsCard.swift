import CFFmpeg
import CamrigModel

/// The memory of a graphics card that encodes (VAAPI).
final class GraphicsCard {
  let frames: UnsafeMutablePointer<AVBufferRef>
  private let uploaded: LibAVFrame

  /// - Parameter device: a render node such as `/dev/dri/renderD128`.
  init(_ device: String, size: PixelSize) throws(CodecError) {
    uploaded = try LibAVFrame()
    var made: UnsafeMutablePointer<AVBufferRef>?
    _ = try LibAV.call("VAAPI") { av_hwdevice_ctx_create(&made, AV_HWDEVICE_TYPE_VAAPI, device, nil, 0) }
    // The frames hold the device.
    defer { av_buffer_unref(&made) }
    guard let card = made, let frames = av_hwframe_ctx_alloc(card) else { throw .outOfMemory }
    self.frames = frames
    let context = UnsafeMutableRawPointer(frames.pointee.data!).assumingMemoryBound(to: AVHWFramesContext.self)
    context.pointee.format = AV_PIX_FMT_VAAPI
    context.pointee.sw_format = AV_PIX_FMT_NV12
    context.pointee.width = Int32(size.width)
    context.pointee.height = Int32(size.height)
    // Enough for what the encoder keeps when it does not look ahead.
    context.pointee.initial_pool_size = 8
    _ = try LibAV.call("VAAPI") { av_hwframe_ctx_init(frames) }
  }

  deinit {
    var frames: UnsafeMutablePointer<AVBufferRef>? = frames
    av_buffer_unref(&frames)
  }

  /// - Returns: the picture in the card's memory; valid until the next call.
  func upload(_ picture: UnsafeMutablePointer<AVFrame>) throws(CodecError) -> UnsafeMutablePointer<AVFrame> {
    av_frame_unref(uploaded.pointer)
    _ = try LibAV.call("VAAPI") { av_hwframe_get_buffer(frames, uploaded.pointer, 0) }
    _ = try LibAV.call("VAAPI") { av_hwframe_transfer_data(uploaded.pointer, picture, 0) }
    return uploaded.pointer
  }
}
