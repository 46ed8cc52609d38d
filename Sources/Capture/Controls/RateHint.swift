import CamrigModel

/// What to say of a camera that delivers far fewer pictures than were granted.
struct RateHint: Hashable, Sendable {
  let text: String

  init(measured: Double, granted: Double, controls: [ControlDescription]) {
    let what = "Only \(Self.rounded(measured)) of \(Self.rounded(granted)) pictures a second come"
    guard let control = controls.first(where: { $0.role == .keepFrameRate }) else {
      text = "\(what). In low light many cameras expose longer than a picture takes; more light helps."
      return
    }
    text =
      control.value?.asNumber == 0
      ? "\(what), though the camera is to keep its rate. Is the exposure set longer than a picture takes?"
      : "\(what): in low light the camera exposes longer. Its control “Keep the frame rate” prevents that: "
        + "camrigctl set CAMERA keep-frame-rate=on"
  }

  private static func rounded(_ rate: Double) -> String {
    let tenths = Int((rate * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
