import CamrigModel
import Glibc
import HTTP
import RigClient

let listenCommand = Command(
  name: "listen", operands: "[--mic MIC] [--seconds N]",
  summary: "a microphone's live sound as WAV, until nobody reads it: … | ffplay -nodisp -",
  options: [
    OptionSyntax("--mic", value: "MIC", help: "of this microphone; else of the first one that is there"),
    OptionSyntax("--seconds", value: "N", help: "ends after so many seconds of sound"),
  ]
) { arguments, rig in
  _ = try arguments.operands()
  var seconds: Double?
  if let text = arguments["--seconds"] {
    guard let number = Double(text), number > 0, number <= 86_400 else {
      throw UsageError("--seconds takes a number above 0, and at most 86400")
    }
    seconds = number
  }
  guard (arguments["--mic"] ?? "").utf8.count <= 256 else { throw UsageError("no microphone has so long a name") }
  guard isatty(STDOUT_FILENO) == 0 else {
    throw UsageError("sound is not for a terminal: send it to a file (> FILE.wav) or to a program (| ffplay -nodisp -)")
  }
  let query = arguments["--mic"].map { "?microphone=" + PercentEncoding.encode($0) } ?? ""
  // Who closes the pipe has heard enough.
  signal(SIGPIPE, SIG_IGN)
  try SoundPipe(to: STDOUT_FILENO, seconds: seconds).run(try rig.web(), target: "/sound" + query)
  return .ok
}
