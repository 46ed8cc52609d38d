/// A fragment whose boxes are as we write them; whether its bytes are is `checksumHolds`.
struct FoundFragment {
  struct Sample: IndexedSample {
    let duration: Int64
    let byteCount: Int
    let isKeyframe: Bool
  }

  struct Run {
    let track: Int
    let time: Int64
    let mediaOffset: Int64
    let samples: [Sample]
  }

  let index: Int
  let offset: Int64
  let byteCount: Int64
  let checksumHolds: Bool
  let note: [UInt8]
  let runs: [Run]

  var end: Int64 { offset + byteCount }

  func lengths(_ trackCount: Int) -> [Int64] {
    var lengths = [Int64](repeating: 0, count: trackCount)
    for run in runs { lengths[run.track] = run.samples.reduce(0) { $0 + $1.duration } }
    return lengths
  }

  func sampleCounts(_ tracks: [TrackDescription]) -> [Int] {
    var counts = [Int](repeating: 0, count: tracks.count)
    for run in runs {
      counts[run.track] =
        tracks[run.track].media.pcmFrameByteCount == nil
        ? run.samples.count : run.samples.reduce(0) { $0 + Int($1.duration) }
    }
    return counts
  }
}
