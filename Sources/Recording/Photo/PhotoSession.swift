import CamrigModel
import Codec
import Dispatch
import Frames

/// The cameras of a shot from the press to its last picture: opened, warmed up, looked at, and let go.
///
/// `@unchecked`: its blocking functions are called one after the other, each on a worker thread; `cancel` alone may come
/// from anywhere, and touches nothing but what is locked.
final class PhotoSession: @unchecked Sendable {
  /// One picture of each camera that gave one.
  struct Exposure: Sendable {
    struct Picture: Sendable {
      let camera: PhotoCamera
      /// A JPEG.
      let jpeg: Frame
      /// The rig has made the JPEG.
      let isEncoded: Bool
    }
    var pictures: [Picture] = []
    var failures: [(camera: PhotoCamera, message: String)] = []
    var spread: Duration?
    var newest: MediaTime?
    /// Both clocks when the pictures were there.
    let anchor: ClockAnchor
  }

  /// Some cameras need this long from being opened to their first picture.
  static let openingLimit: Duration = .seconds(10)
  static let pictureLimit: Duration = .seconds(4)
  /// How often it is seen whether a camera still can: nothing tells when it cannot.
  private static let slice = DispatchTimeInterval.milliseconds(100)

  let cameras: [PhotoCamera]
  private let eyes: [PhotoEye]
  private let clock: any RigClock
  private let wake: DispatchSemaphore
  private let isCancelled = Guarded(false)
  private var isOpen = false

  init(_ cameras: [PhotoCamera], clock: any RigClock) {
    self.cameras = cameras
    self.clock = clock
    let wake = DispatchSemaphore(value: 0)
    self.wake = wake
    eyes = cameras.map { PhotoEye($0) { wake.signal() } }
  }

  func open(_ source: PhotoSource) {
    isOpen = true
    let now = clock.now
    for eye in eyes { eye.open(source, now: now) }
  }

  /// Idempotent.
  func close() {
    guard isOpen else { return }
    isOpen = false
    for eye in eyes { eye.close() }
  }

  /// What blocks returns soon.
  func cancel() {
    isCancelled.withLock { $0 = true }
    wake.signal()
  }

  /// Blocks until each camera shows what it sees, or cannot. One that has given a picture and then nothing is waited for
  /// no longer than any other. False: nobody had to wait.
  func warmUp() -> Bool {
    for eye in eyes { eye.beginWarmUp() }
    let deadline = clock.now + Self.openingLimit
    var hasWaited = false
    while true {
      // Read before the cameras are looked at: a thread that comes late still sees what came in time.
      let isLate = clock.now >= deadline
      for eye in eyes where eye.problem == nil { eye.warm(now: clock.now) }
      if hasWaited { findProblems(eyes.filter { isWaiting($0) && !$0.hasSeen }, isLate: isLate) }
      guard eyes.contains(where: isWaiting), !isCancelled.withLock({ $0 }) else { return hasWaited }
      hasWaited = true
      // Another camera's pictures wake this thread as well: whoever is silent is looked for in any case.
      _ = wake.wait(timeout: .now() + Self.slice)
    }
  }

  /// Blocks until each camera sees well in a light that has been there since then.
  func settle(since time: MediaTime) {
    for eye in eyes { eye.lightHasChanged(at: time) }
    _ = warmUp()
  }

  private func isWaiting(_ eye: PhotoEye) -> Bool { !eye.isReady && eye.problem == nil }

  private func findProblems(_ eyes: [PhotoEye], isLate: Bool) {
    for eye in eyes {
      if let problem = eye.camera.problem() {
        eye.problem = problem
      } else if isLate {
        eye.problem =
          "\(eye.camera.name) has delivered no picture. See camrigctl camera show \(eye.camera.id)"
      }
    }
  }

  /// Why there will be no picture of some camera; nil as long as there may be one.
  var problem: String? { eyes.lazy.compactMap { $0.problem ?? ($0.makesDo ? $0.camera.problem() : nil) }.first }

  /// Blocks until each camera has given a picture that is not older than `after`, or cannot.
  /// - Parameter last: a camera that gives no further picture gives its last one, unless it is older than this. Nil: it
  ///   fails.
  func expose(after: MediaTime, orLastSince last: MediaTime? = nil) -> Exposure {
    var choice = SimultaneousChoice<Frame>(cameras: eyes.count, after: after)
    let deadline = clock.now + Self.pictureLimit
    var hasWaited = false
    for index in eyes.indices where eyes[index].problem != nil || eyes[index].isSilent(at: clock.now) {
      makeDo(index, &choice, since: last)
    }
    while !choice.isDone, !isCancelled.withLock({ $0 }) {
      let isLate = clock.now >= deadline
      for (index, eye) in eyes.enumerated() where choice.isOpen(index) {
        guard let frame = eye.look(), frame.presentationTime >= after else { continue }
        if let kept = eye.keep(frame) { choice.offer(kept, at: frame.presentationTime, of: index) }
      }
      let open = eyes.indices.filter(choice.isOpen)
      if hasWaited { findProblems(open.map { eyes[$0] }, isLate: isLate) }
      for index in open where eyes[index].problem != nil { makeDo(index, &choice, since: last) }
      guard !choice.isDone else { continue }
      hasWaited = true
      _ = wake.wait(timeout: .now() + Self.slice)
    }
    return result(choice)
  }

  /// With the last picture of a camera that gives no further one.
  private func makeDo(_ index: Int, _ choice: inout SimultaneousChoice<Frame>, since time: MediaTime?) {
    let eye = eyes[index]
    _ = eye.look()
    if let time, let frame = eye.last, frame.presentationTime >= time, let kept = eye.keep(frame) {
      choice.makeDo(kept, at: frame.presentationTime, of: index)
    } else if eye.problem != nil {
      choice.giveUp(index)
    }
  }

  private func result(_ choice: SimultaneousChoice<Frame>) -> Exposure {
    var exposure = Exposure(anchor: clock.anchor)
    exposure.spread = choice.spread
    exposure.newest = choice.newest
    for (index, eye) in eyes.enumerated() {
      if let frame = choice[index] {
        if let jpeg = eye.jpeg(frame) {
          exposure.pictures.append(
            Exposure.Picture(camera: eye.camera, jpeg: jpeg, isEncoded: eye.keptIsMade || frame !== jpeg))
        } else {
          exposure.failures.append((eye.camera, "The picture of \(eye.camera.name) could not be made a JPEG."))
        }
        // The camera may be there again for the next one.
        eye.problem = nil
      } else if let problem = eye.problem {
        exposure.failures.append((eye.camera, problem))
        eye.problem = nil
      }
    }
    return exposure
  }
}
