import CFFmpeg
import CFFmpegShim
import CamrigModel
import Frames

/// Decodes the H.264 of a camera: no picture is kept back, and one that is damaged is none. For one owner.
final class H264Decoder {
  private static let name = "h264"

  private let context: UnsafeMutablePointer<AVCodecContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  /// The last one decoded is in `picture`, the next one comes into `spare`.
  private var picture: LibAVFrame
  private var spare: LibAVFrame

  init() throws(CodecError) {
    _ = LibAV.quiet
    picture = try LibAVFrame()
    spare = try LibAVFrame()
    guard let codec = avcodec_find_decoder(AV_CODEC_ID_H264)
    else { throw .decoding(reason: "libavcodec has no decoder for H.264") }
    guard let packet = av_packet_alloc() else { throw .outOfMemory }
    guard let context = avcodec_alloc_context3(codec) else {
      LibAV.free(packet)
      throw .outOfMemory
    }
    self.packet = packet
    self.context = context
    // One thread, and no picture waits for the next one: cameras send no B-frames.
    context.pointee.thread_count = 1
    // The 36,864 macroblocks of level 5.2, 4096x2304. What a damaged header asks for beyond that could take gigabytes.
    context.pointee.max_pixels = 36_864 * 256
    context.pointee.flags |= Int32(bitPattern: UInt32(AV_CODEC_FLAG_LOW_DELAY))
    _ = try LibAV.call(Self.name) { avcodec_open2(context, codec, nil) }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
    LibAV.free(packet)
  }

  /// Forgets all pictures; the next one is a keyframe.
  func startOver() { avcodec_flush_buffers(context) }

  /// Decodes all and shows the last one: those before it that no other builds on are passed over.
  /// - Parameters:
  ///   - frames: Annex B; each follows the one before it.
  ///   - sets: given to the decoder before them, where the stream does not repeat them.
  /// - Returns: the picture of the last frame, valid until the next call; nil if there is none (parameter sets only).
  func decode(
    _ frames: [Frame], after sets: H264ParameterSets?
  ) throws(CodecError) -> UnsafeMutablePointer<AVFrame>? {
    var head: [UInt8] = []
    if let sets { for set in sets.sequence + sets.picture { head += [0, 0, 0, 1] + set } }
    var shown = false
    for (index, frame) in frames.enumerated() {
      context.pointee.skip_frame = index + 1 < frames.count ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
      try send(frame, after: head)
      head = []
      while try receive() { shown = true }
    }
    return shown ? picture.pointer : nil
  }

  private func send(_ frame: Frame, after head: [UInt8]) throws(CodecError) {
    av_packet_unref(packet)
    // libav reads a little beyond the end, so the bytes are copied to where it may.
    guard av_new_packet(packet, Int32(head.count + frame.byteCount)) == 0 else { throw .outOfMemory }
    defer { av_packet_unref(packet) }
    let target = UnsafeMutableRawBufferPointer(start: packet.pointee.data, count: head.count + frame.byteCount)
    target.copyBytes(from: head)
    UnsafeMutableRawBufferPointer(rebasing: target[head.count...]).copyMemory(from: frame.unsafeBytes)
    _ = try call { avcodec_send_packet(context, packet) }
  }

  private func receive() throws(CodecError) -> Bool {
    let code = try call { avcodec_receive_frame(context, spare.pointer) }
    guard code >= 0 else { return false }
    guard spare.pointer.pointee.decode_error_flags == 0,
      spare.pointer.pointee.flags & Int32(AV_FRAME_FLAG_CORRUPT) == 0
    else { throw .decoding(reason: "the picture is damaged") }
    swap(&picture, &spare)
    return true
  }

  private func call(_ body: () -> Int32) throws(CodecError) -> Int32 {
    do throws(CodecError) {
      return try LibAV.call(Self.name, expecting: cff_error_again(), cff_error_eof(), body: body)
    } catch {
      guard case .encoding(_, let reason) = error else { throw error }
      throw .decoding(reason: reason)
    }
  }
}
