import TestSupport
import Testing

@Suite("An emulated video device")
struct EmulatedDeviceTests {
  private let cameras = FakeCam(
    """
    [cam0]
    path = /dev/video40
    card = Fake Cam: AAA
    bus_info = usb-0000:00:14.0-1
    format = YUYV 640x480 30,15
    format = MJPG 1280x720 60,30,7.5 size=40000
    format = MJPG 1280x720 60,30,7.5 size=40000
    format = YUYV 160-1920/16x120-1080/8 1..30

    [cam0-meta]
    path = /dev/video41
    card = Fake Cam: AAA
    bus_info = usb-0000:00:14.0-1
    meta = 1
    """)

  @Test("it is described with all that it offers")
  func describes() throws {
    let run = try #require(cameras.run("CaptureProbe", ["describe", "/dev/video40"]))
    #expect(
      run.text == """
        {"bus":"usb-0000:00:14.0-1","card":"Fake Cam: AAA","driver":"uvcvideo","formats":[\
        {"fourcc":"MJPG","label":"Motion-JPEG","pixelFormat":"MJPG","sizes":[\
        {"rates":["60","30","15\\/2"],"ratesAreRange":false,"size":"1280x720"}]},\
        {"fourcc":"YUYV","label":"YUYV 4:2:2","pixelFormat":"YUYV","sizes":[\
        {"rates":["30","1"],"ratesAreRange":true,"size":"1920x1080","smallest":"160x120","step":"16x8"},\
        {"rates":["30","15"],"ratesAreRange":false,"size":"640x480"}]}],"node":"\\/dev\\/video40"}

        """, "\(run.errors)")
  }

  @Test("a metadata node is no camera")
  func refusesMetadata() throws {
    let run = try #require(cameras.run("CaptureProbe", ["describe", "/dev/video41"]))
    #expect(run.status == 1)
    #expect(
      run.errors == "/dev/video41 takes no pictures: it is no video capture device with streaming.\n")
  }

  @Test("it is not held by anybody when nobody streams")
  func isFree() throws {
    #expect(cameras.run("CaptureProbe", ["held", "/dev/video40"])?.text == "false\n")
  }

  @Test("it is described while another program holds it, which is noticed", .timeLimit(.minutes(5)))
  func describesHeld() throws {
    // Buffers of another program make REQBUFS answer EBUSY.
    let held = cameras.run("CaptureProbe", ["held", "/dev/video40"], script: ["t=0 errno 0 REQBUFS EBUSY 0"])
    #expect(held?.text == "true\n")
    let described = cameras.run(
      "CaptureProbe", ["describe", "/dev/video40"],
      script: [
        "t=0 errno 0 REQBUFS EBUSY 0", "t=0 errno 0 S_FMT EBUSY 0", "t=0 errno 0 S_PARM EBUSY 0",
        "t=0 errno 0 STREAMON EBUSY 0",
      ])
    #expect(described?.status == 0)
  }
}
