import CamrigModel
import Frames

/// Who looks at a camera, what each has had, and so what is to be done when something happens. No picture waits here
/// but the newest one and, of each rendition, the one made last.
package struct PreviewBoard {
  /// What follows from an event.
  package struct Steps: Hashable, Sendable {
    /// Viewers to be told that a picture is there.
    package var ready: [Int] = []
    /// There is something to make.
    package var isWorkThere = false

    package init(ready: [Int] = [], isWorkThere: Bool = false) {
      self.ready = ready
      self.isWorkThere = isWorkThere
    }
  }

  private struct Viewer {
    var form: PreviewForm
    var rendition: Rendition?
    var pace: FramePace
    /// Pictures that this viewer should have had and that nothing covers.
    var pending = 0
    /// Those of them that are being made into one.
    var inWork = 0
    /// Those that the picture covers which is ready; 0 if none is.
    var covered = 0
    /// Where the camera was when that picture had been made; nil if it is the camera's own.
    var madeAt: MediaTime?
    /// It asked in vain and waits to be told.
    var waits = false
    /// The camera's picture that it had last, or that lies ready.
    var last: Position?
  }

  /// Where a picture stands in a camera's streams.
  private struct Position: Comparable {
    let run: Int
    let sequence: UInt64

    init(_ frame: Frame) {
      run = frame.run
      sequence = frame.sequence
    }

    static func < (a: Position, b: Position) -> Bool { (a.run, a.sequence) < (b.run, b.sequence) }
  }

  private static let longestWait: Duration = .milliseconds(100)

  private var viewers: [Int: Viewer] = [:]
  private var lastID = 0
  package private(set) var newest: Frame?
  /// Kept while somebody wants the rendition.
  private var made: [Rendition: Frame] = [:]
  /// Renditions that could not be made of the newest picture.
  private var failed: Set<Rendition> = []
  /// The newest picture when work was taken last.
  private var attempted: Position?

  package init() {}

  package var viewerCount: Int { viewers.count }
  package var source: PreviewSource? { newest.map { PreviewSource(format: $0.format, size: $0.size) } }

  /// Somebody wants pictures that have to be made.
  package var needsMaker: Bool { viewers.values.contains { $0.rendition != nil && $0.rendition != .asSent } }

  /// Renditions that are made for somebody.
  package var madeRenditions: Set<Rendition> { Set(viewers.values.compactMap(\.rendition)).subtracting([.asSent]) }

  // MARK: Viewers

  package mutating func add(_ form: PreviewForm) -> Int {
    lastID += 1
    var viewer = Viewer(form: form, pace: FramePace(form.rate))
    if let newest { present(newest, to: &viewer) }
    viewers[lastID] = viewer
    return lastID
  }

  package mutating func remove(_ id: Int) {
    viewers[id] = nil
    forgetUnwanted()
  }

  package mutating func setForm(_ id: Int, _ form: PreviewForm) -> Steps {
    guard var viewer = viewers[id], viewer.form != form else { return Steps() }
    viewer.form = form
    viewer.pace.setRate(form.rate)
    var steps = Steps()
    if let source, source.rendition(form) != viewer.rendition {
      change(&viewer, to: source.rendition(form))
      tell(&viewer, id, &steps)
    }
    viewers[id] = viewer
    forgetUnwanted()
    return steps
  }

  /// The newest picture that this viewer has not had; if there is none, it is told once when one is there.
  package mutating func next(_ id: Int) -> (picture: (frame: Frame, skipped: Int)?, steps: Steps) {
    guard var viewer = viewers[id] else { return (nil, Steps()) }
    defer { viewers[id] = viewer }
    // What was made and lay there too long is not shown any more: the newest one is made instead.
    if viewer.covered > 0, let madeAt = viewer.madeAt, let newest, newest.presentationTime - madeAt > Self.longestWait {
      viewer.pending += viewer.covered
      viewer.covered = 0
    }
    if viewer.covered > 0, let frame = picture(for: viewer) {
      let skipped = viewer.covered - 1
      viewer.covered = 0
      viewer.waits = false
      viewer.last = Position(frame)
      return ((frame, skipped), Steps())
    }
    viewer.covered = 0
    viewer.waits = true
    return (nil, Steps(isWorkThere: wantsWork(viewer)))
  }

  private func picture(for viewer: Viewer) -> Frame? {
    guard let rendition = viewer.rendition else { return nil }
    return rendition == .asSent ? newest : made[rendition]
  }

  // MARK: The camera's pictures

  package mutating func offer(_ frame: Frame) -> Steps {
    if let newest, Position(frame) <= Position(newest) { return Steps() }
    let isOther = newest?.format != frame.format || newest?.size != frame.size
    newest = frame
    failed = []
    if isOther { made = [:] }
    let source = PreviewSource(format: frame.format, size: frame.size)
    var steps = Steps()
    for id in viewers.keys {
      guard var viewer = viewers[id] else { continue }
      if isOther { change(&viewer, to: source.rendition(viewer.form)) }
      // It may have been made already while this was on its way here.
      if viewer.pace.shows(frame.presentationTime), viewer.last.map({ $0 < Position(frame) }) ?? true {
        viewer.pending += 1
      }
      tell(&viewer, id, &steps)
      viewers[id] = viewer
    }
    return steps
  }

  /// The run has ended: what it showed is no picture of the camera any more.
  package mutating func end() {
    newest = nil
    made = [:]
    failed = []
    for id in viewers.keys {
      viewers[id]?.pending = 0
      viewers[id]?.inWork = 0
      viewers[id]?.covered = 0
    }
  }

  // MARK: Making

  /// What to make of the newest picture now, each once for all who want it.
  package mutating func takeWork() -> Set<Rendition> {
    var work: Set<Rendition> = []
    for viewer in viewers.values where wantsWork(viewer) {
      if let rendition = viewer.rendition { work.insert(rendition) }
    }
    guard !work.isEmpty else { return work }
    attempted = newest.map(Position.init)
    for (id, viewer) in viewers {
      if let rendition = viewer.rendition, work.contains(rendition) { viewers[id]?.inWork = viewer.pending }
    }
    return work
  }

  /// - Parameter frame: nil if nothing could be made; it is tried again with the next picture.
  package mutating func finish(_ rendition: Rendition, _ frame: Frame?) -> Steps {
    var steps = Steps()
    let isWanted = viewers.values.contains { $0.rendition == rendition }
    if let frame {
      if isWanted { made[rendition] = frame }
    } else if attempted == newest.map(Position.init) {
      failed.insert(rendition)
    }
    for id in viewers.keys {
      guard var viewer = viewers[id], viewer.rendition == rendition, viewer.inWork > 0 else { continue }
      if let frame {
        viewer.covered += viewer.inWork
        viewer.pending -= viewer.inWork
        viewer.madeAt = newest?.presentationTime
        viewer.last = Position(frame)
      }
      viewer.inWork = 0
      tell(&viewer, id, &steps)
      viewers[id] = viewer
    }
    return steps
  }

  private func wantsWork(_ viewer: Viewer) -> Bool {
    guard viewer.waits, viewer.covered == 0, viewer.pending > viewer.inWork, newest != nil,
      let rendition = viewer.rendition, rendition != .asSent
    else { return false }
    return !failed.contains(rendition)
  }

  // MARK: Parts

  /// What is there when a viewer comes.
  private func present(_ frame: Frame, to viewer: inout Viewer) {
    let rendition = PreviewSource(format: frame.format, size: frame.size).rendition(viewer.form)
    viewer.rendition = rendition
    _ = viewer.pace.shows(frame.presentationTime)
    let ready = rendition == .asSent ? frame : made[rendition]
    // Another's picture is a good first one if it is not older than what making a new one takes.
    if let ready, ready.run == frame.run, frame.presentationTime - ready.presentationTime < .milliseconds(50) {
      viewer.covered = 1
      viewer.last = Position(ready)
    } else {
      viewer.pending = 1
    }
  }

  private func change(_ viewer: inout Viewer, to rendition: Rendition) {
    viewer.rendition = rendition
    viewer.pending += viewer.covered
    viewer.covered = 0
    viewer.inWork = 0
    viewer.madeAt = nil
  }

  /// Moves what is pending to where it is ready, and tells who waits.
  private func tell(_ viewer: inout Viewer, _ id: Int, _ steps: inout Steps) {
    if viewer.rendition == .asSent, viewer.pending > 0 {
      viewer.covered += viewer.pending
      viewer.pending = 0
    }
    if viewer.covered > 0, viewer.waits {
      viewer.waits = false
      steps.ready.append(id)
    }
    if wantsWork(viewer) { steps.isWorkThere = true }
  }

  private mutating func forgetUnwanted() {
    if viewers.isEmpty { newest = nil }
    guard !made.isEmpty else { return }
    let wanted = Set(viewers.values.compactMap(\.rendition))
    made = made.filter { wanted.contains($0.key) }
  }
}
