import CamrigModel
import Codec
import DaemonKit
import Dispatch
import Frames
import Glibc

/// Shows one camera to any number of viewers: its own JPEGs where these fit, else smaller ones, made once for all
/// who want the same. The newest picture counts; nobody holds up the camera or another viewer, and nothing queues.
///
/// While nobody looks it hears nothing of the camera. Only while somebody needs pictures made there is a thread, which
/// takes the newest picture and passes over the others. It stays the same over unplugging and replugging, as the hub
/// does. All calls return at once and may come from any thread.
package final class CameraPreview: Sendable {
  private struct State {
    var board = PreviewBoard()
    var ready: [Int: @Sendable () -> Void] = [:]
    var tap: FrameTap?
    var isMaking = false
    /// The maker waits at `wake`.
    var isMakerWaiting = false
    var shownCount = 0
    var skippedCount = 0
    var madeCount = 0
    var damagedCount = 0
  }

  private let name: String
  private let camera: PreviewCamera
  private let clock: any RigClock
  private let state = Guarded(State())
  private let wake = DispatchSemaphore(value: 0)
  private let maker = Guarded<Worker?>(nil)

  /// - Parameter name: of the thread, in `ps -L`; 15 bytes at most.
  package init(_ camera: PreviewCamera, name: String = "preview", clock: any RigClock = SystemClock()) {
    self.camera = camera
    self.name = name
    self.clock = clock
  }

  /// - Parameter ready: called once after `next` gave nil, when a picture is there. From the camera's thread, so it must
  ///   return at once: ask for a callback when the socket takes bytes, and no more.
  package func open(_ form: PreviewForm, ready: @escaping @Sendable () -> Void) -> PreviewReader {
    camera.demand()
    let id = state.withLock { state in
      if state.tap == nil {
        let tap = FrameTap { [weak self] item in self?.heard(item) }
        state.tap = tap
        camera.hub.add(tap)
        if let newest = tap.newest { _ = state.board.offer(newest) }
      }
      let id = state.board.add(form)
      state.ready[id] = ready
      return id
    }
    attendToMaker()
    return PreviewReader(self, id)
  }

  /// What the camera sends just now; nil if nothing, or if nobody looks.
  package var source: PreviewSource? { state.withLock { $0.board.source } }

  /// What the camera was granted; 30 a second where its driver does not tell.
  package var cameraRate: FrameRate { camera.hub.run?.format.rate ?? FrameRate(30) }

  package var status: PreviewStatus {
    state.withLock { state in
      let sizes = state.board.madeRenditions.compactMap { rendition -> PixelSize? in
        if case .made(let size, quality: _) = rendition { size } else { nil }
      }
      return PreviewStatus(
        viewerCount: state.board.viewerCount, shownCount: state.shownCount, skippedCount: state.skippedCount,
        sizesMade: Set(sizes).sorted(), madeCount: state.madeCount, damagedCount: state.damagedCount,
        isMaking: state.isMaking)
    }
  }

  // MARK: For its readers

  func next(_ id: Int) -> PreviewPicture? {
    let (picture, steps) = state.withLock { state in
      let next = state.board.next(id)
      if let picture = next.picture {
        state.shownCount += 1
        state.skippedCount += picture.skipped
      }
      return next
    }
    carryOut(steps)
    guard let picture else { return nil }
    return PreviewPicture(
      frame: picture.frame, age: max(.zero, clock.now - picture.frame.presentationTime), skipped: picture.skipped)
  }

  func setForm(_ id: Int, _ form: PreviewForm) {
    carryOut(state.withLock { $0.board.setForm(id, form) })
    attendToMaker()
  }

  func close(_ id: Int) {
    // What the closure holds must not end while the lock is held.
    let ready = state.withLock { state in
      state.board.remove(id)
      if state.board.viewerCount == 0, let tap = state.tap {
        camera.hub.remove(tap)
        state.tap = nil
        state.board.end()
      }
      return state.ready.removeValue(forKey: id)
    }
    withExtendedLifetime(ready) {}
    attendToMaker()
    camera.release()
  }

  // MARK: What happens

  /// On the camera's thread.
  private func heard(_ item: StreamItem) {
    switch item {
    case .frame(let frame):
      carryOut(state.withLock { $0.tap == nil ? PreviewBoard.Steps() : $0.board.offer(frame) })
      // The first picture may tell that there is something to make.
      attendToMaker()
    case .ended: state.withLock { $0.board.end() }
    case .started, .lost: break
    }
  }

  private func carryOut(_ steps: PreviewBoard.Steps) {
    if !steps.ready.isEmpty {
      let callbacks = state.withLock { state in steps.ready.compactMap { state.ready[$0] } }
      for callback in callbacks { callback() }
    }
    if steps.isWorkThere { wakeMaker() }
  }

  // MARK: The maker

  private func wakeMaker() {
    let mustSignal = state.withLock { state in
      defer { state.isMakerWaiting = false }
      return state.isMakerWaiting
    }
    if mustSignal { wake.signal() }
  }

  /// Starts the maker if it is needed, lets it end if it is not.
  private func attendToMaker() {
    let (mustStart, mustWake) = state.withLock { state in
      let isNeeded = state.board.needsMaker
      let mustStart = isNeeded && !state.isMaking
      if mustStart { state.isMaking = true }
      return (mustStart, !isNeeded && state.isMaking)
    }
    if mustWake { wakeMaker() }
    guard mustStart else { return }
    maker.withLock { maker in
      // One before it has ended or is about to; the camera's thread must not wait for that.
      maker = nil
      // Without a thread nothing is shown for now; the next picture tries again.
      maker = try? Worker(name) { self.make() }
      if maker == nil { state.withLock { $0.isMaking = false } }
    }
  }

  private enum Order {
    case end
    case wait
    case make(Set<Rendition>, newest: Frame, FrameTap)
  }

  private func order() -> Order {
    state.withLock { state in
      guard state.board.needsMaker, let tap = state.tap else {
        state.isMaking = false
        return .end
      }
      let work = state.board.takeWork()
      guard !work.isEmpty, let newest = state.board.newest else {
        state.isMakerWaiting = true
        return .wait
      }
      return .make(work, newest: newest, tap)
    }
  }

  private func make() {
    // Whoever looks waits for whoever records. On Linux this is about the calling thread alone.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
    let renderer = PreviewRenderer(parameterSets: camera.parameterSets)
    var keyframe = KeyframeRequests()
    while true {
      switch order() {
      case .end: return
      case .wait: wake.wait()
      case .make(let renditions, let newest, let tap):
        let isThere = take(from: tap, into: renderer, newest: newest)
        if !isThere, tap.waitsForKeyframe, keyframe.isDue(at: newest.presentationTime) { camera.requestKeyframe() }
        // One size after the other, so that different qualities share the scaling.
        var isDamaged = false
        for rendition in renditions.sorted(by: Rendition.bySize) {
          finish(rendition, isThere && !isDamaged ? render(rendition, renderer, &isDamaged) : nil)
        }
      }
    }
  }

  /// - Returns: whether the renderer has this picture now, or a newer one.
  private func take(from tap: FrameTap, into renderer: PreviewRenderer, newest: Frame) -> Bool {
    func isThere() -> Bool {
      guard let current = renderer.current else { return false }
      return (current.run, current.sequence) >= (newest.run, newest.sequence)
    }
    do throws(CodecError) {
      if let pictures = tap.take() {
        try renderer.take(pictures)
      } else if !isThere(), newest.isKeyframe {
        // A maker before this one took it.
        try renderer.take(FrameTap.Pictures(newest))
      }
    } catch {
      tap.startOver()
      state.withLock { $0.damagedCount += 1 }
    }
    return isThere()
  }

  private func render(_ rendition: Rendition, _ renderer: PreviewRenderer, _ isDamaged: inout Bool) -> Frame? {
    guard case .made(let size, quality: let quality) = rendition else { return nil }
    do throws(CodecError) {
      let frame = try renderer.render(size, quality: quality)
      state.withLock { $0.madeCount += frame == nil ? 0 : 1 }
      return frame
    } catch {
      isDamaged = true
      state.withLock { $0.damagedCount += 1 }
      return nil
    }
  }

  private func finish(_ rendition: Rendition, _ frame: Frame?) {
    carryOut(state.withLock { $0.board.finish(rendition, frame) })
  }
}

/// One a second at most, by the pictures' times.
private struct KeyframeRequests {
  private var last: MediaTime?

  mutating func isDue(at time: MediaTime) -> Bool {
    if let last, time >= last, time - last < .seconds(1) { return false }
    last = time
    return true
  }
}

extension Rendition {
  fileprivate static func bySize(_ a: Rendition, _ b: Rendition) -> Bool {
    switch (a, b) {
    case (.made(let a, quality: _), .made(let b, quality: _)): a < b
    case (.asSent, _), (_, .asSent): a == .asSent && b != .asSent
    }
  }
}
