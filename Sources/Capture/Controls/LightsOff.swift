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
    for node in found.withLock({ $0 ?? [] }) {
      do throws(V4L2Error) {
        done += try darken(node.node)
      } catch {
        failed.append("the lights of \(node.node) may still be on: \(error)")
      }
    }
    return (done, failed)
  }

  private func darken(_ node: String) throws(V4L2Error) -> [String] {
    let opened = try open(node)
    defer { opened.close() }
    let controls = try opened.list()
    let lit = CameraLight.all(in: controls).filter { $0.level > 0 }
    for light in lit {
      for (key, value) in light.writes(0).joined() {
        if let control = controls.first(where: { $0.key == key }) { _ = try opened.write(value, to: control) }
      }
    }
    return lit.map { "\(node): \($0.name) switched off" }
  }

  private static func bell() throws(FinderError) -> WakeEvent {
    do throws(CaptureError) { return try WakeEvent() } catch { throw .noResources(error) }
  }
}
