/// Why a control is not set, for programs: the word beside the sentence for people. Once released it keeps its meaning.
package enum ControlRefusalCode: String, Codable, CaseIterable, Sendable {
  case unknown = "control.unknown"
  case readOnly = "control.read-only"
  case disabled = "control.disabled"
  case listedOnly = "control.listed-only"
  case wrongType = "control.wrong-type"
  case noSuchItem = "control.no-such-item"
  case unknownBits = "control.unknown-bits"
  case badLength = "control.bad-length"
  case inactive = "control.inactive"
  case grabbed = "control.grabbed"
  case noDefault = "control.no-default"
  case late = "control.late"
  case device = "control.device"
  case unplugged = "control.unplugged"
}
