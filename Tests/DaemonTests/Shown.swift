import CamrigModel
import Codec
import TestSupport
import Testing

/// What other programs show of a camera's clips: the numbers that the test pattern has burnt in.
struct Shown {
  let camera: TakeCameraRecord
  let folder: String
  let size: PixelSize

  /// - Parameter camera: of the newest take.
  init(_ camera: TakeCameraRecord, in daemon: TestDaemon) async throws {
    self.camera = camera
    folder = try await daemon.takes + "/" + daemon.json("take", "show", "last", as: TakeManifest.self).id
    size = try #require(camera.clips.first?.format.size)
  }

  /// By ffmpeg, which must be content with the file.
  func counters(_ clip: ClipRecord) async throws -> [UInt32?] {
    let run = await Program.ended(
      "ffmpeg",
      [
        "-v", "error", "-xerror", "-i", "\(folder)/\(clip.file)", "-fps_mode", "passthrough", "-f", "rawvideo",
        "-pix_fmt", "gray", "-",
      ])
    #expect(run.status == 0 && run.errors == "", "\(clip.file): \(run.errors)")
    return read(run.output)
  }

  /// Every picture that the ledger calls written is shown once, in its place, and no other.
  func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    for clip in camera.clips {
      let shown = try await counters(clip).compactMap { $0 }
      #expect(UInt64(shown.count) == clip.frames, sourceLocation: sourceLocation)
      #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "\(shown)", sourceLocation: sourceLocation)
      #expect(shown.first.map { UInt64($0) } == clip.runs.first?.firstSequence, sourceLocation: sourceLocation)
      if clip.runs.allSatisfy({ $0.lost.isEmpty }) {
        #expect(shown.last.map { UInt64($0) } == clip.runs.first?.lastSequence, sourceLocation: sourceLocation)
      }
      // melt shows 30 pictures a second whatever the file has; where one was lost it shows its neighbour again.
      let melt = read(Melt.luma("\(folder)/\(clip.file)", size: size).output).compactMap { $0 }
      let once = melt.reduce(into: [UInt32]()) { if $0.last != $1 { $0.append($1) } }
      #expect(once == shown, sourceLocation: sourceLocation)
      if clip.runs.allSatisfy({ $0.lost.isEmpty }) { #expect(melt == shown, sourceLocation: sourceLocation) }
    }
  }

  private func read(_ pictures: [UInt8]) -> [UInt32?] {
    stride(from: 0, through: pictures.count - size.area, by: size.area).map { start in
      pictures.withUnsafeBytes { bytes in
        TestPattern.readCounter(
          fromLuma: UnsafeRawBufferPointer(rebasing: bytes[start..<start + size.area]), bytesPerLine: size.width,
          width: size.width)
      }
    }
  }
}
