import CamrigModel
import Capture
import Frames
import Sound

/// Listens to all microphones that are plugged in for one who looks at their levels, from the first look on and for as
/// long as he keeps this. They are open as long.
package final class MicrophoneMeters: Sendable {
  private static let spacing = Duration.milliseconds(100)

  private struct Listening {
    let microphone: Microphone
    let number: Int
  }

  private let registry: MicrophoneRegistry
  private let listening = Guarded<[MicrophoneID: Listening]>([:])
  private let meters = Guarded<[MicrophoneID: LevelMeter]>([:])

  init(_ registry: MicrophoneRegistry) { self.registry = registry }

  deinit { for listening in listening.withLock({ $0.values }) { Self.stop(listening) } }

  /// What has been heard in the tenth of a second that this takes. Nil once the task is cancelled.
  package func next() async -> MicrophoneLevels? {
    listen(to: await registry.present)
    do { try await Task.sleep(for: Self.spacing) } catch { return nil }
    return meters.withLock { meters in
      var levels: [MicrophoneID: MicrophoneLevels.Levels] = [:]
      for id in meters.keys { levels[id] = meters[id]?.take() }
      return MicrophoneLevels(microphones: levels)
    }
  }

  private func listen(to present: [MicrophoneID: Microphone]) {
    let gone = listening.withLock { listening in
      let gone = listening.filter { present[$0.key] !== $0.value.microphone }
      for id in gone.keys { listening[id] = nil }
      for (id, microphone) in present where listening[id] == nil {
        microphone.demand(.meter)
        let number = microphone.hub.addListener { [weak self] item in
          if case .block(let block) = item { self?.add(block, id) }
        }
        listening[id] = Listening(microphone: microphone, number: number)
      }
      return gone
    }
    for (id, listening) in gone {
      Self.stop(listening)
      if present[id] == nil { meters.withLock { $0[id] = nil } }
    }
  }

  private func add(_ block: SoundBlock, _ id: MicrophoneID) {
    meters.withLock { $0[id, default: LevelMeter()].add(block.samples, channels: block.channels) }
  }

  private static func stop(_ listening: Listening) {
    listening.microphone.hub.removeListener(listening.number)
    listening.microphone.release(.meter)
  }
}
