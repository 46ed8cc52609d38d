import CamrigModel
import Glibc
import TestSupport
import Testing

/// A daemon with emulated cameras in its sockets.
extension TestDaemon {
  /// Starts it and waits until so many of them are there.
  /// - Parameters:
  ///   - cameras: as in `Tests/FakeCam/example.conf`.
  ///   - script: what happens to them.
  func start(cameras: String, count: Int = 1, script: String = "", environment: [String: String] = [:]) async throws {
    try await start(
      through: [try #require(FakeCam.bed), "--"],
      environment: emulation(cameras, script).merging(environment) { $1 })
    try await wait("its cameras") {
      try await self.json("cameras", as: [CameraDescription].self).filter { $0.device != nil }.count >= count
    }
  }

  /// What a program that runs through the bed needs.
  func emulation(_ cameras: String, _ script: String = "") -> [String: String] {
    for (name, text) in [("cameras.conf", cameras), ("script", script)] {
      FileBytes.write(Array(text.utf8), to: "\(directory.path)/\(name)")
      chmod("\(directory.path)/\(name)", 0o644)
    }
    return [
      "FAKECAM_CONF": directory.path + "/cameras.conf", "FAKECAM_SCRIPT": directory.path + "/script",
      "FAKECAM_CTL": directory.path + "/ctl", "FAKECAM_ONLY": "camrigd",
      "FAKECAM_WRITES": directory.path + "/run/writes",
    ]
  }

  /// Does something to the cameras.
  func tellCameras(_ words: String...) async throws {
    let program = try #require(FakeCam.bed).replacing("fakecam-run", with: "fakecamctl")
    let run = await Program.ended(program, [directory.path + "/ctl"] + words)
    #expect(run.text.hasPrefix("ok"), "\(run.text)\(run.errors)")
  }

  /// What was written to the cameras' controls, and when they were started: `Zoom Absolute=300 ok`, `STREAMON 0`.
  var cameraWrites: [String] {
    String(decoding: FileBytes.read(directory.path + "/run/writes"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}
