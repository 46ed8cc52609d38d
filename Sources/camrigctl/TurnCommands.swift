import CamrigModel

let turnCommands: [Command] = [
  Command(
    name: "picture", operands: "CAMERA [--mirror on|off] [--rotate DEGREES] [--zoom N] [--at X,Y]",
    summary: "how a camera's picture is seen and recorded; not while it is recorded",
    options: [
      OptionSyntax("--mirror", value: "on|off", help: "left and right change places"),
      OptionSyntax("--rotate", value: "DEGREES", help: "clockwise: 0, 90, 180 or 270; before it is mirrored"),
      OptionSyntax("--zoom", value: "N", help: "1 to 8: only this part of its width and height"),
      OptionSyntax("--at", value: "X,Y", help: "the middle of that part, 0,0 is left and top, 1,1 right and bottom"),
    ]
  ) { arguments, rig in
    let camera = try arguments.operands("CAMERA")[0]
    let choice = try pictureChoice(arguments)
    guard choice != PictureChoice() else {
      let (description, json) = try rig.call(.cameraGet, CameraReference(camera: camera), as: CameraDescription.self)
      rig.json ? try printJSON(json) : show(description)
      return .ok
    }
    return try rig.turn(CameraSetRequest(camera: camera, picture: choice))
  },
  Command(name: "picture reset", operands: "CAMERA", summary: "the picture as the camera gives it") { arguments, rig in
    try rig.turn(CameraSetRequest(camera: try arguments.operands("CAMERA")[0], reset: ["picture"]))
  },
]

/// What of a picture is as chosen, in words; nil: nothing.
func words(_ choice: PictureChoice?) -> String? {
  guard let choice else { return nil }
  let setting = PictureSetting(kept: choice)
  let words = [
    setting.rotation == .none ? nil : "rotated by \(setting.rotation.rawValue)", setting.mirror ? "mirrored" : nil,
    setting.zoom == 1 ? nil : "zoom \(decimal(setting.zoom)) at \(decimal(setting.x)),\(decimal(setting.y))",
  ].compactMap { $0 }
  return words.isEmpty ? nil : words.joined(separator: ", ")
}

private func pictureChoice(_ arguments: Arguments) throws -> PictureChoice {
  var choice = PictureChoice()
  if let text = arguments["--mirror"] {
    guard ["on", "off"].contains(text) else { throw UsageError("--mirror takes on or off, not \"\(text)\"") }
    choice.mirror = text == "on"
  }
  if let text = arguments["--rotate"] {
    guard let degrees = Int(text) else { throw UsageError("--rotate takes 0, 90, 180 or 270, not \"\(text)\"") }
    choice.rotate = degrees
  }
  if let text = arguments["--zoom"] {
    guard let zoom = Double(text), zoom.isFinite else {
      throw UsageError("--zoom takes a number from 1 to 8, not \"\(text)\"")
    }
    choice.zoom = zoom
  }
  if let text = arguments["--at"] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else {
      throw UsageError("--at takes two numbers from 0 to 1, such as 0.5,0.25, not \"\(text)\"")
    }
    guard choice.zoom != 1 else {
      throw UsageError(
        "--zoom 1 shows the whole picture, so there is no part for --at to choose; zoom in, as with --zoom 2")
    }
    (choice.x, choice.y) = (x, y)
  }
  return choice
}

extension Connection {
  fileprivate func turn(_ request: CameraSetRequest) throws -> ExitStatus {
    let (camera, reply) = try call(.cameraSet, request, as: CameraDescription.self)
    json ? try printJSON(reply) : show(camera)
    return .ok
  }
}

private func show(_ camera: CameraDescription) {
  print("\(camera.name): \(words(camera.picture) ?? "as the camera gives it")")
  if let refusal = camera.pictureRefusal { print(refusal) }
}
