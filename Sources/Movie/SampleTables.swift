/// The tables of one track's samples, as `stbl` holds them. Equal tables are the same index.
struct SampleTables: Equatable {
  struct DurationRun: Equatable {
    var count: UInt32
    var duration: UInt32
  }

  struct ChunkRun: Equatable {
    /// From 1.
    let firstChunk: UInt32
    let samplesPerChunk: UInt32
  }

  /// Nil for pictures. Sound has one sample a PCM frame here, so its sizes need no table.
  let pcmFrameByteCount: Int?
  let marksKeyframes: Bool
  var sampleCount = 0
  var sizes: [UInt32] = []
  var durations: [DurationRun] = []
  var chunkOffsets: [Int64] = []
  var chunkRuns: [ChunkRun] = []
  /// From 1.
  var keyframes: [UInt32] = []

  init(_ media: TrackMedia) {
    pcmFrameByteCount = media.pcmFrameByteCount
    marksKeyframes = !media.isAlwaysKeyframe
  }

  mutating func add(_ run: DurationRun) {
    if let last = durations.indices.last, durations[last].duration == run.duration {
      durations[last].count &+= run.count
    } else {
      durations.append(run)
    }
  }

  var duration: Int64 {
    durations.reduce(0) { $0 &+ Int64($1.count) &* Int64($1.duration) }
  }

  /// Bytes that `write` writes.
  var byteCount: Int {
    let sizeTable = pcmFrameByteCount == nil ? 4 * sizes.count : 0
    let keyframeTable = marksKeyframes ? 16 + 4 * keyframes.count : 0
    return 16 + 8 * durations.count + 16 + 12 * chunkRuns.count + 20 + sizeTable + 16 + 8 * chunkOffsets.count
      + keyframeTable
  }

  func write(to out: inout BoxWriter) {
    out.fullBox("stts") { out in
      out.u32(durations.count)
      for run in durations {
        out.u32(run.count)
        out.u32(run.duration)
      }
    }
    if marksKeyframes {
      out.fullBox("stss") { out in
        out.u32(keyframes.count)
        for number in keyframes { out.u32(number) }
      }
    }
    out.fullBox("stsc") { out in
      out.u32(chunkRuns.count)
      for run in chunkRuns {
        out.u32(run.firstChunk)
        out.u32(run.samplesPerChunk)
        out.u32(1)
      }
    }
    out.fullBox("stsz") { out in
      out.u32(pcmFrameByteCount ?? 0)
      out.u32(sampleCount)
      if pcmFrameByteCount == nil { for size in sizes { out.u32(size) } }
    }
    out.fullBox("co64") { out in
      out.u32(chunkOffsets.count)
      for offset in chunkOffsets { out.u64(offset) }
    }
  }
}
