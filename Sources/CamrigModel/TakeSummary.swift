/// A take in a list.
package struct TakeSummary: Hashable, Codable, Sendable {
  package var id: String
  package var name: String?
  package var state: TakeState
  package var start: WallTime
  /// From the first picture to the end of the last, of the camera that lasted longest.
  package var durationSeconds: Double
  package var cameras: Int
  package var clips: Int
  package var bytes: UInt64
  package var lost: UInt64

  package init(
    id: String, name: String?, state: TakeState, start: WallTime, durationSeconds: Double, cameras: Int, clips: Int,
    bytes: UInt64, lost: UInt64
  ) {
    self.id = id
    self.name = name
    self.state = state
    self.start = start
    self.durationSeconds = durationSeconds
    self.cameras = cameras
    self.clips = clips
    self.bytes = bytes
    self.lost = lost
  }

  package init(_ manifest: TakeManifest) {
    let spans = manifest.cameras.compactMap { camera -> Double? in
      guard let first = camera.clips.first, let last = camera.clips.last else { return nil }
      return (last.firstTime - first.firstTime).inSeconds + last.durationSeconds
    }
    self.init(
      id: manifest.id, name: manifest.name, state: manifest.state, start: manifest.start.wall,
      durationSeconds: spans.max() ?? 0, cameras: manifest.cameras.count,
      clips: manifest.cameras.reduce(0) { $0 + $1.clips.count },
      bytes: manifest.cameras.reduce(0) { $0 &+ $1.clips.reduce(0) { $0 &+ $1.bytes } },
      lost: manifest.cameras.reduce(0) { $0 &+ $1.lost.values.reduce(0, &+) })
  }
}
