import CamrigModel
import V4L2

/// The controls of a camera, open. The calls may block for seconds on a sick camera, so only the controls' own thread
/// makes them.
package protocol OpenControls: AnyObject {
  /// All of them with their values; with queries only.
  func list() throws(V4L2Error) -> [ControlDescription]
  /// Flags, range and value anew.
  func refresh(_ control: inout ControlDescription) throws(V4L2Error)
  /// What the camera made of the value, which is one that the control can have.
  func write(_ value: ControlValue, to control: ControlDescription) throws(V4L2Error) -> ControlValue
  /// `next` tells of changes from now on.
  func subscribe(to controls: [ControlDescription])
  /// - Parameter timeout: nil for ever.
  func next(wake: Int32, timeout: Duration?) throws(V4L2Error) -> ControlNode.Wake
  func close()
}

extension ControlNode: OpenControls {}
