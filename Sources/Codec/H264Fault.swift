/// Why the bytes of a buffer are no H.264 picture that can be recorded.
package enum H264Fault: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case noStartCode
  /// The bit that is always 0 is set in a unit's header.
  case damagedHeader

  package var description: String {
    switch self {
    case .empty: "the buffer is empty"
    case .noStartCode: "it has no H.264 start code (00 00 01)"
    case .damagedHeader: "its H.264 data are damaged (a unit's header is not valid)"
    }
  }
}
