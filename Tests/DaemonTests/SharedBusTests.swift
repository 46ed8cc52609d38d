import CamrigModel
import TestSupport
import Testing

extension DaemonTests {
  @Suite(
    "A bus that is too small for all of its cameras",
    .enabled(if: FakeCam.bed != nil, "libumockdev-dev is not installed"))
  struct SharedBus {
    private static let large = PixelSize(width: 640, height: 480)
    private static let small = PixelSize(width: 320, height: 240)

    /// It carries 1.5 MB a second; a camera takes 0.6 MB, or 0.3 MB in its smaller format.
    private static let cameras = (1...4).map { number in
      """
      [cam\(number)]
      path = /dev/video\(number)
      card = Cam \(number)
      bus_info = usb-0000:00:14.0-\(number)
      bus_bytes = 1500000
      vendor = 046d
      product = 0825
      serial = SERIAL\(number)
      format = MJPG 640x480 30 size=20000
      format = MJPG 320x240 30 size=10000

      """
    }.joined()

    @Test("two stream as they should, one smaller, and one not at all: each says so, and the take goes on with three")
    func fourCameras() async throws {
      let daemon = TestDaemon(demo: 0)
      try await daemon.start(cameras: Self.cameras, count: 4)
      let started = await daemon.ctl("record", "start")
      #expect(started.status == 0, "\(started.errors)")
      let descriptions = { @Sendable in try await daemon.json("cameras", as: [CameraDescription].self) }
      try await wait("three stream, and the fourth knows why it does not") {
        let all = try await descriptions()
        return all.filter { $0.state == .streaming }.count == 3
          && all.contains { $0.state == .failed && $0.cause == .noBandwidth }
      }
      let all = try await descriptions()
      let streaming = all.filter { $0.state == .streaming }
      let full = streaming.filter { $0.granted?.size == Self.large }
      #expect(full.count == 2 && full.allSatisfy { $0.cause == nil && $0.message.isEmpty && $0.hints == nil })
      let reduced = try #require(streaming.first { $0.granted?.size == Self.small })
      #expect(reduced.cause == .noBandwidth)
      #expect(
        reduced.message.contains("streams MJPG 320x240 at 30 instead of MJPG 640x480 at 30"), "\(reduced.message)")
      let without = try #require(all.first { $0.state == .failed })
      #expect(without.message.contains("usb-0000:00:14.0"), "\(without.message)")
      // Who has what it did not get.
      let note = without.hints?.joined(separator: " ") ?? ""
      for camera in streaming { #expect(note.contains(camera.name), "\(note)") }

      try await wait("pictures of those three in the take") {
        let recording = try await daemon.json("status", as: RigStatus.self).recording
        return Set(recording?.cameras.filter { $0.frames > 0 }.map(\.camera) ?? []) == Set(streaming.map(\.id))
      }
      let take = try await daemon.takeStop()
      #expect(take.cameras.filter { $0.clips.contains { $0.frames > 0 } }.count == 3)
    }
  }
}
