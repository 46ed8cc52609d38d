/// The `moov` box: the one in front, whose tables are empty and which announces fragments, and the index at the end.
enum MovieBox {
  /// How a track stands in a `moov`.
  struct Track {
    let description: TrackDescription
    /// Microseconds of the clip's timeline before the first sample.
    var start: Int64
    /// Ticks of the track; 0 in front.
    var duration: Int64
    /// Everything in `stbl` but `stsd`.
    var tables: (inout BoxWriter) -> Void
  }

  static func write(_ container: MovieContainer, _ tracks: [Track], form: Form, to out: inout BoxWriter) {
    let begin = out.count
    out.box("moov") { out in
      var length: Int64 = 0
      for track in tracks { length = max(length, trackLength(track)) }
      out.fullBox("mvhd", version: 1) { out in
        out.zeros(16)
        out.u32(TrackDescription.movieTimescale)
        out.u64(length)
        out.u32(0x10000)
        out.u16(0x100)
        out.zeros(10)
        matrix(&out)
        out.zeros(24)
        out.u32(tracks.count + 1)
      }
      for (place, track) in tracks.enumerated() { write(container, track, id: place + 1, &out) }
      switch form {
      case .front: fragmentDefaults(tracks, &out)
      case .index(let fragmentCount):
        OwnBox.write(.index, number: UInt64(fragmentCount), note: [], to: &out)
        out.zeros(OwnBox.checksumByteCount)
      }
    }
    guard case .index = form else { return }
    out.patch(checksum(of: out.bytes[begin...]), at: out.count - OwnBox.checksumByteCount)
  }

  /// Of an index, all but the checksum itself, which stands last.
  static func checksum(of box: ArraySlice<UInt8>) -> UInt64 {
    let checksum = Checksum()
    checksum.begin(seed: 0)
    box.dropLast(OwnBox.checksumByteCount).withUnsafeBytes { checksum.add($0) }
    return checksum.value
  }

  private static func fragmentDefaults(_ tracks: [Track], _ out: inout BoxWriter) {
    out.box("mvex") { out in
      for (place, track) in tracks.enumerated() {
        out.fullBox("trex") { out in
          out.u32(place + 1)
          out.u32(1)
          out.zeros(8)
          out.u32(track.description.media.isAlwaysKeyframe ? SampleFlags.keyframe : SampleFlags.other)
        }
      }
    }
  }

  /// Which of the two a `moov` is.
  enum Form {
    case front
    /// Closed by our box with the number of fragments and a checksum.
    case index(fragmentCount: Int)
  }

  private static func trackLength(_ track: Track) -> Int64 {
    track.duration == 0 ? 0 : track.start &+ shownLength(track)
  }

  /// Microseconds.
  private static func shownLength(_ track: Track) -> Int64 {
    track.description.microseconds(max(0, track.duration &- track.description.media.priming))
  }

  private static func matrix(_ out: inout BoxWriter) {
    for value in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] { out.u32(value) }
  }

  private static func write(_ container: MovieContainer, _ track: Track, id: Int, _ out: inout BoxWriter) {
    let media = track.description.media
    out.box("trak") { out in
      out.fullBox("tkhd", version: 1, flags: 7) { out in
        out.zeros(16)
        out.u32(id)
        out.zeros(4)
        out.u64(trackLength(track))
        out.zeros(12)
        out.u16(media.size == nil ? 0x100 : 0)
        out.zeros(2)
        matrix(&out)
        out.u32((media.size?.width ?? 0) << 16)
        out.u32((media.size?.height ?? 0) << 16)
      }
      if track.start > 0 || media.priming > 0 {
        out.box("edts") { out in
          out.fullBox("elst", version: 1) { out in
            out.u32(track.start > 0 ? 2 : 1)
            if track.start > 0 { edit(length: track.start, mediaTime: -1, &out) }
            edit(length: shownLength(track), mediaTime: media.priming, &out)
          }
        }
      }
      out.box("mdia") { out in
        out.fullBox("mdhd", version: 1) { out in
          out.zeros(16)
          out.u32(track.description.timescale)
          out.u64(track.duration)
          out.u16(0x55c4)  // language "und"
          out.u16(0)
        }
        handler(container, media.size == nil ? "soun" : "vide", &out)
        out.box("minf") { out in
          if media.size == nil {
            out.fullBox("smhd") { $0.zeros(4) }
          } else {
            out.fullBox("vmhd", flags: 1) { $0.zeros(8) }
          }
          if container == .quickTime {
            out.fullBox("hdlr") { out in
              out.type("dhlr")
              out.type("url ")
              out.zeros(13)
            }
          }
          out.box("dinf") {
            $0.fullBox("dref") { out in
              out.u32(1)
              out.fullBox("url ", flags: 1) { _ in }
            }
          }
          out.box("stbl") { out in
            SampleDescription.write(media, container, to: &out)
            track.tables(&out)
          }
        }
      }
    }
  }

  private static func edit(length: Int64, mediaTime: Int64, _ out: inout BoxWriter) {
    out.u64(length)
    out.u64(mediaTime)
    out.u32(0x10000)
  }

  /// QuickTime counts the name's length in front, MP4 ends it with a zero.
  private static func handler(_ container: MovieContainer, _ kind: BoxType, _ out: inout BoxWriter) {
    out.fullBox("hdlr") { out in
      switch container {
      case .quickTime:
        out.type("mhlr")
        out.type(kind)
        out.zeros(12)
        out.u8(6)
        out.raw("camrig".utf8)
      case .mp4:
        out.zeros(4)
        out.type(kind)
        out.zeros(12)
        out.raw("camrig".utf8)
        out.u8(0)
      }
    }
  }
}

/// `sample_flags` of ISO/IEC 14496-12, 8.8.3.1.
enum SampleFlags {
  /// Depends on no other picture.
  static let keyframe = 0x0200_0000
  /// Depends on others, and is no place to begin.
  static let other = 0x0101_0000
}
