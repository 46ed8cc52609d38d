import CLinux
import CamrigModel
import Dispatch
import Glibc

/// The rig's end of the helper's socket. It stays connected while a light is on, since the helper switches off whatever
/// its program leaves behind. Where there is no helper it tries the light itself, as a rig that runs as root may.
package final class LightClient: Sendable {
  private static let patience = Duration.seconds(2)
  /// systemd has to start the helper first, on a machine that may be busy with pictures.
  private static let startPatience = Duration.seconds(6)

  private struct State: Sendable {
    var connection: Int32 = -1
    var lit: Set<LightPlace> = []
    var own: Switchboard
    /// Ends the watch over the connection, and closes it.
    var unwatch: (@Sendable () -> Void)?
    var lost: (@Sendable () -> Void)?
  }

  private let path: String
  private let state: Guarded<State>
  private let queue = DispatchQueue(label: "camrig.lights")

  /// - Parameters:
  ///   - path: of the helper's socket.
  ///   - open: see `Switchboard`.
  package init(
    path: String = "/run/camrig-torch.sock", leds: LEDClass = LEDClass(),
    open: @escaping Switchboard.Opener = Switchboard.device
  ) {
    self.path = path
    state = Guarded(State(own: Switchboard(leds: leds, open: open) { _, _ in true }))
  }

  deinit { state.withLock { hangUp(&$0) } }

  /// Told when the helper has gone, with which all lights go off.
  package func onLoss(_ told: @escaping @Sendable () -> Void) { state.withLock { $0.lost = told } }

  /// Returns the level that was granted. One wish after the other; each takes 6 s at most.
  package func set(_ place: LightPlace, _ level: Int) async -> Result<Int, LightError> {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.setNow(place, level)) }
    }
  }

  private func setNow(_ place: LightPlace, _ level: Int) -> Result<Int, LightError> {
    state.withLock { state in
      do throws(LightError) {
        let granted = try ask(place, level, &state)
        if granted > 0 { state.lit.insert(place) } else { state.lit.remove(place) }
        if state.lit.isEmpty { hangUp(&state) }
        return .success(granted)
      } catch {
        return .failure(error)
      }
    }
  }

  private func ask(_ place: LightPlace, _ level: Int, _ state: inout State) throws(LightError) -> Int {
    if state.connection >= 0 {
      do throws(LightError) {
        return try exchange(place, level, on: state.connection)
      } catch {
        // A refusal leaves the other lights as they are.
        guard case .helperSilent = error else { throw error }
      }
      lose(&state)
    }
    hangUp(&state)
    state.connection = cl_unix_socket()
    guard state.connection >= 0 else { throw .failed(place, code: -state.connection) }
    let result = -cl_unix_connect(state.connection, path)
    guard result == 0 else {
      hangUp(&state)
      do throws(LightError) {
        return try state.own.set(place, level)
      } catch {
        // Without the right to it, the helper is the cure.
        if case .failed(_, let code) = error, code == EACCES || code == EPERM || code == EROFS {
          throw .helperMissing(path)
        }
        throw error
      }
    }
    watch(&state)
    return try exchange(place, level, on: state.connection, within: Self.startPatience)
  }

  /// Between two wishes nothing is to be read, so what can be read is the connection's end.
  private func watch(_ state: inout State) {
    let connection = state.connection
    // Dispatch's own objects may be used from anywhere.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: connection, queue: queue)
    source.setEventHandler { [weak self] in
      self?.state.withLock { state in
        var wait = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        guard state.connection == connection, poll(&wait, 1, 0) > 0 else { return }
        self?.lose(&state)
      }
    }
    source.setCancelHandler { close(connection) }
    source.resume()
    state.unwatch = { source.cancel() }
  }

  /// The helper has gone, for it was restarted or killed: its lights are off.
  private func lose(_ state: inout State) {
    hangUp(&state)
    guard !state.lit.isEmpty else { return }
    state.lit = []
    if let lost = state.lost { queue.async(execute: lost) }
  }

  private func exchange(
    _ place: LightPlace, _ level: Int, on connection: Int32, within patience: Duration = patience
  ) throws(LightError) -> Int {
    let wish = LightMessage.Wish(place: place, level: level).line
    guard cl_send(connection, wish, wish.count) == wish.count else { throw .helperSilent(path) }
    var input = LineSplitter(limit: 4096)
    var buffer = [UInt8](repeating: 0, count: 4096)
    let deadline = SystemClock().now + patience
    while true {
      if case .line(let line) = input.next() { return try LightMessage.level(answer: line) }
      let left = (deadline - SystemClock().now).inNanoseconds / 1_000_000
      var wait = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&wait, 1, Int32(left)) >= 0 || errno == EINTR else { throw .helperSilent(path) }
      let count = cl_read(connection, &buffer, buffer.count)
      if count == -Int(EAGAIN) { continue }
      guard count > 0 else { throw .helperSilent(path) }
      input.append(buffer[..<count])
    }
  }

  private func hangUp(_ state: inout State) {
    if let unwatch = state.unwatch { unwatch() } else if state.connection >= 0 { close(state.connection) }
    state.unwatch = nil
    state.connection = -1
  }
}
