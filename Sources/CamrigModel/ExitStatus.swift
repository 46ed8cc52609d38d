/// How both programs end, by the numbers of sysexits.h.
package enum ExitStatus: Int32, Sendable {
  case ok = 0
  /// The command line is wrong.
  case usage = 64
  /// What was read is malformed, or a take is not what it claims to be.
  case dataErr = 65
  /// No such camera, take or file.
  case noInput = 66
  /// The rig, a camera or another service does not answer.
  case unavailable = 69
  case software = 70
  case osErr = 71
  case cantCreate = 73
  case ioErr = 74
  /// Try again later.
  case tempFail = 75
  case noPerm = 77
  /// The configuration is wrong; systemd does not start the service again (`RestartPreventExitStatus=`).
  case config = 78
}
