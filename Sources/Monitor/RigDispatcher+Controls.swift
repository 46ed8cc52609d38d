import CamrigModel
import RigControl

/// The methods of cameras' controls, and of what their buses carry.
extension RigDispatcher {
  func performControl(_ method: RigMethod, _ request: RPCRequest) async throws -> JSONValue {
    switch method {
    case .controlReset: try await resetControls(request)
    case .controlExport: try await exportControls(request)
    case .controlImport: try await importControls(request)
    default: try await listControls(request)
    }
  }

  func planUSB(_ request: RPCRequest) async throws -> JSONValue {
    let wish = try request.parameters(USBPlanRequest.self)
    return try JSONValue(encoding: try await rig.usbPlan(wish))
  }

  private func listControls(_ request: RPCRequest) async throws -> JSONValue {
    let camera = try request.parameters(CameraReference.self).camera
    return .array(try await rig.controls(camera).map(\.json))
  }

  private func resetControls(_ request: RPCRequest) async throws -> JSONValue {
    let wish = try request.parameters(ControlResetRequest.self)
    return try JSONValue(encoding: try await rig.resetControls(wish))
  }

  private func exportControls(_ request: RPCRequest) async throws -> JSONValue {
    let camera = try request.parameters(CameraReference.self).camera
    return try JSONValue(encoding: try await rig.exportControls(camera))
  }

  private func importControls(_ request: RPCRequest) async throws -> JSONValue {
    let wish = try request.parameters(ControlImportRequest.self)
    return try JSONValue(encoding: try await rig.importControls(wish))
  }
}
