import CamrigModel
import Codec
import Glibc
import Movie

/// A movie of a timelapse's pictures, which become its samples as they are. Blocks as long as reading them takes.
struct TimelapseMovieMaker {
  /// In memory at once.
  private static let fragmentBytes = 16 << 20

  private static let ending = "fps.mov"

  let folder: TimelapseFolder
  let rate: FrameRate
  let reserve: DiskReserve

  func make(_ camera: TimelapseRecord.Camera) throws(TimelapseError) -> TimelapseMovies.Movie? {
    let pictures = folder.pictures(of: camera.stem)
    guard let first = pictures.first else { return nil }
    let all = pictures.reduce(UInt64(0)) { $0 &+ (Folder.byteCount(folder.path + "/" + $1) ?? 0) }
    do throws(RecordingError) {
      try reserve.check(DiskState.read(folder.path), path: folder.path, for: all)
    } catch { throw .volume(error) }
    let size = try read(first).size
    let file = "\(camera.stem)-\(rate.description.split(separator: "/").joined(separator: "-"))\(Self.ending)"
    let path = folder.path + "/" + file
    let unfinished = path + ".new"
    // A rest of an attempt that was cut off.
    unlink(unfinished)
    let bytes: Int64
    do throws(TimelapseError) {
      bytes = try write(pictures, size, to: unfinished)
      try name(unfinished, path)
    } catch {
      unlink(unfinished)
      throw error
    }
    return TimelapseMovies.Movie(
      camera: camera.camera, cameraName: camera.cameraName, file: file, pictures: pictures.count, bytes: bytes,
      durationSeconds: Double(pictures.count) / rate.perSecond)
  }

  /// `left-25fps.mov`, `left-30000-1001fps.mov`; never one that is being made.
  static func isMovie(_ name: String, of stem: String) -> Bool {
    guard name.hasPrefix(stem + "-"), name.hasSuffix(ending) else { return false }
    let rate = name.dropFirst(stem.utf8.count + 1).dropLast(ending.utf8.count)
    let numbers = rate.split(separator: "-", omittingEmptySubsequences: false)
    return numbers.count <= 2 && numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
  }

  private func name(_ unfinished: String, _ path: String) throws(TimelapseError) {
    guard rename(unfinished, path) == 0 else { throw .volume(.of(errno, path)) }
    do throws(RecordingError) { try Folder.sync(folder.path) } catch { throw .volume(error) }
  }

  private func write(_ names: [String], _ size: PixelSize, to path: String) throws(TimelapseError) -> Int64 {
    let movie: MovieWriter
    do throws(MovieError) {
      movie = try MovieWriter(
        creating: path, container: .quickTime, tracks: [TrackDescription(media: .mjpeg(size))])
    } catch { throw .movie(error.description) }
    defer { movie.close() }
    var next = 0
    while next < names.count {
      var pictures: [[UInt8]] = []
      var bytes = 0
      let begin = next
      while next < names.count, bytes < Self.fragmentBytes, tick(next) - tick(begin) < 1_000_000 {
        let (picture, found) = try read(names[next])
        guard found == size else { throw .sizes(file: names[next], size: found, before: size) }
        pictures.append(picture)
        bytes += picture.count
        next += 1
      }
      try append(pictures, from: begin, to: movie)
    }
    do throws(MovieError) { return try movie.finish().byteCount } catch { throw .movie(error.description) }
  }

  private func append(_ pictures: [[UInt8]], from begin: Int, to movie: MovieWriter) throws(TimelapseError) {
    let memory = pictures.map { picture in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: picture.count, alignment: 16)
      copy.copyBytes(from: picture)
      return copy
    }
    defer { for copy in memory { copy.deallocate() } }
    let samples = memory.enumerated().map { index, copy in
      FragmentSample(
        duration: tick(begin + index + 1) - tick(begin + index), pieces: [UnsafeRawBufferPointer(copy)])
    }
    do throws(MovieError) {
      _ = try movie.append([FragmentTrack(track: 0, firstTime: tick(begin), samples: samples)])
      // So that a full volume is noticed now, and little waits for the end.
      try movie.sync()
    } catch { throw .movie(error.description) }
  }

  /// Microseconds from the beginning; so that rates such as 30000/1001 do not drift.
  private func tick(_ picture: Int) -> Int64 {
    Int64(picture) * 1_000_000 * Int64(rate.denominator) / Int64(rate.numerator)
  }

  private func read(_ name: String) throws(TimelapseError) -> (bytes: [UInt8], size: PixelSize) {
    let bytes: [UInt8]
    do throws(RecordingError) { bytes = try Folder.read(folder.path + "/" + name) } catch { throw .volume(error) }
    guard case .good(let layout) = bytes.withUnsafeBytes({ JPEGCheck.check($0, expecting: nil) })
    else { throw .noJPEG(name) }
    return (bytes, layout.size)
  }
}
