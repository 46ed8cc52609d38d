import CamrigModel
import Glibc
import RigClient

let pictureCommands = [snapshotCommand, previewCommand]

private let longEdge = OptionSyntax(
  "--long-edge", value: "PIXELS", help: "at most so many; the camera's own size without it")
private let quality = OptionSyntax("--quality", value: "N", help: "of the JPEG, 1 to 100, where it is made anew")

private let snapshotCommand = Command(
  name: "snapshot", operands: "[--camera CAMERA] [--output FILE]",
  summary: "one picture as a JPEG; of the camera that shows something where none is named",
  options: [
    OptionSyntax("--camera", value: "CAMERA", help: "of this camera"),
    OptionSyntax("--output", value: "FILE", help: "into this file; else to the output, which is no terminal then"),
    longEdge, quality,
  ]
) { arguments, rig in
  let target = try pictureTarget(arguments)
  let file = arguments["--output"].flatMap { $0 == "-" ? nil : $0 }
  if file == nil { try refuseTerminal() }
  let web = try rig.web()
  let answer = try web.send(.get, target.snapshot)
  guard answer.status == 200 else { throw web.refusal(answer.status, answer.body) }
  try PictureFile.write(answer.body, to: file)
  return .ok
}

private let previewCommand = Command(
  name: "preview", operands: "[--camera CAMERA] [--long-edge PIXELS] [--rate N]",
  summary: "live pictures as JPEGs one behind the other, until nobody reads them: … | ffplay -f mjpeg -",
  options: [
    OptionSyntax("--camera", value: "CAMERA", help: "of this camera"), longEdge,
    OptionSyntax("--rate", value: "N", help: "at most so many pictures a second"), quality,
  ]
) { arguments, rig in
  var target = try pictureTarget(arguments)
  if let text = arguments["--rate"] {
    guard FrameRate(text) != nil else { throw UsageError("\"\(text)\" is no rate; write it like 5 or 29.97") }
    target.rate = text
  }
  try refuseTerminal()
  let web = try rig.web()
  // Who closes the pipe has seen enough.
  signal(SIGPIPE, SIG_IGN)
  try PreviewPipe(to: STDOUT_FILENO).run(web, target: target.stream)
  return .ok
}

private func pictureTarget(_ arguments: Arguments) throws -> PictureTarget {
  _ = try arguments.operands()
  var target = PictureTarget()
  target.camera = arguments["--camera"]
  guard (target.camera ?? "").utf8.count <= 256 else { throw UsageError("no camera has so long a name") }
  func number(_ name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = arguments[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("\(name) takes a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
  target.longEdge = try number("--long-edge", 16...16384)
  target.quality = try number("--quality", 1...100)
  return target
}

private func refuseTerminal() throws(UsageError) {
  guard isatty(STDOUT_FILENO) == 0 else {
    throw UsageError(
      "pictures are not for a terminal: send them to a file (> FILE) or to a program (| ffplay -f mjpeg -)")
  }
}
