/// The `moof` box of a fragment and the head of its `mdat`.
enum FragmentBox {
  static let mediaHeadByteCount = 8

  static func write(
    _ fragment: [FragmentTrack], tracks: [TrackDescription], index: Int, mediaByteCount: Int, to out: inout BoxWriter
  ) {
    // Offsets in `trun` count from the start of `moof`, whose length is known when it stands.
    var patches: [(place: Int, mediaOffset: Int)] = []
    let start = out.count
    out.box("moof") { out in
      out.fullBox("mfhd") { $0.u32(index + 1) }
      var mediaOffset = 0
      for part in fragment where !part.samples.isEmpty {
        let always = tracks[part.track].media.isAlwaysKeyframe
        out.box("traf") { out in
          out.fullBox("tfhd", flags: 0x020000) { $0.u32(part.track + 1) }
          out.fullBox("tfdt", version: 1) { $0.u64(part.firstTime) }
          out.fullBox("trun", flags: always ? 0x301 : 0x701) { out in
            out.u32(part.samples.count)
            patches.append((out.count, mediaOffset))
            out.u32(0)
            for sample in part.samples {
              let byteCount = sample.byteCount
              out.u32(Int(sample.duration))
              out.u32(byteCount)
              if !always { out.u32(sample.isKeyframe ? SampleFlags.keyframe : SampleFlags.other) }
              mediaOffset += byteCount
            }
          }
        }
      }
    }
    let media = out.count - start + mediaHeadByteCount
    for patch in patches { out.patch(UInt32(media + patch.mediaOffset), at: patch.place) }
    out.u32(mediaByteCount + mediaHeadByteCount)
    out.type("mdat")
  }
}
