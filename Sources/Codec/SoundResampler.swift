import CFFmpeg
import CFFmpegShim
import CamrigModel

/// Sound at another rate, which may be changed from block to block without a click. Samples are interleaved, full
/// scale ±1; the first that comes out is of the same moment as the first that went in. Used by one thread.
package final class SoundResampler {
  private let handle: OpaquePointer
  private let channels: Int
  private let expansion: Double
  private var hasBegun = false

  package init(channels: Int, rate: Int, to toRate: Int) throws(CodecError) {
    _ = LibAV.quiet
    guard let handle = cff_resampler_make(Int32(channels), Int32(rate), Int32(toRate))
    else { throw .soundFormat(rate: rate, channels: channels) }
    self.handle = handle
    self.channels = channels
    expansion = Double(toRate) / Double(rate)
  }

  deinit { cff_resampler_free(handle) }

  /// By how much the next sample frame to come out is earlier than the next one to go in.
  package var delay: Duration { hasBegun ? .nanoseconds(cff_resampler_delay(handle)) : .zero }

  /// - Parameter ratio: so many times as much comes out as the two rates say; about 1.
  package func resample(_ samples: ArraySlice<Float>, ratio: Double) throws(CodecError) -> [Float] {
    hasBegun = true
    _ = try LibAV.call("libswresample") { cff_resampler_ratio(handle, ratio) }
    // What it holds comes out too; its filter has 32 taps, of the lower rate.
    let room = Int(Double(samples.count / channels + 64) * expansion * max(ratio, 1)) + 256
    return try run(samples, count: samples.count / channels, room: room)
  }

  /// What it still holds, as if silence followed. Nothing may be given to it after that.
  package func finish() throws(CodecError) -> [Float] {
    guard hasBegun else { return [] }
    return try run(nil, count: 0, room: Int(256 * max(expansion, 1)))
  }

  private func run(_ samples: ArraySlice<Float>?, count: Int, room: Int) throws(CodecError) -> [Float] {
    cff_log_clear()
    var code: Int32 = 0
    let out = [Float](unsafeUninitializedCapacity: room * channels) { buffer, filled in
      code =
        samples?.withUnsafeBufferPointer {
          cff_resampler_run(handle, $0.baseAddress, Int32(count), buffer.baseAddress, Int32(room))
        } ?? cff_resampler_run(handle, nil, 0, buffer.baseAddress, Int32(room))
      filled = max(0, Int(code)) * channels
    }
    _ = try LibAV.call("libswresample") { code }
    return out
  }
}
