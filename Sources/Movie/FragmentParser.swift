/// Reads a `moof` as strictly as we write it: anything else is no fragment of ours.
struct FragmentParser {
  let tracks: [TrackDescription]

  /// The fragment's number from 0, its runs and the bytes of its media. `offset` is the place of the `moof`.
  func parse(_ moof: [UInt8], at offset: Int64) -> (index: Int, runs: [FoundFragment.Run], mediaByteCount: Int)? {
    var reader = BoxReader(moof)
    guard var body = reader.box("moof"), var mfhd = body.box("mfhd"), mfhd.versionAndFlags() == 0,
      let sequence = mfhd.u32(), sequence > 0
    else { return nil }
    var runs: [FoundFragment.Run] = []
    var media = 0
    while var traf = body.box("traf") {
      guard let (run, byteCount) = readRun(&traf, moof.count + FragmentBox.mediaHeadByteCount + media, offset),
        byteCount <= MovieWriter.fragmentByteLimit - media, !runs.contains(where: { $0.track == run.track })
      else { return nil }
      runs.append(run)
      media += byteCount
    }
    guard body.remaining == 0, media > 0 else { return nil }
    return (Int(sequence) - 1, runs, media)
  }

  private func readRun(
    _ traf: inout BoxReader, _ expectedOffset: Int, _ fragmentOffset: Int64
  ) -> (FoundFragment.Run, byteCount: Int)? {
    guard var tfhd = traf.box("tfhd"), tfhd.versionAndFlags() == 0x020000, let id = tfhd.u32(), id > 0,
      Int(id) <= tracks.count, var tfdt = traf.box("tfdt"), tfdt.versionAndFlags() == 1 << 24, let time = tfdt.i64(),
      time >= 0, time < 1 << 60, var trun = traf.box("trun")
    else { return nil }
    let media = tracks[Int(id) - 1].media
    let hasFlags = !media.isAlwaysKeyframe
    guard trun.versionAndFlags() == (hasFlags ? 0x701 : 0x301), let count = trun.u32(), count > 0,
      Int(trun.u32() ?? 0) == expectedOffset, trun.remaining == Int(count) * (hasFlags ? 12 : 8)
    else { return nil }
    var samples: [FoundFragment.Sample] = []
    samples.reserveCapacity(Int(count))
    var total = 0
    while let duration = trun.u32(), let byteCount = trun.u32() {
      var isKeyframe = true
      if hasFlags, let flags = trun.u32() { isKeyframe = Int(flags) == SampleFlags.keyframe }
      guard duration > 0, duration <= UInt32(Int32.max), byteCount > 0 else { return nil }
      if let frame = media.pcmFrameByteCount, Int(duration) * frame != Int(byteCount) { return nil }
      total += Int(byteCount)
      guard total <= MovieWriter.fragmentByteLimit else { return nil }
      samples.append(
        FoundFragment.Sample(duration: Int64(duration), byteCount: Int(byteCount), isKeyframe: isKeyframe))
    }
    let run = FoundFragment.Run(
      track: Int(id) - 1, time: time, mediaOffset: fragmentOffset + Int64(expectedOffset), samples: samples)
    return (run, total)
  }
}
