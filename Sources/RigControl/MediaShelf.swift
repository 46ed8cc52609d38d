import CamrigModel
import DaemonKit
import Recording

/// One of the directories of takes and shots, and who works in it: nobody else has to wait for its volume.
package final class MediaShelf: Sendable {
  package let media: MediaDirectory
  package let volume: Volume
  private let upkeepWaits = Guarded(false)

  init(_ media: MediaDirectory, readingPatience: Duration) {
    self.media = media
    volume = Volume(media.path, readingPatience: readingPatience)
  }

  /// One that waits is enough: the volume may hang for days.
  func upkeep(_ body: @escaping @Sendable (VolumeWait) -> Void) {
    guard upkeepWaits.withLock({ $0.raise() }) else { return }
    volume.work.perform { [self] wait in
      upkeepWaits.withLock { $0 = false }
      body(wait)
    }
  }

  /// As long as its volume answers.
  func working<Success: Sendable>(
    _ body: @escaping @Sendable (VolumeWait) throws(RecordingError) -> Success
  ) async throws(RecordingError) -> Success {
    // What the kernel remembers is answered on a disk that reads nothing any more.
    try await answers()
    let result: Result<Success, RecordingError>
    do throws(VolumeSilence) {
      result = try await volume.work.result { wait in
        Result { () throws(RecordingError) in try body(wait) }
      }
    } catch {
      throw .silent(error)
    }
    return try result.get()
  }

  /// Work that takes as long as it takes is begun only with a volume that answers.
  func answers() async throws(RecordingError) { _ = try await ask { [media] in media.isThere } }

  /// Its answer within the volume's patience.
  func ask<Answer: Sendable>(
    within limit: Duration? = nil, _ question: @escaping @Sendable () -> Answer
  ) async throws(RecordingError) -> Answer {
    do throws(VolumeSilence) {
      return try await volume.questions.ask(within: limit, question)
    } catch {
      throw .silent(error)
    }
  }
}

extension Bool {
  /// False where it was raised already.
  mutating func raise() -> Bool {
    defer { self = true }
    return !self
  }
}
