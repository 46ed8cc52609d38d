import CamrigModel
import Glibc
import HTTP

/// A microphone's sound as WAV, which is what `ffplay -` and `aplay` read. In a file its header is completed at the end,
/// unless the program is killed before.
package final class SoundPipe: HTTPBodySink {
  private enum State {
    case waiting
    /// So many bytes came, of the header, too.
    case sound(Int)
    case refused(RefusedBody)
    /// All that was wanted came; or errno.
    case ended(Int32, bytes: Int)
  }

  private let descriptor: Int32
  /// Of the sound and its header; nil: until nobody reads it any more.
  private let wanted: Int?
  private let state = Guarded(State.waiting)

  /// - Parameters:
  ///   - descriptor: where the sound goes; it stays the caller's.
  ///   - seconds: nil: until nobody reads it any more.
  package init(to descriptor: Int32, seconds: Double?) {
    self.descriptor = descriptor
    wanted = seconds.map { Self.headerBytes + Int(($0 * 48_000).rounded()) * 4 }
  }

  package func began(status: Int, headers: HTTPHeaders) -> Bool {
    state.withLock { $0 = status == 200 ? .sound(0) : .refused(RefusedBody(status: status)) }
    return true
  }

  package func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let came: Int? = state.withLock { state in
      switch state {
      case .refused(var body):
        body.append(bytes)
        state = .refused(body)
        return nil
      case .sound(let came): return came
      case .waiting, .ended: return nil
      }
    }
    guard let came else { return isRefusal }
    let rest = bytes.prefix(wanted.map { max(0, $0 - came) } ?? bytes.count)
    let code = OutputFile.write(UnsafeRawBufferPointer(rebasing: rest), to: descriptor)
    let total = came + rest.count
    let isOver = code != 0 || total == wanted
    state.withLock { $0 = isOver ? .ended(code, bytes: total) : .sound(total) }
    return !isOver
  }

  private var isRefusal: Bool {
    state.withLock { if case .refused = $0 { true } else { false } }
  }

  /// Fetches until there is enough of it or nobody reads any more, which is no error. A rig that ends the sound has gone,
  /// or has sent this monitor away.
  package func run(_ web: RigWeb, target: String) throws {
    do { _ = try web.fetch(target, into: self, mayRest: true) } catch {
      if case .sound(let bytes) = state.withLock({ $0 }) { complete(bytes) }
      throw error
    }
    switch state.withLock({ $0 }) {
    case .refused(let body): throw web.refusal(body.status, body.bytes)
    case .waiting: throw RemoteRigError.closed(web.place, "")
    case .sound(let bytes):
      complete(bytes)
      throw RemoteRigError.closed(web.place, "")
    case .ended(0, let bytes): complete(bytes)
    case .ended(EPIPE, _): return
    case .ended(let code, _): throw DownloadError.write("the output", code)
    }
  }

  /// The rig sends a header of no end. What is no file, or is only appended to, stays as it is.
  private func complete(_ bytes: Int) {
    guard bytes >= Self.headerBytes, lseek(descriptor, 0, SEEK_CUR) == off_t(bytes),
      fcntl(descriptor, F_GETFL) & O_APPEND == 0
    else { return }
    for (place, number) in [(4, bytes - 8), (40, bytes - Self.headerBytes)] {
      var number = UInt32(clamping: number).littleEndian
      _ = pwrite(descriptor, &number, 4, off_t(place))
    }
  }

  private static let headerBytes = 44
}
