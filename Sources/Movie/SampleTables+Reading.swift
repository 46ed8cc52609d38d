extension SampleTables {
  /// Far above any clip (240 pictures a second for 19 hours): a file that says more is not believed.
  static let sampleLimit = 1 << 24

  /// The tables in a `stbl` that we wrote; nil if they contradict each other or point outside of `media`.
  init?(_ stbl: BoxReader, _ description: TrackMedia, within media: Range<Int64>) {
    self.init(description)
    guard readDurations(stbl), readSizes(stbl), readKeyframes(stbl), readChunks(stbl), addsUp(within: media)
    else { return nil }
  }

  private mutating func readDurations(_ stbl: BoxReader) -> Bool {
    guard var box = stbl.first("stts"), box.versionAndFlags() == 0, let count = box.u32(),
      box.remaining == Int(count) * 8
    else { return false }
    var total: UInt64 = 0
    while let samples = box.u32(), let duration = box.u32() {
      guard samples > 0, duration > 0 else { return false }
      durations.append(DurationRun(count: samples, duration: duration))
      total += UInt64(samples)
    }
    guard total <= UInt64(UInt32.max) else { return false }
    sampleCount = Int(total)
    return true
  }

  private mutating func readSizes(_ stbl: BoxReader) -> Bool {
    guard var box = stbl.first("stsz"), box.versionAndFlags() == 0, let fixed = box.u32(), let count = box.u32(),
      Int(count) == sampleCount
    else { return false }
    if let pcmFrameByteCount { return Int(fixed) == pcmFrameByteCount && box.remaining == 0 }
    guard fixed == 0, sampleCount <= Self.sampleLimit, box.remaining == sampleCount * 4 else { return false }
    sizes.reserveCapacity(sampleCount)
    while let size = box.u32() { sizes.append(size) }
    return !sizes.contains(0)
  }

  private mutating func readKeyframes(_ stbl: BoxReader) -> Bool {
    guard marksKeyframes else { return stbl.first("stss") == nil }
    guard var box = stbl.first("stss"), box.versionAndFlags() == 0, let count = box.u32(),
      box.remaining == Int(count) * 4
    else { return false }
    var last: UInt32 = 0
    while let number = box.u32() {
      guard number > last, Int(number) <= sampleCount else { return false }
      keyframes.append(number)
      last = number
    }
    return true
  }

  private mutating func readChunks(_ stbl: BoxReader) -> Bool {
    guard var offsets = stbl.first("co64"), offsets.versionAndFlags() == 0, let count = offsets.u32(),
      offsets.remaining == Int(count) * 8, var runs = stbl.first("stsc"), runs.versionAndFlags() == 0,
      let runCount = runs.u32(), runs.remaining == Int(runCount) * 12
    else { return false }
    while let offset = offsets.i64() { chunkOffsets.append(offset) }
    var last: UInt32 = 0
    while let first = runs.u32(), let samples = runs.u32(), runs.u32() == 1 {
      guard first > last, first <= count, samples > 0, last != 0 || first == 1 else { return false }
      chunkRuns.append(ChunkRun(firstChunk: first, samplesPerChunk: samples))
      last = first
    }
    return runs.remaining == 0 && chunkRuns.isEmpty == chunkOffsets.isEmpty
  }

  /// Whether the chunks hold exactly the samples, and all lie in the media.
  private func addsUp(within media: Range<Int64>) -> Bool {
    var sample = 0
    for (place, chunk) in chunkOffsets.enumerated() {
      let samples = samplesPerChunk[place]
      guard samples <= sampleCount - sample else { return false }
      var end = chunk
      if let pcmFrameByteCount {
        end &+= Int64(samples) &* Int64(pcmFrameByteCount)
      } else {
        for size in sizes[sample..<sample + samples] { end &+= Int64(size) }
      }
      guard chunk >= media.lowerBound, end >= chunk, end <= media.upperBound else { return false }
      sample += samples
    }
    return sample == sampleCount
  }

  /// For each chunk, unrolled.
  private var samplesPerChunk: [Int] {
    var counts: [Int] = []
    counts.reserveCapacity(chunkOffsets.count)
    for (place, run) in chunkRuns.enumerated() {
      let next = place + 1 < chunkRuns.count ? Int(chunkRuns[place + 1].firstChunk) : chunkOffsets.count + 1
      counts.append(contentsOf: repeatElement(Int(run.samplesPerChunk), count: next - Int(run.firstChunk)))
    }
    return counts
  }

  /// Every picture, or for sound every chunk, the first at `firstTime`.
  func samples(firstTime: Int64) -> [SampleInfo] {
    var infos: [SampleInfo] = []
    var times = Times(durations, firstTime)
    let keys = Set(keyframes)
    var sample = 0
    for (offset, count) in zip(chunkOffsets, samplesPerChunk) {
      if let pcmFrameByteCount {
        let (time, duration) = times.next(count)
        infos.append(
          SampleInfo(
            offset: offset, byteCount: Int64(count * pcmFrameByteCount), time: time, duration: duration,
            isKeyframe: true))
        continue
      }
      var place = offset
      for size in sizes[sample..<sample + count] {
        sample += 1
        let (time, duration) = times.next(1)
        infos.append(
          SampleInfo(
            offset: place, byteCount: Int64(size), time: time, duration: duration,
            isKeyframe: !marksKeyframes || keys.contains(UInt32(sample))))
        place += Int64(size)
      }
    }
    return infos
  }

  /// Walks the runs of durations.
  private struct Times {
    private let runs: [DurationRun]
    private var run = 0
    private var used: UInt32 = 0
    private var time: Int64

    init(_ runs: [DurationRun], _ time: Int64) {
      self.runs = runs
      self.time = time
    }

    /// When the next `count` samples begin, and how long they last together.
    mutating func next(_ count: Int) -> (time: Int64, duration: Int64) {
      let begin = time
      var rest = count
      while rest > 0, run < runs.count {
        let part = min(rest, Int(runs[run].count - used))
        time &+= Int64(part) &* Int64(runs[run].duration)
        rest -= part
        used += UInt32(part)
        if used == runs[run].count {
          run += 1
          used = 0
        }
      }
      return (begin, time &- begin)
    }
  }
}
