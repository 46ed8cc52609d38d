import CamrigModel
import Codec
import Frames
import Streaming
import TestSupport
import Testing

@Suite("The preview of an H.264 camera", .timeLimit(.minutes(5)))
struct H264PreviewTests {
  private static let size = PixelSize(width: 320, height: 240)
  /// A keyframe at 0, 10, 20 …
  private static let stream = H264CameraStream(size, pictures: 60, keyframeEach: 10)

  private let hub = FrameHub(prerollLength: .seconds(5), prerollCapacityBytes: 8 << 20)
  private let orders = CameraOrdersSeen()
  private let preview: CameraPreview

  init() {
    let orders = orders
    orders.sets = Self.stream.sets
    preview = CameraPreview(
      PreviewCamera(hub: hub, parameterSets: { orders.sets }, requestKeyframe: { orders.add("keyframe") }))
    hub.publish(Self.stream.pictures.start)
  }

  private func publish(_ sequences: ClosedRange<UInt64>) {
    for sequence in sequences { hub.publish(.frame(Self.stream.frame(sequence))) }
  }

  private func wait(_ reader: PreviewReader) async throws -> PreviewPicture {
    let found = Found()
    await eventually { found.take(reader.next()) }
    return try #require(found.picture)
  }

  @Test("its pictures are shown as JPEG in the size asked for, by parameter sets that the camera sent once only")
  func shows() async throws {
    let reader = preview.open(PreviewForm(longEdge: 160)) {}
    for sequence in UInt64(0)...25 {
      publish(sequence...sequence)
      let picture = try await wait(reader)
      #expect(picture.sequence == sequence)
      #expect(picture.frame.format == .mjpeg)
      #expect(picture.size == PixelSize(width: 160, height: 120))
    }
    #expect(orders.all == [])
  }

  @Test("who comes in the middle sees the newest picture at once, decoded from the ring")
  func instantFirst() async throws {
    publish(0...27)
    let reader = preview.open(PreviewForm()) {}
    let picture = try await wait(reader)
    #expect(picture.sequence == 27)
    #expect(picture.size == Self.size)
    #expect(preview.status.madeCount == 1)
    #expect(orders.all == [])
  }

  @Test("where the ring has no keyframe one is asked for, once a second, and shown when it comes")
  func asks() async throws {
    let reader = preview.open(PreviewForm()) {}
    #expect(reader.next() == nil)
    let orders = orders
    publish(1...1)
    await eventually { orders.all == ["keyframe"] }
    publish(2...9)
    #expect(reader.next() == nil)
    publish(10...10)
    #expect(try await wait(reader).sequence == 10)
    #expect(orders.all == ["keyframe"])
  }

  @Test("after a loss nothing is shown before the next keyframe")
  func loss() async throws {
    let reader = preview.open(PreviewForm()) {}
    publish(0...3)
    #expect(try await wait(reader).sequence == 3)
    hub.publish(.lost(Loss(cause: .driverGap, run: 1, firstSequence: 4, count: 1, time: Pictures.time(4))))
    #expect(reader.next() == nil)
    let orders = orders
    publish(5...5)
    await eventually { orders.all == ["keyframe"] }
    publish(6...9)
    #expect(reader.next() == nil)
    publish(10...11)
    #expect(try await wait(reader).sequence >= 10)
  }

  @Test("damage is shown to nobody, nor what builds on it")
  func damage() async throws {
    let reader = preview.open(PreviewForm()) {}
    publish(0...3)
    #expect(try await wait(reader).sequence == 3)
    #expect(reader.next() == nil)
    let preview = preview
    hub.publish(.frame(Self.stream.frame(4, damaged: true)))
    await eventually { preview.status.damagedCount == 1 }
    publish(5...9)
    #expect(reader.next() == nil)
    publish(10...10)
    #expect(try await wait(reader).sequence == 10)
    #expect(preview.status.damagedCount == 1)
  }

  @Test("a viewer of few pictures gets the newest one each time")
  func few() async throws {
    let reader = preview.open(PreviewForm(rate: FrameRate(2))) {}
    publish(0...0)
    #expect(try await wait(reader).sequence == 0)
    #expect(reader.next() == nil)
    publish(1...14)
    #expect(reader.next() == nil)
    publish(15...15)
    #expect(try await wait(reader).sequence == 15)
    #expect(preview.status.madeCount == 2)
  }

  @Test("two sizes are made of one decoding")
  func twoSizes() async throws {
    let readers = [preview.open(PreviewForm(longEdge: 160)) {}, preview.open(PreviewForm(longEdge: 240)) {}]
    publish(0...2)
    var seen: [String] = []
    for reader in readers {
      let picture = try await wait(reader)
      seen.append("\(picture.sequence) \(picture.size)")
    }
    #expect(seen == ["2 160x120", "2 240x180"])
  }
}

/// A camera that sends its parameter sets at the start only; made by x264 through the ffmpeg program.
struct H264CameraStream: Sendable {
  let sets: H264ParameterSets
  let pictures: Pictures
  private let units: [[UInt8]]
  private let keyframeEach: Int

  init(_ size: PixelSize, pictures count: Int, keyframeEach: Int) {
    let directory = TemporaryDirectory()
    let path = directory.path + "/stream.h264"
    let result = Program.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=30", "-frames:v", "\(count)", "-pix_fmt", "yuv420p",
        "-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-x264-params",
        "aud=1:bframes=0:scenecut=0:keyint=\(keyframeEach):min-keyint=\(keyframeEach)", "-f", "h264", path,
      ])
    precondition(result.status == 0, "ffmpeg makes a stream: \(result.errors)")
    let bytes = FileBytes.read(path)
    // Each picture begins with a delimiter.
    var starts: [Int] = []
    for at in bytes.indices.dropLast(5) where bytes[at..<(at + 5)].elementsEqual([0, 0, 0, 1, 9]) { starts.append(at) }
    var sets = H264ParameterSets()
    units = zip(starts, starts.dropFirst() + [bytes.count]).map { start, end in
      Array(bytes[start..<end]).withUnsafeBytes { bytes in
        guard let unit = try? H264AccessUnit(bytes) else { return [] }
        _ = sets.take(unit, from: bytes)
        return unit.sampleUnits.flatMap { [0, 0, 0, 1] + bytes[$0] }
      }
    }
    precondition(sets.isComplete && units.count == count, "the stream is cut into pictures")
    self.sets = sets
    pictures = Pictures(format: .h264, size: size)
    self.keyframeEach = keyframeEach
  }

  func frame(_ sequence: UInt64, damaged: Bool = false) -> Frame {
    var bytes = units[Int(sequence)]
    if damaged { for at in stride(from: bytes.count / 4, to: bytes.count, by: 3) { bytes[at] ^= 0x5a } }
    return pictures.frame(sequence, isKeyframe: Int(sequence) % keyframeEach == 0, bytes: bytes)
  }
}
