import CamrigModel
import Codec
import Settings

/// How takes are recorded, from the administrator's configuration.
package struct RecordingOptions: Sendable {
  /// Absolute. Made when it is missing only if `makesDirectory`.
  package var mediaDirectory: String
  /// True for the default below the state directory; a chosen one that is missing is an unmounted volume, and the
  /// root volume must not be filled in its place.
  package var makesDirectory: Bool
  /// Absolute. For takes and shots while the first one's volume fails; nil: there is none. Never made.
  package var secondDirectory: String?
  package var reserveBytes: UInt64
  /// A little less than a second, so that a fragment and half a second of sync are not more than 1.5 s.
  package var fragmentLength: Duration
  package var clipLength: Duration
  /// Bounds of the queue of each camera: what a slow volume may lag behind without loss.
  package var queueLength: Duration
  package var queueBytes: Int
  /// How long Record waits for the first pictures.
  package var deliveryLimit: Duration
  /// How long Stop waits for a volume that hangs.
  package var stopLimit: Duration
  /// For cameras that deliver raw pictures.
  package var encoder: EncoderSettings
  package var sound: SoundChoice
  /// Into manifests and clips.
  package var version: String

  package init(
    mediaDirectory: String, makesDirectory: Bool = true, secondDirectory: String? = nil, reserveBytes: UInt64 = 1 << 30,
    fragmentLength: Duration = .milliseconds(950), clipLength: Duration = .seconds(3600),
    queueLength: Duration = .seconds(4), queueBytes: Int = 128 << 20, deliveryLimit: Duration = .milliseconds(3800),
    stopLimit: Duration = .seconds(10), encoder: EncoderSettings = EncoderSettings(),
    sound: SoundChoice = .auto, version: String = "0"
  ) {
    self.mediaDirectory = mediaDirectory
    self.makesDirectory = makesDirectory
    self.secondDirectory = secondDirectory
    self.reserveBytes = reserveBytes
    self.fragmentLength = fragmentLength
    self.clipLength = clipLength
    self.queueLength = queueLength
    self.queueBytes = queueBytes
    self.deliveryLimit = deliveryLimit
    self.stopLimit = stopLimit
    self.encoder = encoder
    self.sound = sound
    self.version = version
  }

  package var places: MediaPlaces {
    MediaPlaces(MediaDirectory(mediaDirectory), second: secondDirectory.map { MediaDirectory($0) })
  }

  /// The same for the second directory alone.
  package var elsewhere: RecordingOptions? {
    guard let secondDirectory else { return nil }
    var options = self
    options.mediaDirectory = secondDirectory
    options.makesDirectory = false
    options.secondDirectory = nil
    return options
  }

  /// In the order in which they are tried.
  var inOrder: [RecordingOptions] { [self] + (elsewhere.map { [$0] } ?? []) }

  /// What a take keeps of the volume for its end, for each camera: a share of `take.json`, and the index of a clip of
  /// about half an hour (`DiskReserve.indexBytes`).
  static let endingBytes = 1 << 20

  /// More for each microphone: about half an hour of AAC in the index.
  static let soundEndingBytes = 1 << 19

  /// FAT holds no file of 4 GiB; 3.9 GB leave room for the last fragment and the index.
  package static let fatClipBytes: UInt64 = 3_900_000_000
}
