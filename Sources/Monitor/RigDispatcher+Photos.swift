import CamrigModel
import RigControl

extension RigDispatcher {
  /// What is asked of the shutter. A function of its own, see `perform`.
  func photo(_ method: RigMethod, _ request: RPCRequest, _ rig: Rig) async throws -> JSONValue {
    switch method {
    case .photoTake: try JSONValue(encoding: try await rig.takePhoto(request.parameters(PhotoTakeRequest.self)))
    case .photoCancel:
      try JSONValue(encoding: try await rig.cancelPhoto(request.parameters(PhotoCancelRequest.self).shot))
    default: try JSONValue(encoding: try await rig.shots(limit: request.parameters(ShotListRequest.self).limit ?? 100))
    }
  }

  func timelapse(_ method: RigMethod, _ request: RPCRequest, _ rig: Rig) async throws -> JSONValue {
    switch method {
    case .timelapseStart:
      try JSONValue(encoding: try await rig.startTimelapse(request.parameters(TimelapseStartRequest.self)))
    case .timelapseStop: try JSONValue(encoding: try await rig.stopTimelapse())
    case .timelapseMovie:
      try JSONValue(encoding: try await rig.makeTimelapseMovie(request.parameters(TimelapseMovieRequest.self)))
    default:
      try JSONValue(encoding: try await rig.timelapses(request.parameters(TimelapseListRequest.self)))
    }
  }
}
