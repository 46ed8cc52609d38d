/// `KEY` of `values` is a control's key, its name on an older kernel, or a role.
package struct ControlSetRequest: Codable, Sendable {
  package var camera: String
  package var values: [String: ControlValue]
  package init(camera: String, values: [String: ControlValue]) {
    self.camera = camera
    self.values = values
  }
}

/// Those named, by key, older name or role; all if none is named.
package struct ControlResetRequest: Codable, Sendable {
  package var camera: String
  package var controls: [String]?
  package init(camera: String, controls: [String]? = nil) {
    self.camera = camera
    self.controls = controls
  }
}

package struct ControlImportRequest: Codable, Sendable {
  package var camera: String
  package var controls: [String: ControlValue]
  package init(camera: String, controls: [String: ControlValue]) {
    self.camera = camera
    self.controls = controls
  }
}

/// What came of it: each asked control is in one of the two, under its key where the camera has it.
package struct ControlOutcome: Hashable, Codable, Sendable {
  /// What the camera made of the values; automatics that were switched off for them too.
  package var granted: [String: ControlValue]
  /// Why not, a sentence each.
  package var refused: [String: String]
  /// The same for programs, by the same keys; absent where nothing is refused.
  package var reasons: [String: ControlReason]?
  package init(granted: [String: ControlValue] = [:]) {
    self.granted = granted
    refused = [:]
  }

  package mutating func refuse(_ key: String, _ refusal: ControlRefusal) {
    refused[key] = refusal.description
    reasons = (reasons ?? [:]).merging([key: refusal.reason]) { $1 }
  }
}

/// A camera's controls as a file that another camera can be given.
package struct ControlExport: Codable, Sendable {
  package struct Origin: Codable, Sendable {
    package var id: CameraID
    package var name: String
    package init(id: CameraID, name: String) {
      self.id = id
      self.name = name
    }
  }

  package var camera: Origin
  package var controls: [String: ControlValue]
  package init(camera: Origin, controls: [String: ControlValue]) {
    self.camera = camera
    self.controls = controls
  }
}

/// Controls that have changed, whoever changed them.
package struct ControlsChanged: Codable, Sendable {
  package var camera: CameraID
  package var controls: [ControlDescription]
  package init(camera: CameraID, controls: [ControlDescription]) {
    self.camera = camera
    self.controls = controls
  }
}
