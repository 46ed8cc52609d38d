import CALSA
import CLinux
import CamrigModel
import Glibc

/// One open ALSA capture device, from its opening to its end. For one thread.
package final class CapturePCM {
  package enum Reading {
    case piece(SoundPiece)
    case nothing
    /// Sound was lost since the last piece; it runs again, and its count has begun anew.
    case interrupted
  }

  package enum Wait { case ready, woken, timeout }

  package let name: String
  package let format: SoundFormat
  private let pcm: OpaquePointer
  private let status: OpaquePointer
  /// Room for a tenth of a second: so much at most is one piece.
  private let memory: UnsafeMutableRawBufferPointer
  private let mostFrames: Int
  private var isOpen = true

  /// - Parameter name: `hw:1,0`. No conversion is done by libasound (`plughw`, `dsnoop`): it would hide the real rate.
  package init(_ name: String, _ wish: SoundWish = SoundWish()) throws(SoundError) {
    _ = SoundLibrary.isQuiet
    var handle: OpaquePointer?
    let result = snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
    guard result >= 0, let handle else { throw SoundError(name, "open", result) }
    do throws(SoundError) {
      let format = try PCMNegotiation(handle, name).agree(wish)
      var status: OpaquePointer?
      let made = snd_pcm_status_malloc(&status)
      guard let status else { throw SoundError(name, "memory", made) }
      self.format = format
      self.status = status
    } catch {
      snd_pcm_close(handle)
      throw error
    }
    self.name = name
    pcm = handle
    mostFrames = max(1, format.rate / 10)
    memory = .allocate(byteCount: mostFrames * format.frameBytes, alignment: 16)
  }

  deinit {
    close()
    memory.deallocate()
    snd_pcm_status_free(status)
  }

  package func start() throws(SoundError) {
    let result = snd_pcm_start(pcm)
    guard result >= 0 else { throw SoundError(name, "start", result) }
  }

  /// Idempotent.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    snd_pcm_close(pcm)
  }

  /// Until there is sound, `wake` can be read, or `timeout` is over.
  package func wait(_ timeout: Duration, wake: Int32) throws(SoundError) -> Wait {
    let count = snd_pcm_poll_descriptors_count(pcm)
    guard count >= 0 else { throw SoundError(name, "poll", count) }
    var waits = [pollfd](repeating: pollfd(), count: Int(count))
    let filled = snd_pcm_poll_descriptors(pcm, &waits, UInt32(count))
    guard filled >= 0 else { throw SoundError(name, "poll", filled) }
    waits.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0))
    let milliseconds = (timeout.inNanoseconds + 999_999) / 1_000_000
    guard poll(&waits, nfds_t(waits.count), Int32(clamping: max(0, milliseconds))) > 0 else { return .timeout }
    if waits[waits.count - 1].revents != 0 { return .woken }
    var events: UInt16 = 0
    let result = snd_pcm_poll_descriptors_revents(pcm, &waits, UInt32(filled), &events)
    guard result >= 0 else { throw SoundError(name, "poll", result) }
    // An error shows in the state, which reading looks at.
    return events == 0 ? .timeout : .ready
  }

  package func read() throws(SoundError) -> Reading {
    var result = snd_pcm_status(pcm, status)
    guard result >= 0 else { throw SoundError(name, "status", result) }
    switch snd_pcm_status_get_state(status) {
    case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING: break
    case SND_PCM_STATE_XRUN, SND_PCM_STATE_SUSPENDED, SND_PCM_STATE_SETUP, SND_PCM_STATE_PREPARED:
      return try startAgain()
    default: throw .unplugged(device: name)
    }
    let available = Int(snd_pcm_status_get_avail(status))
    guard available > 0 else { return .nothing }
    let time = stamp()
    let wanted = min(available, mostFrames)
    let taken = snd_pcm_readi(pcm, memory.baseAddress, snd_pcm_uframes_t(wanted))
    guard taken >= 0 else {
      result = Int32(clamping: taken)
      switch -result {
      case EAGAIN: return .nothing
      case EPIPE, ESTRPIPE: return try startAgain()
      default: throw SoundError(name, "read", result)
      }
    }
    guard taken > 0 else { return .nothing }
    let bytes = UnsafeRawBufferPointer(rebasing: memory[..<(taken * format.frameBytes)])
    return .piece(SoundPiece(samples: format.sample.floats(bytes), stampedFrames: available, time: time))
  }

  /// Of the newest sample frame that is available.
  private func stamp() -> MediaTime {
    var time = timespec()
    snd_pcm_status_get_htstamp(status, &time)
    var stamp = MediaTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    // Plugins without hardware give none.
    if stamp.nanoseconds == 0 { stamp = MediaTime(nanoseconds: cl_monotonic_ns()) }
    // What is still on its way from the converter to the driver.
    let behind = Int64(snd_pcm_status_get_delay(status)) - Int64(snd_pcm_status_get_avail(status))
    return stamp - .nanoseconds(max(0, behind) * 1_000_000_000 / Int64(format.rate))
  }

  /// Once: what does not start again is left to whoever opens it anew, later.
  private func startAgain() throws(SoundError) -> Reading {
    let prepared = snd_pcm_prepare(pcm)
    guard prepared >= 0 else { throw SoundError(name, "prepare", prepared) }
    try start()
    return .interrupted
  }
}
