import CamrigModel
import Glibc
import V4L2

/// Switches off the lights of all cameras, for one who cleans up after a rig that has crashed: a camera's light stays as
/// it is when its program ends. Opens each node for a moment, with no stream and no settings.
package struct LightsOff {
  private let finder: any CameraFinder
  private let open: (String) throws(V4L2Error) -> any OpenControls

  package init(
    finder: any CameraFinder,
    open: @escaping (String) throws(V4L2Error) -> any OpenControls = { path throws(V4L2Error) in
      try ControlNode(path: path)
    }
  ) {
    self.finder = finder
    self.open = open
  }

  /// Blocks. Returns what was switched off and what could not be, a sentence each.
  package func run() throws(FinderError) -> (done: [String], failed: [String]) {
    let found = Guarded<[FoundNode]?>(nil)
    let bell = try Self.bell()
    try finder.start { event in
      guard case .all(let nodes) = event else { return }
      found.withLock { $0 = $0 ?? nodes }
      bell.signal()
    }
    bell.wait(atMost: .seconds(5))
    finder.stop()
    var (done, failed): ([String], [String]) = ([], [])
    guard let nodes = found.withLock({ $0 }) else {
      return ([], ["udev does not answer; the lights of cameras may still be on"])
    }
    for node in nodes {
      let (darkened, failures) = darken(node.node)
      done += darkened
      failed += failures.map { "the lights of \(node.node) may still be on: \($0)" }
    }
    return (done, failed)
  }

  private func darken(_ node: String) -> (done: [String], failures: [V4L2Error]) {
    var (done, failures): ([String], [V4L2Error]) = ([], [])
    do throws(V4L2Error) {
      let opened = try open(node)
      defer { opened.close() }
      let controls = try opened.list()
      for light in CameraLight.all(in: controls) where light.level > 0 {
        do throws(V4L2Error) {
          for (key, value) in light.writes(0).joined() {
            if let control = controls.first(where: { $0.key == key }) { _ = try opened.write(value, to: control) }
          }
          done.append("\(node): \(light.name) switched off")
        } catch {
          failures.append(error)
        }
      }
    } catch {
      failures.append(error)
    }
    return (done, failures)
  }

  private static func bell() throws(FinderError) -> WakeEvent {
    do throws(CaptureError) { return try WakeEvent() } catch { throw .noResources(error) }
  }
}
