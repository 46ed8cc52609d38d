/// What `take verify` found: the ledger, proven anew from the files.
package struct TakeVerification: Hashable, Codable, Sendable {
  package var take: String
  /// Nothing is amiss: every file whole, every picture accounted for.
  package var exact: Bool
  package var cameras: [CameraVerification]
  package var findings: [TakeFinding]

  package init(take: String, exact: Bool, cameras: [CameraVerification], findings: [TakeFinding]) {
    self.take = take
    self.exact = exact
    self.cameras = cameras
    self.findings = findings
  }
}

package struct CameraVerification: Hashable, Codable, Sendable {
  package var id: CameraID
  package var clips: Int
  package var fragments: UInt64
  /// As the clips' own notes say.
  package var runs: [RunAccount]
  package var written: UInt64
  package var lost: UInt64
  /// Absent if there is no sound.
  package var microphones: [SoundVerification]?
  package var exact: Bool

  package init(
    id: CameraID, clips: Int, fragments: UInt64, runs: [RunAccount], written: UInt64, lost: UInt64,
    microphones: [SoundVerification]? = nil, exact: Bool
  ) {
    self.id = id
    self.clips = clips
    self.fragments = fragments
    self.runs = runs
    self.written = written
    self.lost = lost
    self.microphones = microphones
    self.exact = exact
  }
}

/// A microphone's sound in all clips of a camera, in sample frames.
package struct SoundVerification: Hashable, Codable, Sendable {
  package var id: MicrophoneID
  /// Silence included.
  package var samples: UInt64
  package var silence: [SilenceCause: UInt64]

  package init(id: MicrophoneID, samples: UInt64, silence: [SilenceCause: UInt64]) {
    self.id = id
    self.samples = samples
    self.silence = silence
  }
}

package struct TakeFinding: Hashable, Codable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case manifestMissing, manifestBroken, manifestDiffers
    case clipMissing, clipRenamed, clipForeign, clipUnreadable, clipUnfinished
    case fragmentBroken, noteMissing, noteDiffers
    case pictureUnaccounted, pictureTwice
  }
  package var kind: Kind
  /// A finding that costs nothing (a foreign file, a renamed clip) leaves the take exact.
  package var harmless: Bool
  package var file: String?
  package var camera: CameraID?
  package var message: String

  package init(
    _ kind: Kind, harmless: Bool = false, file: String? = nil, camera: CameraID? = nil, _ message: String
  ) {
    self.kind = kind
    self.harmless = harmless
    self.file = file
    self.camera = camera
    self.message = message
  }
}
