import CamrigModel
import Movie
import TestSupport

/// A clip to be written: five fragments of 30 pictures with jittered times, and sound that begins a quarter second
/// later in the `.mov`.
struct TestClip: Sendable {
  struct Picture: Sendable {
    let bytes: [UInt8]
    let isKeyframe: Bool
    let time: Int64
    let duration: Int64
  }

  static let perFragment = 30
  static let soundStart: Int64 = 250_000
  static let clipNote = Array("{\"take\":\"A1\"}".utf8)

  let name: String
  let container: MovieContainer
  let tracks: [TrackDescription]
  let pictures: [Picture]
  /// Mono at 48 kHz; empty where there is none.
  let sound: [UInt8]

  var fragmentCount: Int { (pictures.count + Self.perFragment - 1) / Self.perFragment }
  var times: [Int64] { pictures.map(\.time) }
  var soundFrameCount: Int { sound.count / 2 }

  static let mjpeg: TestClip = {
    let timed = time(Pictures.mjpeg(count: 150).map { ($0, true) })
    let end = timed.last!.time + timed.last!.duration
    let frames = Int((end - soundStart) * 48 / 1000)
    var sound: [UInt8] = []
    for frame in 0..<frames {
      // A saw of 480 Hz.
      let value = Int16(frame % 100 * 200 - 10000)
      sound += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    return TestClip(
      name: "mjpeg.mov", container: .quickTime,
      tracks: [
        TrackDescription(media: .mjpeg(Pictures.size)),
        TrackDescription(media: .pcm(rate: 48000, channels: 1), start: soundStart),
      ], pictures: timed, sound: sound)
  }()

  static let h264: TestClip = {
    let made = Pictures.h264(count: 150)
    return TestClip(
      name: "h264.mp4", container: .mp4,
      tracks: [TrackDescription(media: .h264(Pictures.size, sps: [made.sps], pps: [made.pps]))],
      pictures: time(made.pictures), sound: [])
  }()

  /// 30 pictures a second as a camera gives them: a little early, a little late.
  private static func time(_ pictures: [(bytes: [UInt8], isKeyframe: Bool)]) -> [Picture] {
    var random = SeededRandom(11)
    var times: [Int64] = [0]
    for _ in pictures { times.append(times.last! + 33_333 + Int64(random.next() % 1800) - 900) }
    return pictures.enumerated().map { place, picture in
      Picture(
        bytes: picture.bytes, isKeyframe: picture.isKeyframe, time: times[place],
        duration: times[place + 1] - times[place])
    }
  }

  /// The same clip with other pictures' times.
  func timed(_ time: (Int) -> Int64) -> TestClip {
    TestClip(
      name: name, container: container, tracks: tracks,
      pictures: pictures.enumerated().map { place, picture in
        Picture(
          bytes: picture.bytes, isKeyframe: picture.isKeyframe, time: time(place),
          duration: time(place + 1) - time(place))
      }, sound: sound)
  }

  static func note(of fragment: Int) -> [UInt8] { Array("account of \(fragment)".utf8) }

  /// Sound of a fragment: as many frames as its pictures last, from where the last fragment ended.
  func soundFrames(of fragment: Int) -> Range<Int> {
    func end(_ fragment: Int) -> Int {
      guard !sound.isEmpty, fragment >= 0 else { return 0 }
      let last = pictures[min((fragment + 1) * Self.perFragment, pictures.count) - 1]
      return min(soundFrameCount, max(0, Int((last.time + last.duration - Self.soundStart) * 48 / 1000)))
    }
    return end(fragment - 1)..<end(fragment)
  }

  /// Calls `body` with fragment `number`, whose pictures come in two pieces each.
  func withFragment<T>(_ number: Int, _ body: ([FragmentTrack]) throws -> T) rethrows -> T {
    let range = number * Self.perFragment..<min((number + 1) * Self.perFragment, pictures.count)
    // One block for all of the fragment's bytes, since pointers into arrays do not stay.
    let count = pictures[range].reduce(0) { $0 + $1.bytes.count }
    let frames = soundFrames(of: number)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: count + frames.count * 2, alignment: 16)
    defer { block.deallocate() }
    var at = 0
    func keep(_ bytes: ArraySlice<UInt8>) -> UnsafeRawBufferPointer {
      let place = UnsafeMutableRawBufferPointer(rebasing: block[at..<at + bytes.count])
      place.copyBytes(from: bytes)
      at += bytes.count
      return UnsafeRawBufferPointer(place)
    }
    let samples = pictures[range].map { picture in
      FragmentSample(
        duration: picture.duration, isKeyframe: picture.isKeyframe,
        pieces: [keep(picture.bytes.prefix(100)), keep(picture.bytes.dropFirst(100))])
    }
    var fragment = [FragmentTrack(track: 0, firstTime: pictures[range.lowerBound].time, samples: samples)]
    if !frames.isEmpty {
      var chunks: [FragmentSample] = []
      for begin in stride(from: frames.lowerBound, to: frames.upperBound, by: FragmentSample.pcmFrameLimit) {
        let end = min(begin + FragmentSample.pcmFrameLimit, frames.upperBound)
        chunks.append(FragmentSample(duration: Int64(end - begin), pieces: [keep(sound[begin * 2..<end * 2])]))
      }
      fragment.append(FragmentTrack(track: 1, firstTime: Int64(frames.lowerBound), samples: chunks))
    }
    return try body(fragment)
  }

  /// Appends fragments `range` (all of them if nil).
  @discardableResult
  func append(to writer: MovieWriter, _ range: Range<Int>? = nil) throws -> [FragmentReceipt] {
    try (range ?? 0..<fragmentCount).map { number in
      try withFragment(number) { try writer.append($0, note: Self.note(of: number)) }
    }
  }

  func writer(at path: String) throws -> MovieWriter {
    try MovieWriter(creating: path, container: container, tracks: tracks, note: Self.clipNote)
  }

  /// Writes it with that many fragments, finished or as a crash would leave it.
  @discardableResult
  func write(to path: String, fragments: Int? = nil, finished: Bool) throws -> [FragmentReceipt] {
    let writer = try writer(at: path)
    let receipts = try append(to: writer, 0..<(fragments ?? fragmentCount))
    if finished { _ = try writer.finish() }
    writer.close()
    return receipts
  }
}
