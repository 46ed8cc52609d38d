import CLinux
import CWebSockets
import CamrigModel
import Glibc

/// A file may be taken slowly: a player pauses, a browser's download is held, a phone sleeps in a pocket for a minute.
/// Nothing of it grows old, and what it costs is one piece, one descriptor and one connection, which is given up where
/// somebody else needs it.
extension ServerLoop {
  /// The kernel's own patience is for live pictures, and takes a client that pauses for a dead one.
  func beginDownload(_ connection: ServerConnection, _ sending: ResponseSending) {
    connection.lastWritten = SystemClock().now
    guard sending.isFile else { return }
    setKernelPatience(connection, seconds: settings.limits.pausedSeconds)
    lws_set_timer_usecs(connection.wsi, silenceInterval)
  }

  func endDownload(_ connection: ServerConnection) {
    guard connection.kernelPatience != nil else { return }
    setKernelPatience(connection, seconds: settings.limits.deadSeconds)
  }

  /// Whoever only pauses still acknowledges the kernel's probes; they are two minutes apart at most.
  func lookForSilence(_ connection: ServerConnection) -> Int32 {
    let milliseconds = cl_silence(connection.descriptor)
    guard milliseconds < Int64(settings.limits.silentSeconds) * 1000 else {
      shutdown(connection.descriptor, Int32(SHUT_RDWR))
      return -1
    }
    lws_set_timer_usecs(connection.wsi, silenceInterval)
    return 0
  }

  /// Ends the download that has rested longest, of one group or of anybody; false where none rests.
  func endRestingDownload(of group: String?) -> Bool {
    let now = SystemClock().now
    let resting = connections.values.filter { connection in
      guard case .sending(let sending) = connection.stage, sending.isFile, !connection.isGivenUp else { return false }
      return (group == nil || connection.peer.group == group)
        && now - connection.lastWritten >= .seconds(settings.limits.sendSeconds)
    }
    guard let longest = resting.min(by: { $0.lastWritten < $1.lastWritten }) else { return false }
    longest.isGivenUp = true
    cws_kill(longest.wsi)
    return true
  }

  /// Microseconds.
  private var silenceInterval: Int64 { max(1, Int64(settings.limits.silentSeconds) / 5) * 1_000_000 }

  private func setKernelPatience(_ connection: ServerConnection, seconds: UInt32) {
    guard !connection.peer.isProcess, connection.kernelPatience != seconds else { return }
    connection.kernelPatience = seconds
    var milliseconds = Int32(seconds) * 1000
    setsockopt(connection.descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, 4)
  }
}
