/// As long as somebody holds one, the controls of all cameras are open and each change of them is told.
package final class ControlWatch: Sendable {
  private let rig: Rig

  init(_ rig: Rig) { self.rig = rig }

  deinit { Task { [rig] in await rig.endControlWatch() } }
}
