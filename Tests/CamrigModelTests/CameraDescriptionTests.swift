import CamrigModel
import Testing

@Suite("A camera as monitors see it")
struct CameraDescriptionTests {
  @Test("in JSON, with everything there is to say")
  func full() throws {
    let camera = CameraDescription(
      id: CameraID("usb-046d-0825-A1-00"), name: "Left", state: .streaming,
      device: DeviceDescription(
        driver: "uvcvideo", card: "HD Webcam", bus: "usb-1", node: "/dev/video0",
        formats: [
          FormatDescription(
            fourcc: "MJPG", label: "Motion-JPEG", pixelFormat: .mjpeg,
            sizes: [SizeDescription(size: PixelSize(width: 640, height: 480), rates: [FrameRate(30)])])
        ]),
      port: "pci-1", serial: "A1", wish: FormatWish(size: PixelSize(width: 640, height: 480)),
      granted: VideoFormat(.mjpeg, PixelSize(width: 640, height: 480), rate: FrameRate(30)),
      stream: StreamStatus(frames: 9, lost: ["driverGap": 1], measuredRate: 29.5))
    #expect(
      try JSONValue(encoding: camera).text
        == #"{"device":{"bus":"usb-1","card":"HD Webcam","driver":"uvcvideo","formats":[{"fourcc":"MJPG","#
        + #""label":"Motion-JPEG","pixelFormat":"MJPG","sizes":[{"rates":["30"],"ratesAreRange":false,"#
        + #""size":"640x480"}]}],"node":"/dev/video0"},"enabled":true,"granted":{"bytesPerLine":0,"#
        + #""pixelFormat":"MJPG","rate":"30","size":"640x480"},"id":"usb-046d-0825-A1-00","message":"","#
        + #""name":"Left","port":"pci-1","serial":"A1","sharesSerialWith":[],"state":"streaming","#
        + #""stream":{"frames":9,"lost":{"driverGap":1},"measuredRate":29.5,"oddities":{}},"#
        + #""wish":{"size":"640x480"}}"#)
    #expect(try JSONValue(encoding: camera).decode(CameraDescription.self) == camera)
  }

  @Test("an ID is a text in JSON, and the key of a map")
  func ids() throws {
    let map: [CameraID: Int] = [CameraID("usb-1"): 1]
    #expect(try JSONValue(encoding: map).text == #"{"usb-1":1}"#)
    #expect(try JSONValue(json: #"{"usb-1":1}"#).decode([CameraID: Int].self) == map)
    #expect(try JSONValue(encoding: [CameraID("usb-1")]).text == #"["usb-1"]"#)
  }

  @Test("a loss in JSON")
  func loss() throws {
    let loss = Loss(
      cause: .queueOverflow, run: 2, firstSequence: 10, count: 3, time: MediaTime(nanoseconds: 5))
    #expect(
      try JSONValue(encoding: loss).text
        == #"{"cause":"queueOverflow","count":3,"firstSequence":10,"run":2,"time":5}"#)
  }
}
