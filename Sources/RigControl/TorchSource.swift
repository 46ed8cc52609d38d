import CamrigModel

/// One kind of torches: finds those that are there, and switches them.
package protocol TorchSource: Sendable {
  /// Those there now, at the level they really have.
  func torches() async -> [TorchDescription]
  /// Returns the level that was granted.
  func set(_ torch: TorchDescription, _ level: Int) async -> Result<Int, RigError>
}
