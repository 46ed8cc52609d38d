import CamrigModel
import Recording

extension Rig {
  /// Newest first, the running one included.
  package func takes(limit: Int) async -> [TakeSummary] {
    let listed = await shelf.takes(limit: max(1, min(limit, 100_000)))
    guard let running = recorder.manifest else { return listed }
    return [TakeSummary(running)] + listed.filter { $0.id != running.id }
  }

  /// - Parameter text: an ID, or `last`.
  package func take(_ text: String) async throws(RigError) -> TakeManifest {
    if let running = recorder.manifest, text == "last" || text == running.id { return running }
    do throws(RecordingError) {
      let id = try await shelf.id(text)
      if let late = recorder.lateManifest(of: id) { return late }
      return try await shelf.take(id)
    } catch {
      throw RigError(error)
    }
  }

  package func verify(_ text: String) async throws(RigError) -> TakeVerification {
    let id = try await finished(text)
    do { return try await shelf.verify(id) } catch { throw RigError(error) }
  }

  package func repair(_ text: String) async throws(RigError) -> TakeRepairReport {
    let id = try await finished(text)
    do { return try await shelf.repair(id) } catch { throw RigError(error) }
  }

  private func finished(_ text: String) async throws(RigError) -> String {
    if let running = recorder.manifest, text == "last" || text == running.id {
      throw RigError(RecordingError.takeRunning(running.id))
    }
    do { return try await shelf.id(text) } catch { throw RigError(error) }
  }
}
