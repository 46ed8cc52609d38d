import CLinux
import Glibc
import V4L2

/// Why a driver does not set a control, in words that say something to whoever turned it: uvcvideo answers "invalid
/// multibyte character" where the camera cannot do it just now.
func driverRefusal(_ errno: Int32) -> String {
  switch errno {
  case EILSEQ, EACCES, EPERM: "the camera cannot do that as it is set just now (errno \(errno))"
  case ERANGE, EINVAL: "the camera does not take this value (errno \(errno))"
  case EBUSY: "the camera is busy with something else (errno \(errno))"
  case ETIMEDOUT: "the camera did not answer (errno \(errno))"
  case EPIPE, EPROTO, EREMOTEIO: "the camera said no, and not why (errno \(errno))"
  default: errnoWords(errno)
  }
}

/// `EIO`; nil for a number that has no name.
func errnoName(_ errno: Int32) -> String? { cl_errno_name(errno).map { String(cString: $0) } }
