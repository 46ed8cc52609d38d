import CamrigModel

extension PhotoExposure {
  /// What the camera's controls say, as far as they are known just now; nothing is read for it.
  init(_ controls: [ControlDescription]) {
    self.init()
    func control(_ role: ControlRole) -> ControlDescription? { controls.first { $0.role == role } }
    // Without an automatic the value is what holds.
    isAutomatic = control(.exposureAuto).flatMap { Self.isOn($0) }
    whiteBalanceIsAutomatic = control(.whiteBalanceAuto).flatMap { Self.isOn($0) }
    // V4L2_CID_EXPOSURE_ABSOLUTE counts in 100 µs; other exposure controls have no unit.
    guard isAutomatic != true, let time = control(.exposure), time.id == 0x009a_0902,
      let value = time.value?.asNumber, value > 0
    else { return }
    self.time = .microseconds(value * 100)
  }

  private static func isOn(_ control: ControlDescription) -> Bool? {
    guard let value = control.value?.asNumber else { return nil }
    guard let pair = AutomaticPair.of(automatic: control.id) else { return nil }
    return !pair.manualItems.contains(value)
  }
}
