import DaemonKit

/// A file of a take, a shot or a timelapse, and the volume that is asked for it.
package struct MediaFile: Sendable {
  package let path: String
  package let volume: Volume
}
