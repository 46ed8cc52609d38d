import CamrigModel
import Dispatch
import Glibc
import Movie

/// Makes one clip durable on a thread of its own: after each fragment, as fast as the volume can; what was written
/// during a sync is covered by the next one. A slow sync thus holds up neither the writing nor another clip. It also
/// finishes the clip.
final class ClipSyncer: Sendable {
  /// Up to where a clip is written.
  struct Point: Hashable, Sendable {
    var run: Int
    var sequence: UInt64
    var time: MediaTime
  }

  enum Report: Sendable {
    /// The file exists, whatever happens.
    case durable
    case synced(Point, Duration)
    case finished(FinishReport)
    /// A sync or the finish failed; nothing follows.
    case failed(MovieError)
  }

  private struct State {
    var newest: Point?
    var finishing = false
    var isDone = false
    var busySince: MediaTime?
  }

  private let movie: MovieWriter
  private let folder: String
  private let clock: any RigClock
  private let wait: VolumeWait
  private let report: @Sendable (Report) -> Void
  private let state = Guarded(State())
  private let wake = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  init(
    movie: MovieWriter, folder: String, clock: any RigClock, wait: VolumeWait,
    report: @escaping @Sendable (Report) -> Void
  ) {
    self.movie = movie
    self.folder = folder
    self.clock = clock
    self.wait = wait
    self.report = report
  }

  func start(_ name: String) {
    WorkerThread.start(name) {
      self.run()
      self.state.withLock {
        $0.isDone = true
        $0.busySince = nil
      }
      self.done.signal()
    }
  }

  func wrote(_ point: Point) {
    state.withLock { $0.newest = point }
    wake.signal()
  }

  /// After the last fragment: the movie is this thread's from now on.
  func finish() {
    state.withLock { $0.finishing = true }
    wake.signal()
  }

  /// Blocks as long as the volume does.
  func waitUntilDone() {
    done.wait()
    done.signal()
  }

  var isDone: Bool { state.withLock { $0.isDone } }
  /// Since when the volume has not answered.
  var busySince: MediaTime? { state.withLock { $0.busySince } }

  private func run() {
    do throws(MovieError) {
      try timed { () throws(MovieError) in
        try movie.sync()
        do throws(RecordingError) {
          try wait.during { () throws(RecordingError) in try Folder.sync(folder) }
        } catch {
          throw .failed(action: "synced", path: folder, errno: error.errno)
        }
      }
      report(.durable)
      var synced: Point?
      while true {
        wake.wait()
        let (newest, finishing) = state.withLock { ($0.newest, $0.finishing) }
        if let newest, newest != synced {
          let length = try timed { () throws(MovieError) in try movie.sync() }
          synced = newest
          report(.synced(newest, length))
        }
        guard finishing else { continue }
        var end: FinishReport?
        _ = try timed { () throws(MovieError) in end = try finishMovie() }
        movie.close()
        if let end { report(.finished(end)) }
        return
      }
    } catch {
      movie.close(whenOwned: state.withLock { $0.finishing })
      report(.failed(error))
    }
  }

  /// The other clips of a full volume cut back what they could not write; then there is room for the index.
  private func finishMovie() throws(MovieError) -> FinishReport {
    do throws(MovieError) {
      return try movie.finish()
    } catch {
      guard case .diskFull = error else { throw error }
    }
    sleep(1)
    return try movie.finish()
  }

  @discardableResult
  private func timed(_ work: () throws(MovieError) -> Void) throws(MovieError) -> Duration {
    let begin = clock.now
    state.withLock { $0.busySince = begin }
    defer { state.withLock { $0.busySince = nil } }
    try work()
    return clock.now - begin
  }
}

extension MovieWriter {
  /// Only its owner may close it; else it closes when its owner lets go of it.
  fileprivate func close(whenOwned: Bool) { if whenOwned { close() } }
}
