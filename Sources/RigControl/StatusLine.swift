import CamrigModel

/// The line that `systemctl status` shows: what a person wants to know at a glance.
package struct StatusLine: Sendable {
  package let text: String

  package init(_ status: RigStatus) {
    let cameras = status.cameras
    let usable = cameras.filter {
      switch $0.state {
      case .idle, .starting, .streaming, .stalled: true
      case .offline, .busy, .failed, .disabled: false
      }
    }
    var parts: [String] = []
    if let recording = status.recording {
      let count = recording.cameras.count
      parts.append("\(recording.stopping ? "stopping" : "recording") \(recording.take), \(Self.cameras(count))")
      let lost = recording.cameras.reduce(0) { $0 + $1.lost }
      if lost > 0 { parts.append("\(lost) frames lost") }
      for camera in recording.cameras where camera.inGap { parts.append("NO PICTURE from \(camera.name)") }
    } else {
      parts.append("\(status.armed ? "armed" : "ready"), \(Self.cameras(usable.count))")
    }
    for (state, word) in [(CameraState.busy, "busy"), (.failed, "failed"), (.offline, "offline")] {
      let count = cameras.filter { $0.state == state }.count
      if count > 0 { parts.append("\(count) \(word)") }
    }
    if let free = status.storage.freeBytes { parts.append("\(free / 1_000_000_000) GB free") }
    if let left = status.storage.secondsLeft, status.recording != nil, left < 3600 {
      parts.append("room for \(Int(left / 60)) min")
    }
    if !status.storage.message.isEmpty { parts.append(status.storage.message) }
    text = parts.joined(separator: ", ")
  }

  private static func cameras(_ count: Int) -> String { count == 1 ? "1 camera" : "\(count) cameras" }
}
