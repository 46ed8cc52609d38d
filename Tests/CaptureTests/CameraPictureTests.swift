import CamrigModel
import Capture
import Codec
import Frames
import Testing

@Suite("A camera whose pictures are turned", .timeLimit(.minutes(5)))
struct CameraPictureTests {
  private func setting(_ choice: PictureChoice) -> PictureSetting { PictureSetting(kept: choice) }
  private let mirror = PictureChoice(mirror: true)
  private let rows = (0..<64).map { UInt8($0) }
  private var mirrored: [UInt8] {
    (0..<8).flatMap { row -> [UInt8] in rows[(row * 8)..<(row * 8 + 8)].reversed() }
  }

  private func bytes(_ item: StreamItem) -> [UInt8]? { item.frame.map { $0.withBytes { Array($0) } } }

  @Test("publishes them turned, and its account stays exact")
  func mirrors() throws {
    let bench = try CameraBench(
      steps: [
        .picture(3, flagged: true), .picture(4, bytes: rows), .picture(7, bytes: rows), .picture(8, bytes: [1]),
        .picture(9, bytes: rows),
      ])
    bench.camera.setPicture(setting(mirror))
    bench.run()
    let items = try bench.items(7)
    #expect(
      words(items) == [
        "start 1", "lost 3+1 errorFlagged", "frame 4", "lost 5+2 driverGap", "frame 7", "lost 8+1 broken", "frame 9",
      ])
    #expect(items.compactMap(bytes).allSatisfy { $0 == mirrored })
    try bench.wait("three pictures") { bench.camera.status.stream?.frames == 3 }
    #expect(bench.camera.status.stream?.lost == ["errorFlagged": 1, "driverGap": 2, "broken": 1])
    bench.device.push(.fail(FakeTrouble.unplugged))
    #expect(words(try bench.items(1)) == ["end unplugged"])
    #expect(bench.device.lent == 0)
  }

  @Test("takes a change at once: a new run, of another size, from the camera as it is open")
  func changes() throws {
    let bench = try CameraBench()
    bench.device.grant(VideoFormat(.grey, PixelSize(width: 16, height: 8), rate: FrameRate(30)))
    bench.device.push(.picture(0))
    bench.run()
    #expect(words(try bench.items(2)) == ["start 1", "frame 0"])
    #expect(bench.camera.status.delivered == nil)
    bench.camera.setPicture(setting(PictureChoice(rotate: 90)))
    #expect(words(try bench.items(1)) == ["end stopped"])
    bench.device.push(.picture(1), .picture(2))
    let turned = try bench.items(3)
    #expect(words(turned) == ["start 2", "frame 1", "frame 2"])
    #expect(turned.compactMap(\.frame).allSatisfy { $0.size == PixelSize(width: 8, height: 16) && $0.run == 2 })
    try bench.wait("its size") { bench.statuses.last?.delivered?.size == PixelSize(width: 8, height: 16) }
    try bench.wait("two pictures") { bench.camera.status.stream?.frames == 2 }
    bench.camera.setPicture(PictureSetting())
    bench.device.push(.picture(3))
    let plain = try bench.items(3)
    #expect(words(plain) == ["end stopped", "start 3", "frame 3"])
    #expect(plain.last?.frame?.size == PixelSize(width: 16, height: 8))
    try bench.wait("its size") { bench.statuses.last.map { $0.delivered == nil } == true }
    #expect(bench.device.wishes.count == 1)
  }

  @Test("is turned as before when it is plugged in again")
  func replug() throws {
    let bench = try CameraBench(steps: [.picture(0, bytes: rows)])
    bench.camera.setPicture(setting(mirror))
    bench.run()
    #expect(try bench.items(2).compactMap(bytes) == [mirrored])
    bench.camera.detach()
    #expect(words(try bench.items(1)) == ["end unplugged"])
    bench.device.push(.picture(0, bytes: rows))
    bench.camera.attach(bench.device)
    #expect(try bench.items(2).compactMap(bytes) == [mirrored])
  }

  @Test("JPEGs without Huffman tables, as many webcams send them, are turned too")
  func jpeg() throws {
    let size = PixelSize(width: 160, height: 120)
    let renderer = try TestPatternRenderer(format: VideoFormat(.mjpeg, size, rate: nil))
    let jpeg = try renderer.render(counter: 77, time: WallTime(nanoseconds: 0)) { Array($0) }
    let bench = try CameraBench()
    bench.device.grant(VideoFormat(.mjpeg, size, rate: FrameRate(30)))
    bench.device.push(.picture(0, bytes: withoutTables(jpeg)))
    bench.camera.setPicture(setting(PictureChoice(mirror: true, rotate: 180)))
    bench.run()
    let frame = try #require(try bench.items(2).last?.frame)
    #expect(frame.size == size)
    let decoder = try JPEGDecoder()
    func luma(_ bytes: [UInt8]) throws -> [UInt8] {
      try bytes.withUnsafeBytes { bytes throws(CodecError) in try decoder.decode(bytes, .luma).bytes }
    }
    let (before, after) = (try luma(jpeg), try luma(frame.withBytes { Array($0) }))
    let upsideDown = (0..<120).reversed().flatMap { (row: Int) -> [UInt8] in
      Array(before[(row * 160)..<(row * 160 + 160)])
    }
    #expect(zip(upsideDown, after).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    #expect(zip(before, after).contains { abs(Int($0) - Int($1)) > 50 })
  }

  private func withoutTables(_ jpeg: [UInt8]) -> [UInt8] {
    var result = Array(jpeg[..<2])
    var at = 2
    while jpeg[at + 1] != 0xda {
      let next = at + 2 + Int(jpeg[at + 2]) << 8 + Int(jpeg[at + 3])
      if jpeg[at + 1] != 0xc4 { result += jpeg[at..<next] }
      at = next
    }
    return result + jpeg[at...]
  }

  private func offer(_ formats: [PixelFormat], _ bench: CameraBench) {
    bench.device.offer(
      formats.map { format in
        FormatDescription(
          fourcc: format.rawValue, label: "", pixelFormat: format,
          sizes: [SizeDescription(size: FakeH264.size, rates: [FrameRate(format == .h264 ? 30 : 10)])])
      })
  }

  @Test("is opened in another format than H.264, which cannot be turned, unless its user has chosen that")
  func avoidsH264() throws {
    let bench = try CameraBench()
    offer([.h264, .yuyv], bench)
    bench.camera.setPicture(setting(mirror))
    bench.device.push(.picture(0))
    bench.run()
    _ = try bench.items(2)
    #expect(bench.device.wishes.map(\.pixelFormat) == [.yuyv])
    #expect(bench.camera.status.turnRefusal == nil)
    bench.camera.setWish(FormatWish(pixelFormat: .h264))
    #expect(words(try bench.items(1)) == ["end stopped"])
    bench.device.push(.picture(0, bytes: FakeH264.sets + FakeH264.refresh))
    _ = try bench.items(2)
    #expect(bench.device.wishes.last?.pixelFormat == .h264)
    let status = bench.camera.status
    #expect(status.turnRefusal == .h264)
    #expect(status.hints.contains { $0.contains("not mirrored, rotated or zoomed") && $0.contains("--format YUYV") })
    // Left to itself and to its own picture it is H.264 again, which is faster.
    bench.camera.setWish(FormatWish())
    bench.camera.setPicture(PictureSetting())
    try bench.wait("H.264") {
      bench.device.wishes.last == FormatWish(pixelFormat: .h264, size: FakeH264.size, rate: FrameRate(30))
    }
    #expect(bench.camera.status.hints.isEmpty)
  }
}
