import CamrigModel
import Codec
import Glibc
import TestSupport
import Testing

@Suite("Which encoders are tried")
struct EncoderCandidateTests {
  @Test("libx264 alone on a machine without hardware, or where software is asked for")
  func software() {
    let nothing = TemporaryDirectory()
    #expect(candidates(.automatic, nothing) == [.x264])
    let machine = Machine(video: ["video11": "bcm2835-codec-encode"], nodes: ["renderD128"])
    #expect(candidates(.software, machine.directory) == [.x264])
  }

  @Test(
    "a codec on chip only where the kernel names an encoder, so that no camera is opened",
    arguments: [
      ("bcm2835-codec-encode", true), ("rockchip,rk3399-vpu-enc", true), ("Qualcomm Venus video encoder", true),
      ("s5p-mfc-enc", true), ("HD Pro Webcam C920", false), ("bcm2835-codec-decode", false), ("unicam-image", false),
      ("Licence Plate Camera", false),
    ])
  func onChip(name: String, isEncoder: Bool) {
    let machine = Machine(video: ["video0": "Integrated Camera", "video11": name], nodes: [])
    #expect(candidates(.automatic, machine.directory) == (isEncoder ? [.v4l2, .x264] : [.x264]))
  }

  @Test("each render node of a graphics card, before libx264")
  func cards() {
    let machine = Machine(video: [:], nodes: ["renderD129", "card0", "renderD128"])
    let path = machine.directory.path + "/dri"
    #expect(
      candidates(.automatic, machine.directory)
        == [.vaapi(device: path + "/renderD128"), .vaapi(device: path + "/renderD129"), .x264])
  }

  @Test("hardware that is named, and libx264 where there is none or it does not work")
  func named() {
    let machine = Machine(video: ["video11": "bcm2835-codec-encode"], nodes: ["renderD128"])
    let card = EncoderCandidate.vaapi(device: machine.directory.path + "/dri/renderD128")
    #expect(candidates(.v4l2, machine.directory) == [.v4l2, .x264])
    #expect(candidates(.vaapi, machine.directory) == [card, .x264])
    #expect(candidates(.v4l2, TemporaryDirectory()) == [.x264])
  }

  @Test("x264 tries harder where the cores have time for it")
  func presets() {
    func preset(_ size: String, _ rate: Int, cores: Int) -> X264Preset {
      X264Preset(VideoFormat(.yuyv, PixelSize(size)!, rate: FrameRate(rate)), cores: cores)
    }
    #expect(preset("640x480", 30, cores: 2) == .veryfast)
    #expect(preset("1280x720", 30, cores: 4) == .veryfast)
    #expect(preset("1920x1080", 30, cores: 4) == .ultrafast)
    #expect(preset("1920x1080", 30, cores: 16) == .veryfast)
  }
}

private func candidates(_ choice: EncoderSettings.Choice, _ directory: TemporaryDirectory) -> [EncoderCandidate] {
  EncoderCandidate.candidates(
    choice, videoClass: directory.path + "/video4linux", renderNodes: directory.path + "/dri")
}

/// What the kernel would show of a machine's video devices and graphics cards.
private struct Machine {
  let directory = TemporaryDirectory()

  init(video: [String: String], nodes: [String]) {
    mkdir(directory.path + "/video4linux", 0o700)
    mkdir(directory.path + "/dri", 0o700)
    for (device, name) in video {
      mkdir("\(directory.path)/video4linux/\(device)", 0o700)
      FileBytes.write(Array("\(name)\n".utf8), to: "\(directory.path)/video4linux/\(device)/name")
    }
    for node in nodes { FileBytes.write([], to: "\(directory.path)/dri/\(node)") }
  }
}
