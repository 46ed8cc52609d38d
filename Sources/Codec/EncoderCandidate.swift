import CamrigModel
import Glibc

/// An encoder of libavcodec that may work on this machine.
package enum EncoderCandidate: Hashable, Sendable {
  /// The video codec of a Raspberry Pi or another system on chip.
  case v4l2
  /// A graphics card, by its render node.
  case vaapi(device: String)
  case x264

  /// In the order they are to be tried.
  ///
  /// Looks at names only: to open every `/dev/videoN`, as libavcodec does, wakes up cameras. So that one is tried
  /// only where the kernel names a video device an encoder.
  package static func candidates(
    _ choice: EncoderSettings.Choice, videoClass: String = "/sys/class/video4linux", renderNodes: String = "/dev/dri"
  ) -> [EncoderCandidate] {
    var found: [EncoderCandidate] = []
    if choice == .automatic || choice == .v4l2 {
      let names = entries(videoClass).map { firstLine("\(videoClass)/\($0)/name").lowercased() }
      if names.contains(where: { namesEncoder($0) }) { found.append(.v4l2) }
    }
    if choice == .automatic || choice == .vaapi {
      let nodes = entries(renderNodes).filter { $0.hasPrefix("renderD") }.sorted()
      found += nodes.map { .vaapi(device: "\(renderNodes)/\($0)") }
    }
    return choice == .jpeg ? [] : found + [.x264]
  }

  var libraryName: String {
    switch self {
    case .v4l2: "h264_v4l2m2m"
    case .vaapi: "h264_vaapi"
    case .x264: "libx264"
    }
  }

  var isHardware: Bool { self != .x264 }

  /// As drivers have it: bcm2835-codec-encode, hantro-vpu-enc, mtk-vcodec-enc, s5p-mfc-enc, video encoder.
  private static func namesEncoder(_ name: String) -> Bool {
    name.contains("encode") || name.split(whereSeparator: { "-_ ".contains($0) }).contains("enc")
  }

  private static func entries(_ directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func firstLine(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(file, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
  }
}
