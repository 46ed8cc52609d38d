import CamrigModel
import FoundationEssentials
import Frames
import TestSupport
import Testing

/// What `CaptureProbe stream` has printed.
struct ProbeOutput {
  struct Line: Decodable {
    var started: StreamRun?
    var frame: Picture?
    var lost: Loss?
    var ended: StreamEnd?
    var state: State?
  }

  struct Picture: Decodable {
    let run: Int
    let sequence: UInt64
    let time: MediaTime
    let bytes: Int
    let size: PixelSize
    let mark: String
  }

  struct State: Decodable {
    let state: CameraState
    let message: String
    let granted: VideoFormat?
    let stream: StreamStatus?
  }

  let lines: [Line]
  let errors: String

  init(
    _ cameras: FakeCam, _ arguments: [String], script: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try #require(
      cameras.run("CaptureProbe", ["stream"] + arguments, script: script), "libfakecam.so cannot be built (make, gcc)",
      sourceLocation: sourceLocation)
    try #require(run.status == 0, "\(run.errors)", sourceLocation: sourceLocation)
    let decoder = JSONDecoder()
    lines = try run.lines.map { try decoder.decode(Line.self, from: Data($0.utf8)) }
    errors = run.errors
  }

  var frames: [Picture] { lines.compactMap(\.frame) }
  var losses: [Loss] { lines.compactMap(\.lost) }
  var runs: [StreamRun] { lines.compactMap(\.started) }
  var ends: [StreamEnd] { lines.compactMap(\.ended) }
  var states: [State] { lines.compactMap(\.state) }

  /// `broken 40+1`
  var lossWords: [String] { losses.map { "\($0.cause.rawValue) \($0.firstSequence)+\($0.count)" } }

  /// Every number from a run's first to its last is in exactly one frame or loss, in order.
  func checkAccount(sourceLocation: SourceLocation = #_sourceLocation) {
    var next: UInt64?
    var run = 0
    for line in lines {
      if let started = line.started {
        #expect(started.number == run + 1, sourceLocation: sourceLocation)
        run = started.number
        next = nil
      }
      let part: (run: Int, first: UInt64, count: UInt64)? =
        if let frame = line.frame {
          (frame.run, frame.sequence, 1)
        } else {
          line.lost.map { ($0.run, $0.firstSequence, $0.count) }
        }
      guard let part else { continue }
      #expect(part.run == run, sourceLocation: sourceLocation)
      if let next { #expect(part.first == next, sourceLocation: sourceLocation) }
      next = part.first + part.count
    }
    for (earlier, later) in zip(frames, frames.dropFirst()) {
      #expect(earlier.time < later.time, sourceLocation: sourceLocation)
    }
  }
}
