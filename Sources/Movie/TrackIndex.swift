/// The tables of one track while they grow, fragment by fragment.
struct TrackIndex {
  private(set) var tables: SampleTables
  /// Ticks between the track's start and its first sample, which the tables cannot say.
  private(set) var firstTime: Int64 = 0
  /// Ticks since the track's start at which the last sample ends.
  private(set) var endTime: Int64 = 0
  private var samplesInChunk: UInt32 = 0

  init(_ media: TrackMedia) { tables = SampleTables(media) }

  /// Ticks of all samples.
  var duration: Int64 { endTime &- firstTime }

  /// Begins a chunk: samples that lie one behind the other from `offset`. If the last sample ends earlier than
  /// `time`, it is shown until then.
  mutating func beginChunk(offset: Int64, time: Int64) {
    if tables.sampleCount == 0 {
      firstTime = time
      endTime = time
    } else {
      stretchLast(to: time)
    }
    tables.chunkOffsets.append(offset)
    samplesInChunk = 0
  }

  /// `duration` and `byteCount` of a picture, or of that many PCM frames.
  mutating func addSample(duration: UInt32, byteCount: UInt32, isKeyframe: Bool) {
    if tables.pcmFrameByteCount == nil {
      tables.sampleCount += 1
      samplesInChunk += 1
      tables.sizes.append(byteCount)
      tables.add(SampleTables.DurationRun(count: 1, duration: duration))
      if tables.marksKeyframes, isKeyframe { tables.keyframes.append(UInt32(truncatingIfNeeded: tables.sampleCount)) }
    } else {
      tables.sampleCount += Int(duration)
      samplesInChunk &+= duration
      tables.add(SampleTables.DurationRun(count: duration, duration: 1))
    }
    endTime &+= Int64(duration)
  }

  mutating func endChunk() {
    guard tables.chunkRuns.last?.samplesPerChunk != samplesInChunk else { return }
    tables.chunkRuns.append(
      SampleTables.ChunkRun(
        firstChunk: UInt32(truncatingIfNeeded: tables.chunkOffsets.count), samplesPerChunk: samplesInChunk))
  }

  private mutating func stretchLast(to time: Int64) {
    guard time != endTime, var run = tables.durations.popLast() else { return }
    run.count -= 1
    if run.count > 0 { tables.durations.append(run) }
    // Less than 1 cannot be where `accepts` was asked. Above 32 bits (71 minutes of broken fragments) the hole is told
    // shorter than it is, which a player can bear and a wrapped number not.
    let wanted = Int64(run.duration) &+ (time &- endTime)
    let stretched = UInt32(clamping: max(wanted, 1))
    endTime &+= Int64(stretched) &- Int64(run.duration)
    tables.add(SampleTables.DurationRun(count: 1, duration: stretched))
  }

  /// Whether a chunk of `samples` samples may begin at this time: after the last sample's beginning.
  func accepts(time: Int64, samples: Int) -> Bool {
    guard time >= 0, time < 1 << 60 else { return false }
    let limit = tables.pcmFrameByteCount == nil ? SampleTables.sampleLimit : Int(UInt32.max)
    guard samples <= limit - tables.sampleCount else { return false }
    guard let last = tables.durations.last else { return true }
    return time > endTime &- Int64(last.duration)
  }
}
