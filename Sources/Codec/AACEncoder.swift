import CFFmpeg
import CFFmpegShim

/// AAC-LC by libavcodec's own encoder. Used by one thread.
package final class AACEncoder {
  /// Sample frames of each packet.
  package static let packetLength = 1024
  private static let name = "aac"
  private static let bitsPerChannel: Int64 = 96_000

  /// AudioSpecificConfig, for the movie.
  package let configuration: [UInt8]
  /// Sample frames that come out before the first that went in.
  package let priming: Int
  private let channels: Int
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: LibAVFrame
  private let packet: UnsafeMutablePointer<AVPacket>
  /// Interleaved, less than a packet.
  private var waiting: [Float] = []
  private var time: Int64 = 0

  package init(rate: Int, channels: Int) throws(CodecError) {
    _ = LibAV.quiet
    guard let codec = avcodec_find_encoder_by_name(Self.name)
    else { throw .encoding(encoder: Self.name, reason: "it is not installed") }
    frame = try LibAVFrame()
    guard let packet = av_packet_alloc() else { throw .outOfMemory }
    guard let context = avcodec_alloc_context3(codec) else {
      LibAV.free(packet)
      throw .outOfMemory
    }
    self.channels = channels
    self.packet = packet
    self.context = context
    context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    context.pointee.sample_rate = Int32(rate)
    context.pointee.time_base = AVRational(num: 1, den: Int32(rate))
    context.pointee.bit_rate = Self.bitsPerChannel * Int64(channels)
    context.pointee.flags |= Int32(bitPattern: UInt32(AV_CODEC_FLAG_GLOBAL_HEADER))
    cff_codec_set_channels(context, Int32(channels))
    // Half of the time of the better search, and at this rate of bits nobody hears it.
    av_opt_set(context, "aac_coder", "fast", AV_OPT_SEARCH_CHILDREN)
    do throws(CodecError) {
      _ = try LibAV.call(Self.name) { avcodec_open2(context, codec, nil) }
    } catch {
      Self.free(context, packet)
      throw error
    }
    priming = Int(context.pointee.initial_padding)
    configuration = Array(
      UnsafeBufferPointer(start: context.pointee.extradata, count: Int(context.pointee.extradata_size)))
    frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
    frame.pointer.pointee.sample_rate = Int32(rate)
    frame.pointer.pointee.nb_samples = Int32(Self.packetLength)
    cff_frame_set_channels(frame.pointer, Int32(channels))
    _ = try LibAV.call(Self.name) { av_frame_get_buffer(frame.pointer, 0) }
  }

  deinit { Self.free(context, packet) }

  private static func free(_ context: UnsafeMutablePointer<AVCodecContext>, _ packet: UnsafeMutablePointer<AVPacket>) {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
    LibAV.free(packet)
  }

  /// The packets that `samples`, interleaved, complete.
  package func encode(_ samples: [Float]) throws(CodecError) -> [[UInt8]] {
    waiting += samples
    let length = Self.packetLength * channels
    var packets: [[UInt8]] = []
    var first = 0
    while waiting.count - first >= length {
      try send(waiting[first..<first + length])
      packets += try receive()
      first += length
    }
    waiting.removeFirst(first)
    return packets
  }

  /// The rest, the last packet filled up with silence. Nothing may be given to it after that.
  package func finish() throws(CodecError) -> [[UInt8]] {
    if !waiting.isEmpty { try send(waiting[...]) }
    waiting = []
    _ = try LibAV.call(Self.name, expecting: cff_error_eof()) { avcodec_send_frame(context, nil) }
    return try receive()
  }

  private func send(_ samples: ArraySlice<Float>) throws(CodecError) {
    let frame = frame.pointer
    // libav may still look at what it was given before.
    _ = try LibAV.call(Self.name) { av_frame_make_writable(frame) }
    let count = samples.count / channels
    samples.withUnsafeBufferPointer { samples in
      for channel in 0..<channels {
        guard let plane = frame.pointee.extended_data[channel] else { return }
        plane.withMemoryRebound(to: Float.self, capacity: Self.packetLength) { plane in
          for place in 0..<count { plane[place] = samples[place * channels + channel] }
          for place in count..<Self.packetLength { plane[place] = 0 }
        }
      }
    }
    frame.pointee.pts = time
    time += Int64(Self.packetLength)
    _ = try LibAV.call(Self.name) { avcodec_send_frame(context, frame) }
  }

  private func receive() throws(CodecError) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    while true {
      let code = try LibAV.call(Self.name, expecting: cff_error_again(), cff_error_eof()) {
        avcodec_receive_packet(context, packet)
      }
      guard code >= 0 else { return packets }
      defer { av_packet_unref(packet) }
      packets.append(Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))))
    }
  }
}
