import CFFmpeg
import CFFmpegShim

/// What all calls into libav share.
enum LibAV {
  /// Once, before the first call: libav writes to stderr otherwise.
  static let quiet: Void = cff_log_install()

  /// Calls `body`, which gives a code of libav.
  /// - Returns: the code if it is not negative or is one of `expected`, else throws why.
  static func call(
    _ encoder: String, expecting expected: Int32..., body: () -> Int32
  ) throws(CodecError) -> Int32 {
    cff_log_clear()
    let code = body()
    guard code >= 0 || expected.contains(code) else { throw .encoding(encoder: encoder, reason: reason(code)) }
    return code
  }

  static func free(_ packet: UnsafeMutablePointer<AVPacket>) {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  private static func reason(_ code: Int32) -> String {
    let said = String(cString: cff_log_first_error())
    var buffer = [CChar](repeating: 0, count: 128)
    av_strerror(code, &buffer, buffer.count)
    let text = buffer.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return said.isEmpty ? text : "\(text): \(said)"
  }
}

/// An `AVFrame` that is freed with its holder.
final class LibAVFrame {
  let pointer: UnsafeMutablePointer<AVFrame>

  init() throws(CodecError) {
    guard let pointer = av_frame_alloc() else { throw .outOfMemory }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }
}
