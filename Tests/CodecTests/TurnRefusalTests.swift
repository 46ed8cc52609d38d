import CamrigModel
import Codec
import Testing

@Suite("Why a picture cannot be turned")
struct TurnRefusalTests {
  @Test(
    "the advice is a format that the camera has and that can be turned, MJPG first",
    arguments: [
      (
        [PixelFormat.h264, .yuyv, .mjpeg], TurnRefusal.h264,
        "(it offers YUYV, MJPG): camrigctl camera set CAMERA --format MJPG"
      ),
      ([.h264, .nv12], .h264, "(it offers NV12): camrigctl camera set CAMERA --format NV12"),
      ([.h264, .grey], .h264Quarter, "--format GREY"), ([.mjpeg, .h264, .yuyv], .sampling, "--format YUYV"),
      ([.mjpeg, .yuyv], .sampledInFours, "by 180. Choose another format for it (it offers YUYV)"),
      ([], .h264, "if it has one"),
    ])
  func advises(_ offered: [PixelFormat], _ refusal: TurnRefusal, _ text: String) {
    #expect(refusal.advice(offered: offered).contains(text), "\(refusal.advice(offered: offered))")
  }

  @Test(
    "a camera that has no such format is told that it cannot, and is given no advice that leads nowhere",
    arguments: [
      ([PixelFormat.h264], TurnRefusal.h264), ([.h264], .h264Quarter), ([.mjpeg, .h264], .sampling),
      ([.mjpeg], .sampledInFours),
    ])
  func hasNone(_ offered: [PixelFormat], _ refusal: TurnRefusal) {
    let text = refusal.advice(offered: offered)
    #expect(
      text.hasSuffix("It offers no format that can, so it stays as it is.") && !text.contains("--format"), "\(text)")
  }

  @Test("no format helps where the pictures are too small")
  func tooSmall() {
    let refusal = TurnRefusal.tooSmall(PixelSize(width: 8, height: 8))
    #expect(refusal.advice(offered: [.mjpeg, .yuyv]) == "pictures of 8x8 are too small for it.")
  }
}
