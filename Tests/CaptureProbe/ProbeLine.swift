import CamrigModel
import Capture
import Frames

/// One line of the probe's output: exactly one of the fields.
struct ProbeLine: Encodable {
  var started: StreamRun?
  var frame: Picture?
  var lost: Loss?
  var ended: StreamEnd?
  var state: State?

  struct Picture: Encodable {
    let run: Int
    let sequence: UInt64
    let time: MediaTime
    let bytes: Int
    let size: PixelSize
    /// The text that fakecam puts behind the start of each JPEG picture.
    let mark: String

    init(_ frame: Frame) {
      run = frame.run
      sequence = frame.sequence
      time = frame.presentationTime
      bytes = frame.byteCount
      size = frame.size
      mark = frame.withBytes { bytes in
        guard bytes.count > 6, bytes[2] == 0xff, bytes[3] == 0xfe else { return "" }
        let length = Int(bytes[4]) << 8 | Int(bytes[5])
        return String(decoding: bytes[6..<min(bytes.count, 4 + length)], as: UTF8.self)
      }
    }
  }

  struct State: Encodable {
    let state: CameraState
    let message: String
    let granted: VideoFormat?
    let stream: StreamStatus?

    init(_ status: CameraStreamState) {
      state = status.state
      message = status.message
      granted = status.granted
      stream = status.stream
    }
  }
}
