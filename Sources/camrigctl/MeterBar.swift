import CamrigModel

/// A microphone's loudness as a line: the mean power as a bar, the peak as a mark, from -60 dBFS to full scale.
struct MeterBar {
  let line: String
  private static let width = 30

  init(_ name: String, _ levels: MicrophoneLevels.Levels) {
    // The loudest channel stands for all.
    let peak = levels.peak.max() ?? -120
    let filled = Self.column(levels.rms.max() ?? -120)
    let mark = Self.column(peak)
    let bar = (1...Self.width).map { column in
      column <= filled ? "█" : column == mark ? "│" : "·"
    }
    let label = name.count > 20 ? String(name.prefix(19)) + "…" : name + String(repeating: " ", count: 20 - name.count)
    line = "\(label) \(bar.joined()) \(decimal(peak)) dB" + (peak >= -0.1 ? "  TOO LOUD" : "")
  }

  private static func column(_ decibels: Double) -> Int {
    Int((max(0, min(1, (decibels + 60) / 60)) * Double(width)).rounded())
  }
}
