/// What is wrong with the signal at a capture card's input.
package enum SignalFault: Hashable, Sendable, CustomStringConvertible {
  /// Nothing comes in.
  case missing
  /// Something does, and the card cannot follow it.
  case unstable
  /// It follows it, and the signal is more than it can take.
  case outOfRange

  package var description: String {
    switch self {
    case .missing: "has no signal at its input. Switch on what is plugged in there, and check the cable."
    case .unstable: "cannot follow the signal at its input. Check the cable, or try a shorter one."
    case .outOfRange:
      "cannot take the signal at its input. Choose a smaller size or rate on what is plugged in there."
    }
  }
}
