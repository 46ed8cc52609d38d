import CamrigModel
import Frames

/// A picture for a viewer. It shares its memory with all who show the same.
package struct PreviewPicture: Sendable {
  /// A JPEG, with the time, run and sequence of the camera's picture that it is or was made of.
  package let frame: Frame
  /// Since it was taken.
  package let age: Duration
  /// Pictures since the last one that this viewer would have had, had it been fast enough; those beyond its rate are
  /// not among them.
  package let skipped: Int

  package init(frame: Frame, age: Duration, skipped: Int) {
    self.frame = frame
    self.age = age
    self.skipped = skipped
  }

  package var presentationTime: MediaTime { frame.presentationTime }
  package var sequence: UInt64 { frame.sequence }
  package var size: PixelSize { frame.size }
}
