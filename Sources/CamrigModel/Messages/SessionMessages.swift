/// Which camera a monitor wants to have before it; absent: none any more.
package struct CameraSelectRequest: Codable, Sendable {
  package var camera: String?
  package init(camera: String? = nil) { self.camera = camera }
}

package struct CameraSelected: Codable, Sendable {
  /// Absent: none is selected any more.
  package var camera: CameraDescription?
  package init(camera: CameraDescription? = nil) { self.camera = camera }
}

/// What a connection of a monitor is.
package struct SessionDescription: Codable, Sendable {
  package var selected: CameraID?
  /// The one that is to be selected, until its first picture is there.
  package var switching: CameraID?
  /// What the rig has, in words; what is not here is not to be asked for.
  package var features: [String]
  package var role: AccessRole
  package var monitor: SessionMonitor

  package init(
    selected: CameraID?, switching: CameraID?, features: [String], role: AccessRole, monitor: SessionMonitor
  ) {
    self.selected = selected
    self.switching = switching
    self.features = features
    self.role = role
    self.monitor = monitor
  }
}

package struct SessionMonitor: Codable, Sendable {
  /// `local`: a program on this machine.
  package var id: String
  package var name: String
  package init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

package struct SessionSelection: Hashable, Codable, Sendable {
  package var selected: CameraID?
  package var switching: CameraID?
  package init(selected: CameraID?, switching: CameraID?) {
    self.selected = selected
    self.switching = switching
  }
}
