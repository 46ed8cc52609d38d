/// The sample tables of one track: grown fragment by fragment, or read from a finished file. Equal tables are the
/// same index.
struct TrackIndex: Equatable {
  struct Run: Equatable {
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
  private(set) var sampleCount = 0
  private(set) var sizes: [UInt32] = []
  private(set) var durations: [Run] = []
  private(set) var chunkOffsets: [Int64] = []
  private(set) var chunkRuns: [ChunkRun] = []
  /// From 1.
  private(set) var keyframes: [UInt32] = []
  /// Ticks between the track's start and its first sample, which `stts` cannot say.
  private(set) var firstTime: Int64 = 0
  /// Ticks since the track's start at which the last sample ends.
  private(set) var endTime: Int64 = 0
  private var samplesInChunk: UInt32 = 0

  init(_ media: TrackMedia) {
    pcmFrameByteCount = media.pcmFrameByteCount
    marksKeyframes = !media.isAlwaysKeyframe
  }

  /// Ticks of all samples.
  var duration: Int64 { endTime &- firstTime }

  /// Begins a chunk: samples that lie one behind the other from `offset`. If the last sample ends earlier than
  /// `time`, it is shown until then.
  mutating func beginChunk(offset: Int64, time: Int64) {
    if sampleCount == 0 {
      firstTime = time
      endTime = time
    } else {
      stretchLast(to: time)
    }
    chunkOffsets.append(offset)
    samplesInChunk = 0
  }

  /// `duration` and `byteCount` of a picture, or of that many PCM frames.
  mutating func addSample(duration: UInt32, byteCount: UInt32, isKeyframe: Bool) {
    if pcmFrameByteCount == nil {
      sampleCount += 1
      samplesInChunk += 1
      sizes.append(byteCount)
      add(Run(count: 1, duration: duration))
      if marksKeyframes, isKeyframe { keyframes.append(UInt32(truncatingIfNeeded: sampleCount)) }
    } else {
      sampleCount += Int(duration)
      samplesInChunk &+= duration
      add(Run(count: duration, duration: 1))
    }
    endTime &+= Int64(duration)
  }

  mutating func endChunk() {
    guard chunkRuns.last?.samplesPerChunk != samplesInChunk else { return }
    chunkRuns.append(
      ChunkRun(firstChunk: UInt32(truncatingIfNeeded: chunkOffsets.count), samplesPerChunk: samplesInChunk))
  }

  private mutating func add(_ run: Run) {
    if let last = durations.indices.last, durations[last].duration == run.duration {
      durations[last].count &+= run.count
    } else {
      durations.append(run)
    }
  }

  private mutating func stretchLast(to time: Int64) {
    guard time != endTime, var run = durations.popLast() else { return }
    let length = run.duration
    run.count -= 1
    if run.count > 0 { durations.append(run) }
    let wanted = Int64(length) &+ (time &- endTime)
    // Zero or less cannot happen to a track that `accepts` every chunk; above 32 bits a hole is told shorter than it is.
    let stretched = UInt32(clamping: max(wanted, 1))
    endTime &+= Int64(stretched) &- Int64(length)
    add(Run(count: 1, duration: stretched))
  }

  /// Whether a chunk may begin at this time: after the last sample's beginning.
  func accepts(time: Int64) -> Bool {
    guard time >= 0, time < 1 << 62 else { return false }
    guard let last = durations.last else { return true }
    return time > endTime &- Int64(last.duration)
  }

  /// Bytes of the tables that `writeTables` writes.
  var tableByteCount: Int {
    let sizeTable = pcmFrameByteCount == nil ? 4 * sizes.count : 0
    let keyframeTable = marksKeyframes ? 16 + 4 * keyframes.count : 0
    return 16 + 8 * durations.count + 16 + 12 * chunkRuns.count + 20 + sizeTable + 16 + 8 * chunkOffsets.count
      + keyframeTable
  }

  func writeTables(to out: inout BoxWriter) {
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
