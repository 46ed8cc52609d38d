import CVideo4Linux
import CamrigModel
import Glibc

/// A capture card's input. Cameras have neither timings to detect nor a state of their input.
extension VideoDevice {
  /// Takes the signal that is there, whose size may be another than at the last start.
  /// - Returns: its size; nil for a camera, which has no such input.
  func followSignal() throws(V4L2Error) -> PixelSize? {
    var there = v4l2_dv_timings()
    switch -cv4l2_query_dv_timings(fd, &there) {
    case 0: break
    case ENOLINK: throw .noSignal(path: path, .missing)
    case ENOLCK: throw .noSignal(path: path, .unstable)
    case ERANGE: throw .noSignal(path: path, .outOfRange)
    // It has no such input (ENOTTY, ENODATA, EINVAL), or detects nothing at the moment.
    default: return nil
    }
    let size = PixelSize(width: Int(there.bt.width), height: Int(there.bt.height))
    var set = v4l2_dv_timings()
    guard cv4l2_g_dv_timings(fd, &set) != 0 || cv4l2_is_other_signal(&there, &set) else { return size }
    // Another program's stream is in the way; it is found with the format.
    let result = cv4l2_s_dv_timings(fd, &there)
    if result != -EBUSY { try check(result, "S_DV_TIMINGS") }
    return size
  }

  /// What the driver says of the input that is chosen. Many know nothing of theirs, and none of a signal that is well
  /// says anything.
  package var signalFault: SignalFault? {
    var input = v4l2_input()
    var index: Int32 = 0
    guard cv4l2_g_input(fd, &index) == 0, index >= 0 else { return nil }
    input.index = UInt32(index)
    guard cv4l2_enuminput(fd, &input) == 0 else { return nil }
    if input.status & UInt32(V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL) != 0 { return .missing }
    return input.status & UInt32(V4L2_IN_ST_NO_SYNC | V4L2_IN_ST_NO_H_LOCK) != 0 ? .unstable : nil
  }
}
