import CLinux
import CamrigModel
import DaemonKit
import Glibc
import Sound
import TestSupport
import Testing

/// libasound itself, without hardware: its plugins `file` and `null` play a card.
@Suite("libasound", .serialized, .timeLimit(.minutes(5)))
struct CapturePCMTests {
  private let directory = TemporaryDirectory()
  private let wake = cl_eventfd()

  /// `card` delivers the bytes of a file in whatever format it is asked for; `mono` and `eight` are the same with so
  /// many channels and no others.
  private func configure(_ bytes: [UInt8]) throws {
    let path = directory.path
    try AtomicFile.write(bytes, to: path + "/sound.raw")
    func only(_ name: String, _ channels: Int) -> String {
      let bindings = (0..<channels).map { "bindings.\($0) { slave a channel \($0) }" }.joined(separator: " ")
      return "pcm.\(name) { type multi slaves.a { pcm card channels \(channels) } \(bindings) }"
    }
    let configuration = """
      pcm.card { type file file "/dev/null" infile "\(path)/sound.raw" format "raw" slave.pcm { type null } }
      \(only("mono", 1))
      \(only("eight", 8))

      """
    try AtomicFile.write(Array(configuration.utf8), to: path + "/asound.conf")
    setenv("ALSA_CONFIG_PATH", path + "/asound.conf", 1)
  }

  @Test("what a device says no to names the device and the cure")
  func refusals() throws {
    try configure([])
    #expect(throws: SoundError.unplugged(device: "nowhere")) { _ = try CapturePCM("nowhere") }
    #expect(SoundError("hw:1,0", "open", -EBUSY).description.contains("fuser -v"))
    // A card that is gone says either; both end the run.
    #expect(SoundError("hw:1,0", "read", -EBADFD) == .unplugged(device: "hw:1,0"))
    #expect(SoundError("hw:1,0", "read", -ENODEV) == .unplugged(device: "hw:1,0"))
    #expect(SoundError("hw:1,0", "start", -EIO) == .refused(device: "hw:1,0", call: "start", errno: EIO))
  }

  @Test("whatever number of channels there is is taken", arguments: [("mono", 1), ("eight", 8), ("card", 2)])
  func channels(name: String, count: Int) throws {
    try configure([])
    let pcm = try CapturePCM(name)
    #expect(pcm.format.channels == count)
    #expect(pcm.format.rate == 48000)
  }

  @Test("the bytes of the device become sound, with a time of the monotonic clock")
  func reads() throws {
    // 24 bits in three bytes: what is preferred where there is everything.
    try configure((0..<48000).flatMap { _ in [0, 0, 0x40, 0, 0, 0xC0] as [UInt8] })
    let pcm = try CapturePCM("card")
    #expect(pcm.format == SoundFormat(.s24Packed, rate: 48000, channels: 2))
    try pcm.start()
    let before = cl_monotonic_ns()
    guard case .ready = try pcm.wait(.seconds(5), wake: wake), case .piece(let piece) = try pcm.read() else {
      Issue.record("nothing came")
      return
    }
    #expect(piece.samples.prefix(4) == [0.5, -0.5, 0.5, -0.5])
    #expect(piece.samples.count <= 2 * 4800, "a tenth of a second at most")
    #expect(piece.time.nanoseconds >= before - 1_000_000_000 && piece.time.nanoseconds <= cl_monotonic_ns())
    pcm.close()
    pcm.close()
  }
}
