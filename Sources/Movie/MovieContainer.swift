/// The two dialects of ISO base media that camrig writes.
package enum MovieContainer: Hashable, Sendable {
  /// `.mov`: MJPEG and PCM have a name of their own there.
  case quickTime
  /// `.mp4`: H.264.
  case mp4

  package var fileExtension: String {
    switch self {
    case .quickTime: "mov"
    case .mp4: "mp4"
    }
  }
}
