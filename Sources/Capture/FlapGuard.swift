import CamrigModel

/// Keeps a camera with a loose contact from being opened and closed all the time: after it has come and gone a few
/// times it must stay for a while before it is used again. Its going is never delayed.
struct FlapGuard: Hashable {
  /// How far back goings count.
  static let memory: Duration = .seconds(30)

  private var goings: [MediaTime] = []

  mutating func vanished(at time: MediaTime) {
    goings.append(time)
    if goings.count > 8 { goings.removeFirst() }
  }

  /// How long it must stay, now that it is back. The first replug is served at once.
  mutating func appeared(at time: MediaTime) -> Duration {
    goings.removeAll { time - $0 > Self.memory }
    return switch goings.count {
    case ...1: .zero
    case 2...3: .seconds(1)
    default: .seconds(3)
    }
  }
}
