import CamrigModel
import Testing

@testable import RigControl

@Suite("What a photo says of its exposure")
struct PhotoExposureTests {
  private func exposure(auto: Int64?, time: Int64?) -> PhotoExposure {
    var controls: [ControlDescription] = []
    if let auto {
      controls.append(
        ControlDescription(
          key: "auto_exposure", id: 0x009a_0901, name: "Auto Exposure", type: .menu, value: .number(auto),
          role: .exposureAuto))
    }
    if let time {
      controls.append(
        ControlDescription(
          key: "exposure_time_absolute", id: 0x009a_0902, name: "Exposure Time, Absolute", type: .integer,
          value: .number(time), role: .exposure))
    }
    return PhotoExposure(controls)
  }

  @Test("the time is told where a person has set it, and never where the camera chooses it itself")
  func time() {
    #expect(exposure(auto: 1, time: 250).time == .milliseconds(25))
    #expect(exposure(auto: 1, time: 250).isAutomatic == false)
    #expect(exposure(auto: 3, time: 250).time == nil)
    #expect(exposure(auto: 3, time: 250).isAutomatic == true)
    #expect(exposure(auto: nil, time: 333).time == .microseconds(33_300))
  }

  @Test("what is not known is not told")
  func unknown() {
    #expect(exposure(auto: nil, time: nil) == PhotoExposure())
    #expect(exposure(auto: 1, time: 0).time == nil)
  }
}
