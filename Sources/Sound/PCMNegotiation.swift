import CALSA
import CamrigModel
import Glibc

/// Agrees with a device on what it delivers: never "exactly this", always "what comes nearest", and what was granted
/// is what counts (webcams have 16 or 32 kHz only, or two channels only).
struct PCMNegotiation {
  private let pcm: OpaquePointer
  private let name: String

  init(_ pcm: OpaquePointer, _ name: String) {
    self.pcm = pcm
    self.name = name
  }

  func agree(_ wish: SoundWish) throws(SoundError) -> SoundFormat {
    let (format, period) = try hardware(wish)
    try software(period)
    return format
  }

  private func hardware(_ wish: SoundWish) throws(SoundError) -> (SoundFormat, period: snd_pcm_uframes_t) {
    var made: OpaquePointer?
    try check("memory", snd_pcm_hw_params_malloc(&made))
    guard let params = made else { throw .refused(device: name, call: "memory", errno: ENOMEM) }
    defer { snd_pcm_hw_params_free(params) }
    try check("hw_params_any", snd_pcm_hw_params_any(pcm, params))
    // Only what the device itself can do.
    try check("rate_resample", snd_pcm_hw_params_set_rate_resample(pcm, params, 0))
    try check("access", snd_pcm_hw_params_set_access(pcm, params, SND_PCM_ACCESS_RW_INTERLEAVED))
    // The rate first: a finer format is no reason for another rate.
    var rate = UInt32(wish.rate)
    try check("rate", snd_pcm_hw_params_set_rate_near(pcm, params, &rate, nil))
    var channels = UInt32(wish.channels)
    try check("channels", snd_pcm_hw_params_set_channels_near(pcm, params, &channels))
    guard
      let sample = SampleFormat.allCases.first(where: { snd_pcm_hw_params_test_format(pcm, params, $0.alsa) == 0 })
    else { throw .noUsableFormat(device: name) }
    try check("format", snd_pcm_hw_params_set_format(pcm, params, sample.alsa))
    var buffer = UInt32(clamping: wish.buffer.inNanoseconds / 1000)
    try check("buffer", snd_pcm_hw_params_set_buffer_time_near(pcm, params, &buffer, nil))
    var period = UInt32(clamping: wish.period.inNanoseconds / 1000)
    try check("period", snd_pcm_hw_params_set_period_time_near(pcm, params, &period, nil))
    try check("hw_params", snd_pcm_hw_params(pcm, params))
    var frames: snd_pcm_uframes_t = 0
    try check("period_size", snd_pcm_hw_params_get_period_size(params, &frames, nil))
    let bits = snd_pcm_hw_params_get_sbits(params)
    return (
      SoundFormat(sample, rate: Int(rate), channels: Int(channels), significantBits: bits > 0 ? Int(bits) : nil), frames
    )
  }

  private func software(_ period: snd_pcm_uframes_t) throws(SoundError) {
    var made: OpaquePointer?
    try check("memory", snd_pcm_sw_params_malloc(&made))
    guard let params = made else { throw .refused(device: name, call: "memory", errno: ENOMEM) }
    defer { snd_pcm_sw_params_free(params) }
    try check("sw_params_current", snd_pcm_sw_params_current(pcm, params))
    try check("avail_min", snd_pcm_sw_params_set_avail_min(pcm, params, period))
    try check("tstamp_mode", snd_pcm_sw_params_set_tstamp_mode(pcm, params, SND_PCM_TSTAMP_ENABLE))
    // The clock of the pictures.
    try check("tstamp_type", snd_pcm_sw_params_set_tstamp_type(pcm, params, SND_PCM_TSTAMP_TYPE_MONOTONIC))
    try check("sw_params", snd_pcm_sw_params(pcm, params))
  }

  private func check(_ call: String, _ result: Int32) throws(SoundError) {
    if result < 0 { throw SoundError(name, call, result) }
  }
}
