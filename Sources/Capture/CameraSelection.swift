import Settings

/// Which nodes are cameras: one entry for each thing that takes pictures, however many nodes it shows.
package enum CameraSelection {
  package struct Candidate: Hashable, Sendable {
    package var found: FoundNode
    package var result: Result<NodeFacts, NodeProbeError>

    package init(_ found: FoundNode, _ result: Result<NodeFacts, NodeProbeError>) {
      self.found = found
      self.result = result
    }
  }

  /// In no particular order of the input; sorted by place.
  package static func cameras(among candidates: [Candidate]) -> [PresentCamera] {
    var best: [String: (camera: PresentCamera, index: Int)] = [:]
    for candidate in candidates {
      guard let camera = camera(candidate) else { continue }
      let index = candidate.found.index
      // A USB interface or a CSI receiver is one camera. On any other bus each node is an input of its own, as on
      // cards with several sockets.
      let key = camera.place.kind == .bus ? camera.sysPath : candidate.found.parentSysPath
      if let other = best[key], rank(other.camera, other.index) < rank(camera, index) { continue }
      best[key] = (camera, index)
    }
    return best.values.map(\.camera).sorted(by: CameraIdentity.order)
  }

  private static func rank(_ camera: PresentCamera, _ index: Int) -> (Int, Int, String) {
    (camera.problem == nil ? 0 : 1, index, camera.sysPath)
  }

  private static func camera(_ candidate: Candidate) -> PresentCamera? {
    let found = candidate.found
    switch candidate.result {
    case .success(let facts):
      switch facts.role {
      case .noCamera: return nil
      case .camera: return describe(found, facts, problem: nil)
      case .unusable(let reason):
        return describe(found, facts, problem: CameraTrouble(.failed, .noUsableFormat, reason))
      }
    case .failure(let error):
      // What udev knows suffices to name a USB camera that cannot be asked.
      guard found.isUSB, found.properties["ID_V4L_CAPABILITIES"]?.contains(":capture:") == true else { return nil }
      switch error {
      case .gone: return nil
      // Opening it will say the same, and the camera knows what to do then.
      case .busy: return describe(found, nil, problem: nil)
      case .notYetOurs(let reason): return describe(found, nil, problem: CameraTrouble(.failed, .noPermission, reason))
      case .refused(let reason): return describe(found, nil, problem: CameraTrouble(.failed, .deviceError, reason))
      }
    }
  }

  private static func describe(_ found: FoundNode, _ facts: NodeFacts?, problem: CameraTrouble?) -> PresentCamera {
    let properties = found.properties
    let card =
      facts?.card ?? properties["ID_V4L_PRODUCT"] ?? properties["ID_MODEL"]?.replacing(character: "_", by: " ") ?? ""
    let interface = properties["ID_USB_INTERFACE_NUM"] ?? ""
    let fingerprint = CameraFingerprint(
      vendor: found.isUSB ? properties["ID_VENDOR_ID"] ?? "" : "",
      product: found.isUSB ? properties["ID_MODEL_ID"] ?? "" : "",
      serial: found.isUSB ? properties["ID_SERIAL_SHORT"] ?? "" : "", interface: interface, card: card)
    let bus = facts.map { "\($0.driver)-\($0.busInfo)-\(found.index)" } ?? found.sysPath
    let place: CameraPlace
    if found.isUSB, let port = properties["ID_PATH"] {
      place = CameraPlace(.usbPort, port, interface: interface)
    } else if !found.isUSB, let tree = found.deviceTreePath {
      place = CameraPlace(.deviceTree, tree)
    } else {
      place = CameraPlace(.bus, bus, interface: interface)
    }
    return PresentCamera(
      sysPath: found.sysPath, node: found.node, fingerprint: fingerprint, place: place,
      port: properties["ID_PATH"] ?? place.path, problem: problem)
  }
}

extension String {
  fileprivate func replacing(character: Character, by other: Character) -> String {
    String(map { $0 == character ? other : $0 })
  }
}
