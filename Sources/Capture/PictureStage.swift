import CamrigModel
import Codec
import Frames

/// Between a capture session and its camera's hub, only while pictures are to be turned: a thread of its own, so that
/// the session fetches the next picture from the driver meanwhile. What it cannot keep up with is lost as
/// `queueOverflow`, in exact number. It lives as long as one run.
final class PictureStage: Sendable {
  /// What it needs of its camera.
  struct Surroundings: Sendable {
    let hub: FrameHub
    let counters: StreamCounters
    /// The run is at the hub; its pictures may stay as they are, and why.
    let begun: @Sendable (TurnRefusal?) -> Void
    let note: @Sendable (_ kind: String, _ text: String) -> Void
  }

  /// Of pictures that wait. What a scheduler may keep it from its work, not more: all of it is late for who looks.
  private static let capacity: Duration = .milliseconds(500)
  private static let capacityBytes = 32 << 20

  private let around: Surroundings
  private let queue = FrameQueue(capacity: capacity, capacityBytes: capacityBytes)
  private let run: Guarded<TurnedRun>
  private let thread = Guarded<CaptureThread?>(nil)
  private let strangers = Guarded(false)

  /// Its run is not what its pictures are.
  var mustBeginAnew: Bool { strangers.withLock { $0 } }

  init(_ setting: PictureSetting, _ format: PixelFormat, _ around: Surroundings) throws(CaptureError) {
    self.around = around
    do throws(CodecError) {
      guard let turner = try pictureTurner(setting, format) else {
        preconditionFailure("pictures that stay as they are need no stage")
      }
      run = Guarded(TurnedRun(turner))
    } catch {
      throw .noResources(what: "memory for turning pictures", errno: 12)
    }
    let made = try CaptureThread(name: "turn pictures") { [self] in work() }
    thread.withLock { $0 = made }
  }

  func offer(_ item: StreamItem) { queue.offer(item) }

  /// Returns when all that was offered has gone to the hub.
  func finish() {
    queue.close()
    thread.withLock { thread in
      let ended = thread
      thread = nil
      return ended
    }?.join()
  }

  private func work() {
    while let items = queue.take(timeout: .seconds(3600)) {
      for item in items { publish(item) }
    }
  }

  private func publish(_ item: StreamItem) {
    // The session has counted what it lost itself.
    if case .lost(let loss) = item, loss.cause == .queueOverflow {
      lost(loss, "this computer is too slow to turn them")
    }
    // This thread alone uses it: the lock is never waited for.
    let (results, refusal, fault, mustBeginAnew) = run.withLock { run in
      let results = run.take(item)
      return (results, run.refusal, run.fault, run.mustBeginAnew)
    }
    if mustBeginAnew { strangers.withLock { $0 = true } }
    for result in results {
      switch result {
      case .frame(let frame): around.counters.frame(at: frame.presentationTime)
      // This very picture, not one that was lost before it: that is counted already.
      case .lost(let loss):
        if case .frame(let frame) = item, loss.firstSequence == frame.sequence {
          lost(loss, fault ?? "it cannot be turned")
        }
      case .started, .ended: break
      }
      around.hub.publish(result)
      if case .started = result { around.begun(refusal) }
    }
  }

  private func lost(_ loss: Loss, _ reason: String) {
    around.counters.lost(loss.cause, loss.count)
    around.note("turn \(loss.cause.rawValue)", "a picture was dropped: \(reason). Further ones are only counted.")
  }
}
