import CamrigModel
import DaemonKit
import Dispatch
import Recording

/// One of the directories of takes and shots, and who works in it: nobody else has to wait for its volume.
package final class MediaShelf: Sendable {
  package let media: MediaDirectory
  package let volume: Volume
  /// Proofs, repairs and upkeep read whole takes; more than one at a time would only make each slower.
  private let work: DispatchQueue
  private let upkeepWaits = Guarded(false)

  init(_ media: MediaDirectory) {
    self.media = media
    volume = Volume(media.path)
    work = DispatchQueue(label: "camrig.shelf.work", qos: .utility)
  }

  /// As long as it takes.
  func work(_ body: @escaping @Sendable () -> Void) { work.async(execute: body) }

  /// One that waits is enough: the volume may hang for days.
  func upkeep(_ body: @escaping @Sendable () -> Void) {
    guard upkeepWaits.withLock({ $0.raise() }) else { return }
    work.async { [self] in
      upkeepWaits.withLock { $0 = false }
      body()
    }
  }

  func working<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in work { continuation.resume(returning: body()) } }
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
