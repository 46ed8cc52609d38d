/// The kinds of lines that have a journal MESSAGE_ID, so that people can search for them
/// (`journalctl MESSAGE_ID=…`) and `journalctl -x` explains them. The raw value is the ID; each stands in
/// `systemd/camrig.catalog` too, which a test holds.
package enum LogEvent: String, CaseIterable, Sendable {
  case daemonStarted = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a01"
  case daemonStopped = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a02"
  case configurationReloaded = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a03"
  case configurationRefused = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a04"
  case settingsSetAside = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a05"
  case cameraOnline = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a11"
  case cameraOffline = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a12"
  case cameraConflict = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a13"
  case cameraBusy = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a14"
  case cameraStalled = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a15"
  case cameraFailed = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a16"
  case cameraFormatDiffers = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a17"
  case cameraPicturesSpoilt = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a18"
  case takeStarted = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a21"
  case takeStopped = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a22"
  case takeRepaired = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a23"
  case takeLoss = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a24"
  case diskLow = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a31"
  case diskFailed = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a32"
  case diskSlow = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a33"
  case monitorConnected = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a41"
  case commandRefused = "5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a42"
}
