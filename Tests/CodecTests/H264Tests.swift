import CamrigModel
import Codec
import TestSupport
import Testing

@Suite("H.264 as cameras send it")
struct H264Tests {
  @Test("every picture of an all-IDR stream is a keyframe")
  func allRefresh() {
    let stream = H264Stream(frames: 6, parameters: "keyint=1")
    #expect(stream.units.count == 6)
    for unit in stream.units {
      let parsed = H264Stream.parse(unit)
      #expect(parsed?.isKeyframe == true && parsed?.isInstantRefresh == true && parsed?.hasPicture == true)
    }
  }

  @Test("when parameter sets and IDR come once, the rest are pictures that nobody can start with")
  func refreshOnce() {
    let stream = H264Stream(frames: 40, parameters: "keyint=500")
    let parsed = stream.units.compactMap { H264Stream.parse($0) }
    #expect(parsed.count == 40)
    #expect(parsed.map(\.isKeyframe) == [true] + [Bool](repeating: false, count: 39))
    #expect(parsed.map(\.sequenceParameters.count) == [1] + [Int](repeating: 0, count: 39))
    #expect(parsed.map(\.pictureParameters.count) == [1] + [Int](repeating: 0, count: 39))
  }

  @Test("an intra picture marked as a point of full recovery is a keyframe; a slow refresh is not")
  func recoveryPoints() {
    // x264 makes open groups only with pictures that look both ways.
    let open = H264Stream(frames: 12, parameters: "keyint=5:open-gop=1:bframes=2")
      .units.compactMap { H264Stream.parse($0) }
    let keyframes = open.filter(\.isKeyframe)
    #expect(keyframes.map(\.isInstantRefresh) == [true, false, false])
    #expect(keyframes.map(\.recoveryPictureCount) == [nil, 0, 0])
    let slow = H264Stream(frames: 12, parameters: "keyint=5:intra-refresh=1").units.compactMap { H264Stream.parse($0) }
    #expect(slow.contains { ($0.recoveryPictureCount ?? 0) > 0 })
    #expect(slow.indices.filter { slow[$0].isKeyframe } == [0])
  }

  @Test("a movie's samples hold the pictures without delimiters and parameter sets, and decode with them in front")
  func samples() throws {
    let stream = H264Stream(frames: 10, parameters: "keyint=4:slices=3")
    var sets = H264ParameterSets()
    var again: [UInt8] = []
    for unit in stream.units {
      let parsed = try #require(H264Stream.parse(unit))
      _ = unit.withUnsafeBytes { sets.take(parsed, from: $0) }
      let bytes = try #require(H264Stream.annexB(sample: H264Stream.sample(unit, parsed)))
      unitTypes(bytes).forEach { #expect(![7, 8, 9].contains($0)) }
      again += bytes
    }
    #expect(sets.isComplete)
    let header = (sets.sequence + sets.picture).flatMap { set -> [UInt8] in [0, 0, 0, 1] + set }
    let directory = TemporaryDirectory()
    FileBytes.write(header + again, to: directory.path + "/again.h264")
    FileBytes.write(stream.bytes, to: directory.path + "/stream.h264")
    func pictures(_ name: String) -> String {
      Program.run("ffmpeg", ["-v", "error", "-xerror", "-i", "\(directory.path)/\(name)", "-f", "framemd5", "-"]).text
    }
    let before = pictures("stream.h264")
    #expect(before.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 10)
    #expect(pictures("again.h264") == before)
  }

  @Test("the size is what is shown, cropping taken off", arguments: ["320x240", "642x482", "1920x1080", "64x16"])
  func size(text: String) throws {
    let stream = H264Stream(size: text, frames: 1, parameters: "keyint=1")
    #expect(try parameters(stream).sequenceParameters?.size == PixelSize(text))
  }

  @Test(
    "profile, chroma and depth are read",
    arguments: [
      ("baseline", "yuv420p", 66, 1, 8), ("main", "yuv420p", 77, 1, 8), ("high", "yuv420p", 100, 1, 8),
      ("high10", "yuv420p10le", 110, 1, 10), ("high422", "yuv422p", 122, 2, 8), ("high444", "yuv444p", 244, 3, 8),
    ])
  func profiles(name: String, pixels: String, profile: UInt8, chroma: Int, depth: Int) throws {
    let stream = H264Stream(
      size: "322x242", frames: 1,
      parameters: "keyint=1:level=31" + (profile > 66 ? ":cabac=1" : "") + (profile < 100 ? "" : ":cqm=jvt"),
      profile: name,
      pixels: pixels)
    let found = try #require(try parameters(stream).sequenceParameters)
    #expect(found.profile == profile && found.chromaFormat == chroma && found.lumaBitDepth == depth)
    #expect(found.size == PixelSize(width: 322, height: 242))
    #expect(found.level == 31)
  }

  @Test("interlaced pictures have their full height")
  func interlaced() throws {
    let stream = H264Stream(size: "320x240", frames: 1, parameters: "keyint=1:interlaced=1", profile: "main")
    #expect(try parameters(stream).sequenceParameters?.size == PixelSize(width: 320, height: 240))
  }

  @Test("parameter sets are kept until others of the same number come")
  func keptSets() throws {
    let small = H264Stream(size: "320x240", frames: 1, parameters: "keyint=1").units[0]
    let large = H264Stream(size: "640x480", frames: 1, parameters: "keyint=1").units[0]
    var sets = H264ParameterSets()
    func take(_ bytes: [UInt8]) throws -> Bool {
      let unit = try #require(H264Stream.parse(bytes))
      return bytes.withUnsafeBytes { sets.take(unit, from: $0) }
    }
    #expect(try take(small))
    #expect(try !take(small))
    #expect(try take(large))
    #expect(sets.sequence.count == 1)
    #expect(sets.sequenceParameters?.size == PixelSize(width: 640, height: 480))
  }

  @Test("a stream without picture parameters is known to be incomplete")
  func noPictureParameters() throws {
    let unit = H264Stream(frames: 1, parameters: "keyint=1").units[0]
    let parsed = try #require(H264Stream.parse(unit))
    var without = unit
    without.removeSubrange(parsed.pictureParameters[0])
    let bare = try #require(H264Stream.parse(without))
    var sets = H264ParameterSets()
    #expect(without.withUnsafeBytes { sets.take(bare, from: $0) })
    #expect(!sets.isComplete)
    #expect(bare.isKeyframe)
  }

  @Test("start codes of three and four bytes and zeros between units are all the same")
  func startCodes() throws {
    let bytes: [UInt8] = [
      0, 0, 1, 9, 0xf0, 0, 0, 0, 1, 0x65, 0x88, 0x84, 0, 0, 0, 0, 0, 1, 0x06, 1, 1, 7, 0, 0, 1, 0x41, 0x9a, 0x22,
      0, 0, 0,
    ]
    let parsed = try #require(H264Stream.parse(bytes))
    #expect(
      H264Stream.sample(bytes, parsed)
        == [0, 0, 0, 3, 0x65, 0x88, 0x84, 0, 0, 0, 4, 6, 1, 1, 7, 0, 0, 0, 3, 0x41, 0x9a, 0x22])
  }

  @Test("what is no H.264 is said to be so")
  func faults() {
    func fault(_ bytes: [UInt8]) -> H264Fault? {
      bytes.withUnsafeBytes { bytes in
        do throws(H264Fault) {
          _ = try H264AccessUnit(bytes)
          return nil
        } catch { return error }
      }
    }
    #expect(fault([]) == .empty)
    #expect(fault([0]) == .noStartCode)
    #expect(fault([0, 0, 1]) == .noStartCode)
    #expect(fault([UInt8](repeating: 0, count: 100)) == .noStartCode)
    #expect(fault([0xff, 0xd8, 0xff, 0xdb]) == .noStartCode)
    #expect(fault([0, 0, 1, 0xe5, 1]) == .damagedHeader)
    #expect("\(H264Fault.noStartCode)" == "it has no H.264 start code (00 00 01)")
  }

  @Test("no bytes whatever make it fail")
  func mutations() throws {
    let base = H264Stream(
      size: "64x64", frames: 1, parameters: "keyint=1:cqm=jvt:intra-refresh=1", profile: "high"
    ).units[0]
    let bytes = Array(base.prefix(900))
    var numbers = SeededNumbers(11)
    for round in 0..<20000 {
      var damaged = bytes
      // Half of the rounds aim at the parameter sets, which come first.
      let reach = round & 1 == 0 ? min(120, damaged.count) : damaged.count
      for _ in 0..<Int.random(in: 1...8, using: &numbers) {
        let at = Int.random(in: 0..<reach, using: &numbers)
        damaged[at] = UInt8.random(in: 0...255, using: &numbers)
      }
      if round % 5 == 0 { damaged.removeSubrange(Int.random(in: 0..<reach, using: &numbers)...) }
      guard let unit = H264Stream.parse(damaged) else { continue }
      var sets = H264ParameterSets()
      _ = damaged.withUnsafeBytes { sets.take(unit, from: $0) }
      if let size = sets.sequenceParameters?.size, size.width > 32768 || size.height > 32768 {
        Issue.record("an impossible size in round \(round)")
      }
      if H264Stream.annexB(sample: H264Stream.sample(damaged, unit)) == nil {
        Issue.record("lengths that do not add up in round \(round)")
      }
    }
  }
}

private func parameters(_ stream: H264Stream) throws -> H264ParameterSets {
  let unit = try #require(H264Stream.parse(stream.units[0]))
  var sets = H264ParameterSets()
  _ = stream.units[0].withUnsafeBytes { sets.take(unit, from: $0) }
  return sets
}

private func unitTypes(_ bytes: [UInt8]) -> [UInt8] {
  var types: [UInt8] = []
  bytes.withUnsafeBytes { H264NALUnit.each(in: $0) { types.append($0.type) } }
  return types
}
