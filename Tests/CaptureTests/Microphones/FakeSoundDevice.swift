import CamrigModel
import Capture
import Dispatch
import Frames
import Glibc
import Sound
import TestSupport

/// A microphone whose driver does what the test says.
final class FakeSoundDevice: SoundDevice {
  let node: String
  let format: SoundFormat
  private let state = Guarded(State())

  struct State {
    var events: [Result<SoundEvent, SoundError>] = []
    var openError: SoundError?
    var opened = 0
    var isOpen = false
    var mixed: [(gain: Double?, muted: Bool?)] = []
    var gain: SoundGain?
    var wake: (@Sendable () -> Void)?
  }

  init(_ node: String = "/dev/snd/pcmC1D0c", _ format: SoundFormat = SoundFormat(.s16, rate: 1000, channels: 1)) {
    self.node = node
    self.format = format
  }

  var opened: Int { state.withLock { $0.opened } }
  var isOpen: Bool { state.withLock { $0.isOpen } }
  var mixed: [(gain: Double?, muted: Bool?)] { state.withLock { $0.mixed } }

  func refuse(_ error: SoundError?) { state.withLock { $0.openError = error } }
  func have(_ gain: SoundGain?) { state.withLock { $0.gain = gain } }
  func give(_ events: Result<SoundEvent, SoundError>...) { state.withLock { $0.events += events } }

  /// Of so many sample frames; the one after the last of them was at the microphone at `end`.
  func sound(_ count: Int, end milliseconds: Int64, value: Float = 0.5) {
    give(
      .success(
        .piece(
          SoundPiece(
            samples: [Float](repeating: value, count: count * format.channels), stampedFrames: count,
            time: .atMilliseconds(milliseconds)))))
  }

  func open() throws(SoundError) -> any OpenSoundDevice {
    let error = state.withLock { state -> SoundError? in
      state.opened += 1
      state.isOpen = state.openError == nil
      return state.openError
    }
    if let error { throw error }
    return Open(self)
  }

  /// Another program turns it.
  func turn(_ gain: Double) { state.withLock { $0.gain?.value = gain } }

  func mix(gain: Double?, muted: Bool?) throws(SoundError) -> SoundGain? {
    state.withLock { state in
      state.mixed.append((gain, muted))
      if let gain { state.gain?.value = gain.rounded() }
      return state.gain
    }
  }

  private final class Open: OpenSoundDevice {
    private let device: FakeSoundDevice
    var format: SoundFormat { device.format }

    init(_ device: FakeSoundDevice) { self.device = device }

    func start() throws(SoundError) {}
    func stop() { device.state.withLock { $0.isOpen = false } }

    func next(timeout: Duration, wake: Int32) throws(SoundError) -> SoundEvent {
      while true {
        let event = device.state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
        if let event { return try event.get() }
        var entry = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 1) > 0 { return .woken }
      }
    }
  }
}

extension MediaTime {
  static func atMilliseconds(_ milliseconds: Int64) -> MediaTime { MediaTime(nanoseconds: milliseconds * 1_000_000) }
}

/// What a hub has said, in words.
final class SoundWords: Sendable {
  private final class Heard: Sendable {
    let items = Guarded<[SoundItem]>([])
  }

  private let heard: Heard

  init(_ hub: SoundHub) {
    let heard = Heard()
    _ = hub.addListener { item in heard.items.withLock { $0.append(item) } }
    self.heard = heard
  }

  var all: [String] { heard.items.withLock { $0 }.map(Self.text) }

  var sound: [SoundBlock] {
    heard.items.withLock { $0 }.compactMap { item in
      if case .block(let block) = item { block } else { nil }
    }
  }

  private static func text(_ item: SoundItem) -> String {
    switch item {
    case .started(let run): "started \(run.number): \(run.rate) Hz, \(run.channels) ch"
    case .block(let block):
      "block \(block.position)+\(block.count) at \((Double(block.presentationTime.nanoseconds) / 1e6).rounded())"
    case .lost(let loss): "lost \(loss.position)+\(loss.count)"
    case .ended(let end): "ended \(end.reason.rawValue)"
    }
  }
}
