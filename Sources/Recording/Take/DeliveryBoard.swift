import CamrigModel
import Dispatch

/// Who has delivered a first picture since Record.
final class DeliveryBoard: Sendable {
  private struct State {
    var waiting: Set<CameraID>
    var failure: TakeStop?
  }

  private let state: Guarded<State>
  private let wake = DispatchSemaphore(value: 0)

  init(_ cameras: [CameraID]) { state = Guarded(State(waiting: Set(cameras))) }

  func delivered(_ camera: CameraID) {
    let isLast = state.withLock { $0.waiting.remove(camera) != nil && $0.waiting.isEmpty }
    if isLast { wake.signal() }
  }

  func failed(_ stop: TakeStop) {
    state.withLock { $0.failure = $0.failure ?? stop }
    wake.signal()
  }

  var failure: TakeStop? { state.withLock { $0.failure } }

  /// Blocks until all have delivered, the volume fails, or the time is up.
  func wait(_ limit: Duration) -> (late: Set<CameraID>, failure: TakeStop?) {
    _ = wake.wait(timeout: .now() + .nanoseconds(Int(limit.inNanoseconds)))
    return state.withLock { ($0.waiting, $0.failure) }
  }
}
