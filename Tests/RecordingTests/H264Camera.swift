import CamrigModel
import Codec
import Frames
import Recording
import TestSupport

/// A camera of H.264 whose pictures are each as bright as they say. It sends its parameter sets with its first
/// keyframe, which nobody here has seen. One test drives it.
final class H264Camera: @unchecked Sendable {
  enum Keyframes {
    /// When it is asked for one, and no other.
    case asked
    /// Each second, whoever asks.
    case eachSecond
  }

  static let size = PixelSize(width: 160, height: 128)
  let stream: TestStream
  /// How often it was asked for a keyframe.
  var requests: Int { asked.withLock { $0 } }
  /// How often it had been when it sent its last keyframe.
  private(set) var requestsAtKeyframe = 0
  private(set) var keyframesSent = 0
  /// All of them, but for the keyframe at its start.
  private(set) var picturesSent = 0
  private let keyframes: Keyframes
  private let encoder: LibAVEncoder
  private let sets: H264ParameterSets
  private let asked = Guarded(0)
  private var heeded = 0
  private var lightness: [WallTime: Double] = [:]

  init(_ name: String, _ keyframes: Keyframes, clock: TestClock) throws {
    stream = TestStream(name, clock: clock, size: Self.size, pixelFormat: .h264)
    self.keyframes = keyframes
    encoder = try LibAVEncoder(
      format: VideoFormat(.yu12, Self.size, rate: FrameRate(25)),
      settings: EncoderSettings(
        choice: .software, rateFactor: 12, keyframeInterval: keyframes == .asked ? .seconds(1000) : .seconds(1)))
    stream.begin()
    // Long enough to see what it sees.
    clock.advance(by: .seconds(3))
    _ = try encoder.encode(Self.picture(0, at: clock.now))
    sets = encoder.parameterSets
  }

  var photoCamera: PhotoCamera {
    PhotoCamera(
      id: stream.id, name: stream.name, hub: stream.hub, parameterSets: { self.sets },
      requestKeyframe: { self.asked.withLock { $0 += 1 } }, demand: { self.stream.demands.withLock { $0 += 1 } },
      release: { self.stream.demands.withLock { $0 -= 1 } })
  }

  /// Its next picture.
  func next(damaged: Bool = false) {
    let wanted = requests
    if keyframes == .asked, wanted > heeded { encoder.requestKeyframe() }
    heeded = wanted
    picturesSent += 1
    let time = stream.clock.now + stream.frameTime
    guard let coded = try? encoder.encode(Self.picture(picturesSent, at: time)).first else { return }
    var bytes = Self.annexB(coded.sample.withBytes { Array($0) })
    if damaged { for at in stride(from: bytes.count / 4, to: bytes.count, by: 3) { bytes[at] ^= 0x5a } }
    stream.frame(bytes, nil, coded.isKeyframe)
    lightness[stream.clock.anchor.wall] = Self.lightness(picturesSent)
    guard coded.isKeyframe else { return }
    keyframesSent += 1
    requestsAtKeyframe = requests
  }

  /// Of the picture from that moment, as a JPEG shows it.
  func lightness(at time: WallTime) -> Double? { lightness[time] }

  /// Neighbours differ by more than a decoder's and a JPEG's errors, and none is the grey of a picture without its base.
  private static func luma(_ number: Int) -> Int { [50, 80, 170, 200][number % 4] }

  /// Video has its black at 16 and its white at 235.
  private static func lightness(_ number: Int) -> Double { Double(luma(number) - 16) * 255 / 219 }

  /// With enough in it that a keyframe can be damaged.
  private static func picture(_ number: Int, at time: MediaTime) -> Frame {
    let grain = (0..<size.area).map { UInt8(luma(number) + ($0 % size.width * 7 + $0 / size.width * 13) % 33 - 16) }
    let raw = grain + [UInt8](repeating: 128, count: size.area / 2)
    return Frame(
      raw.withUnsafeBytes { FramePool().buffer(copying: $0) }, format: .yu12, size: size, bytesPerLine: size.width,
      presentationTime: time, run: 1, sequence: UInt64(number), isKeyframe: true)
  }

  /// Start codes instead of lengths.
  private static func annexB(_ sample: [UInt8]) -> [UInt8] {
    var (bytes, at): ([UInt8], Int) = ([], 0)
    while at + 4 <= sample.count {
      let length = sample[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      bytes += [0, 0, 0, 1] + sample[(at + 4)..<(at + 4 + length)]
      at += 4 + length
    }
    return bytes
  }
}
