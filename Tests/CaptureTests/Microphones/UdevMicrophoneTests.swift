import DaemonKit
import Glibc
import TestSupport
import Testing

/// The registry with udev itself, in a test bed of umockdev. A process of its own: that is preloaded.
@Suite("Microphones found through udev", .timeLimit(.minutes(5)))
struct UdevMicrophoneTests {
  private static let runner = "/usr/bin/umockdev-run"

  private static func device(_ path: String, _ properties: [String], attributes: [String] = []) -> String {
    let lines = properties.map { "E: \($0)\n" } + attributes.map { "A: \($0)\\n\n" }
    return "P: \(path)\n" + lines.joined() + "\n"
  }

  /// A webcam with its card and the card's capture and playback devices.
  private static func webcam(_ port: String, card: Int, id: String, serial: String) -> String {
    let usb = "/devices/usb1/1-\(port)"
    let sound = "\(usb)/1-\(port):1.2/sound/card\(card)"
    let node = "snd/pcmC\(card)D0"
    return device(usb, ["DEVTYPE=usb_device", "SUBSYSTEM=usb"], attributes: ["product=Webcam"])
      + device(
        sound,
        [
          "SUBSYSTEM=sound", "SOUND_INITIALIZED=1", "ID_BUS=usb", "ID_VENDOR_ID=046d", "ID_MODEL_ID=0825",
          "ID_SERIAL_SHORT=\(serial)", "ID_PATH=pci-0000:00:14.0-usb-0:\(port):1.2", "ID_USB_INTERFACE_NUM=02",
        ], attributes: ["id=\(id)"])
      + "P: \(sound)/pcmC\(card)D0c\nN: \(node)c\nE: SUBSYSTEM=sound\nE: DEVNAME=/dev/\(node)c\n\n"
      + "P: \(sound)/pcmC\(card)D0p\nN: \(node)p\nE: SUBSYSTEM=sound\nE: DEVNAME=/dev/\(node)p\n\n"
  }

  @Test(
    "two webcams whose cards came in the other order: each microphone belongs to its own camera",
    .enabled(if: access(runner, X_OK) == 0, "umockdev is not installed"))
  func crossed() throws {
    let directory = TemporaryDirectory()
    let devices =
      "P: /devices/usb1\nE: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\n\n"
      + Self.webcam("2", card: 1, id: "C920_1", serial: "A1B2C3")
      + Self.webcam("3", card: 0, id: "C920", serial: "D4E5F6")
    try AtomicFile.write(Array(devices.utf8), to: directory.path + "/devices")
    let run = Program.run(
      Self.runner,
      [
        "-d", directory.path + "/devices", "--", "\(FakeCam.builtDirectory)/CaptureProbe", "microphones",
        directory.path + "/settings.json", "2", "20", "front=/sys/devices/usb1/1-2/1-2:1.0/video4linux/video1",
        "side=/sys/devices/usb1/1-3/1-3:1.0/video4linux/video0",
      ], environment: ["SWIFT_BACKTRACE": "enable=no"])
    let lines = run.lines.map { String($0.dropFirst().dropLast()) }
    #expect(
      lines == ["usb-046d-0825-A1B2C3-02 Webcam idle front", "usb-046d-0825-D4E5F6-02 Webcam 2 idle side"],
      "\(run.errors)")
  }
}
