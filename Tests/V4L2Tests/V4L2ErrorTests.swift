import Testing
import V4L2

@Suite("What a device's refusal says")
struct V4L2ErrorTests {
  private let path = "/dev/video2"

  @Test("it names the node and the cure")
  func namesCure() {
    #expect(
      V4L2Error.busy(path: path).description
        == "/dev/video2 is in use by another program. Find it with: fuser -v /dev/video2")
    #expect(
      V4L2Error.unplugged(path: path).description
        == "/dev/video2 is gone. Plug the camera back into the same USB socket.")
    #expect(V4L2Error.permission(path: path).description.contains("group video"))
  }

  @Test("a full bus is called by its name, with the errno")
  func namesBus() {
    let text = V4L2Error.noBandwidth(path: path, bus: "usb-0000:00:14.0-1").description
    #expect(text.contains("USB bandwidth of usb-0000:00:14.0-1"))
    #expect(text.contains("ENOSPC"))
    #expect(V4L2Error.startRefused(path: path, bus: "usb-1", errno: 12).description.contains("errno 12"))
  }

  @Test("a node that cannot be opened says why")
  func opening() {
    #expect(throws: V4L2Error.missing(path: "/dev/no-such-video")) {
      try VideoDevice(path: "/dev/no-such-video")
    }
  }

  @Test("a file that is no camera is told from one")
  func notACamera() throws {
    let device = try VideoDevice(path: "/dev/null")
    #expect(throws: V4L2Error.self) { try device.describe() }
  }
}
