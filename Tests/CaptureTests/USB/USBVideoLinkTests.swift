import CamrigModel
import Capture
import TestSupport
import Testing

@Suite("A camera's way through the USB bus")
struct USBVideoLinkTests {
  /// A webcam of high speed: control interface 0, streaming interface 1 with five alternate settings.
  static let webcam: [UInt8] = {
    var bytes: [UInt8] = [18, 1, 0, 2, 0xef, 2, 1, 64, 0x6d, 0x04, 0x25, 0x08, 1, 0, 1, 2, 3, 1]
    bytes += [9, 2, 0, 0, 2, 1, 0, 0x80, 250]
    bytes += interface(0, 0, 14, 1) + [13, 0x24, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1]
    bytes += interface(1, 0, 14, 2)
    for (setting, word) in [(1, 0x00c0), (2, 0x0180), (3, 0x0400), (4, 0x0b00), (5, 0x1400)] {
      bytes += interface(1, setting, 14, 2) + [7, 5, 0x81, 5, UInt8(word & 255), UInt8(word >> 8), 1]
    }
    // Its microphone is another camera's business.
    return bytes + interface(2, 0, 1, 1) + interface(3, 1, 1, 2) + [9, 5, 0x84, 5, 0x24, 0, 4, 0, 0]
  }()

  static func interface(_ number: Int, _ setting: Int, _ kind: UInt8, _ sub: UInt8) -> [UInt8] {
    [9, 4, UInt8(number), UInt8(setting), 1, kind, sub, 0, 0]
  }

  @Test("has the alternate settings of its descriptors, several transactions an interval included")
  func reads() throws {
    let link = try #require(USBVideoLink(descriptors: Self.webcam, control: 0))
    #expect(link == USBVideoLink(interface: 1, settings: [1: 192, 2: 384, 3: 1024, 4: 1536, 5: 3072]))
    #expect(USBVideoLink(descriptors: Self.webcam, control: 2) == nil)
  }

  @Test("broken descriptors break nothing", arguments: 0..<60)
  func broken(_ count: Int) {
    _ = USBVideoLink(descriptors: Array(Self.webcam.prefix(count * 2)), control: 0)
    var bytes = Self.webcam
    bytes[count] = 0
    _ = USBVideoLink(descriptors: bytes, control: 0)
  }

  @Test("SuperSpeed says its bytes in a companion; bulk reserves nothing")
  func others() throws {
    let head = Self.interface(0, 0, 14, 1) + [13, 0x24, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1]
    let fast = head + Self.interface(1, 1, 14, 2) + [7, 5, 0x81, 5, 0, 4, 1] + [6, 0x30, 7, 0, 0, 0x20]
    #expect(USBVideoLink(descriptors: fast, control: 0)?.settings == [1: 0x2000])
    let bulk = head + Self.interface(1, 0, 14, 2) + [7, 5, 0x81, 2, 0, 2, 0]
    let link = try #require(USBVideoLink(descriptors: bulk, control: 0))
    #expect(link.isBulk && link.claim(bytesPerSecond: 1e9, intervalsPerSecond: 8000) == 0)
  }

  @Test("claims the smallest setting with room for its pictures, or the largest there is")
  func claims() throws {
    let link = try #require(USBVideoLink(descriptors: Self.webcam, control: 0))
    func claim(_ width: Int, _ height: Int, _ rate: Int) -> Int {
      link.claim(bytesPerSecond: Double(width * height * 2 * rate), intervalsPerSecond: 8000)
    }
    #expect(claim(160, 120, 30) == 192)
    #expect(claim(320, 240, 30) == 1024)
    #expect(claim(640, 480, 15) == 1536)
    #expect(claim(640, 480, 30) == 3072)
    #expect(claim(1920, 1080, 30) == 3072)
  }

  @Test("is found in sysfs, with what it has reserved while it streams")
  func system() throws {
    let directory = TemporaryDirectory()
    let device = directory.path + "/devices/pci/usb1/1-1"
    let node = device + "/1-1:1.0/video4linux/video0"
    for folder in [node, device + "/1-1:1.1"] { #expect(Program.run("mkdir", ["-p", folder]).status == 0) }
    FileBytes.write(Self.webcam, to: device + "/descriptors")
    for (name, text) in [("busnum", "1\n"), ("speed", "480\n"), ("1-1:1.1/bAlternateSetting", " 4\n")] {
      FileBytes.write(Array(text.utf8), to: "\(device)/\(name)")
    }
    let facts = try #require(SystemUSB().facts(node))
    #expect((facts.bus, facts.speed, facts.reserved) == (1, USBBus(megabits: 480), 1536))
    FileBytes.write(Array(" 0\n".utf8), to: device + "/1-1:1.1/bAlternateSetting")
    #expect(SystemUSB().facts(node)?.reserved == nil)
    #expect(SystemUSB().facts("/sys/devices/platform/vivid.0/video4linux/video0") == nil)
    #expect(SystemUSB().facts("built-in/test-1") == nil)
  }
}
