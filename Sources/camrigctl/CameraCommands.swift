import CamrigModel

let cameraCommands: [Command] = [
  Command(name: "cameras", operands: "", summary: "every camera ever seen, with its state") { arguments, rig in
    _ = try arguments.operands()
    let (cameras, json) = try rig.call(.cameraList, as: [CameraDescription].self)
    if rig.json {
      try printJSON(json)
      return .ok
    }
    if cameras.isEmpty {
      print("No camera has been seen yet. Plug one in; it appears here by itself.")
      return .ok
    }
    printTable(
      [["ID", "NAME", "STATE", "PICTURE", "SOCKET"]]
        + cameras.map { camera in
          [
            camera.id.rawValue, camera.name, camera.state.rawValue,
            (camera.delivered ?? camera.granted)?.description ?? "", camera.port,
          ]
        })
    for camera in cameras where !camera.message.isEmpty { print("\(camera.name): \(camera.message)") }
    return .ok
  },
  Command(name: "camera show", operands: "CAMERA", summary: "all that is known of a camera, with its formats") {
    arguments, rig in
    let reference = CameraReference(camera: try arguments.operands("CAMERA")[0])
    let (camera, json) = try rig.call(.cameraGet, reference, as: CameraDescription.self)
    rig.json ? try printJSON(json) : show(camera)
    return .ok
  },
  Command(
    name: "camera set", operands: "CAMERA [--size WxH] [--rate N] [--format F] [--sound-offset MS] [--reset WHAT]",
    summary: "what the camera shall deliver; --reset size|rate|format|all gives it back to the policy",
    options: pictureOptions + [
      OptionSyntax(
        "--sound-offset", value: "MS", help: "milliseconds later (or, negative, earlier) for the sound of its clips"),
      OptionSyntax("--reset", value: "WHAT", help: "size, rate, format or all: the policy chooses again"),
    ]
  ) { arguments, rig in
    var request = CameraSetRequest(camera: try arguments.operands("CAMERA")[0])
    let wish = try PictureWish(arguments)
    (request.size, request.rate, request.format) = (wish.size, wish.rate, wish.format)
    let resets = arguments.all("--reset").flatMap { $0 == "all" ? ["size", "rate", "format"] : [$0] }
    if let wrong = resets.first(where: { !["size", "rate", "format"].contains($0) }) {
      throw UsageError("--reset takes size, rate, format or all, not \"\(wrong)\"")
    }
    if !resets.isEmpty { request.reset = resets }
    request.soundOffsetMilliseconds = try arguments.milliseconds("--sound-offset")
    guard !wish.isEmpty || request.reset != nil || request.soundOffsetMilliseconds != nil else {
      throw UsageError("nothing to set: give --size, --rate, --format, --sound-offset or --reset")
    }
    return try rig.changeCamera(.cameraSet, request)
  },
  Command(name: "camera rename", operands: "CAMERA NAME", summary: "gives a camera another name") { arguments, rig in
    let words = try arguments.operands("CAMERA", "NAME")
    return try rig.changeCamera(.cameraRename, CameraRenameRequest(camera: words[0], name: words[1]))
  },
  Command(
    name: "camera replace", operands: "OLD NEW",
    summary: "the camera NEW takes over ID, name and settings of OLD, which is gone"
  ) { arguments, rig in
    let words = try arguments.operands("OLD", "NEW")
    return try rig.changeCamera(.cameraReplace, CameraReplaceRequest(camera: words[0], with: words[1]))
  },
  Command(name: "camera enable", operands: "CAMERA", summary: "uses a camera again") { arguments, rig in
    try rig.changeCamera(.cameraEnable, CameraReference(camera: try arguments.operands("CAMERA")[0]))
  },
  Command(name: "camera disable", operands: "CAMERA", summary: "leaves a camera alone from now on") { arguments, rig in
    try rig.changeCamera(.cameraDisable, CameraReference(camera: try arguments.operands("CAMERA")[0]))
  },
  Command(name: "camera forget", operands: "CAMERA", summary: "forgets a camera that is offline") { arguments, rig in
    let reference = CameraReference(camera: try arguments.operands("CAMERA")[0])
    let (_, json) = try rig.call(.cameraForget, reference, as: JSONValue.self)
    if rig.json { try printJSON(json) }
    return .ok
  },
]

extension Connection {
  fileprivate func changeCamera(_ method: RigMethod, _ request: some Encodable & Sendable) throws -> ExitStatus {
    let (camera, reply) = try call(method, request, as: CameraDescription.self)
    if json {
      try printJSON(reply)
    } else {
      print(
        "\(camera.id)  \(camera.name)  \(camera.state.rawValue)"
          + (camera.granted.map { "  \($0)" } ?? ""))
      if !camera.message.isEmpty { print(camera.message) }
    }
    return .ok
  }
}

private func show(_ camera: CameraDescription) {
  var rows = [
    ["name", camera.name], ["ID", camera.id.rawValue],
    ["state", camera.state.rawValue + (camera.message.isEmpty ? "" : ": \(camera.message)")],
    ["socket", camera.port],
  ]
  for hint in camera.hints ?? [] { rows.append(["note", hint]) }
  if let serial = camera.serial { rows.append(["serial", serial]) }
  if !camera.sharesSerialWith.isEmpty {
    rows.append([
      "twins",
      camera.sharesSerialWith.map(\.rawValue).joined(separator: ", ")
        + " (same serial: told apart by their sockets only)",
    ])
  }
  let wish = [
    camera.wish.pixelFormat.map { "format \($0.rawValue)" }, camera.wish.size.map { "size \($0)" },
    camera.wish.rate.map { "rate \($0)" },
  ].compactMap { $0 }
  rows.append(["asked for", wish.isEmpty ? "nothing: the policy chooses" : wish.joined(separator: ", ")])
  if let granted = camera.granted { rows.append(["granted", granted.description]) }
  if let picture = words(camera.picture) {
    rows.append(["picture", picture + (camera.delivered.map { ": \($0)" } ?? "")])
  }
  if let refusal = camera.pictureRefusal, camera.picture != nil { rows.append(["picture", refusal]) }
  if let offset = camera.soundOffsetMilliseconds {
    rows.append(["sound", "\(offset.magnitude) ms \(offset > 0 ? "later" : "earlier") in its clips"])
  }
  if let stream = camera.stream {
    var line = "\(stream.frames) frames"
    if let rate = stream.measuredRate { line += ", \(decimal(rate)) a second" }
    for (cause, count) in stream.lost.sorted(by: { $0.key < $1.key }) { line += ", \(count) lost (\(cause))" }
    for (what, count) in stream.oddities.sorted(by: { $0.key < $1.key }) { line += ", \(count) × \(what)" }
    rows.append(["stream", line])
  }
  if let seen = camera.lastSeen { rows.append(["last seen", text(time: seen) + " UTC"]) }
  if let device = camera.device {
    rows.append(["device", "\(device.card), driver \(device.driver), \(device.bus), now at \(device.node)"])
  }
  printTable(rows)
  guard let device = camera.device else { return }
  for format in device.formats {
    print("\(format.fourcc)  \(format.label)" + (format.pixelFormat == nil ? "  (camrig does not record this)" : ""))
    for size in format.sizes {
      var line = "  "
      if let smallest = size.smallest { line += "\(smallest) to " }
      line += size.size.description
      if let step = size.step { line += " in steps of \(step)" }
      line += "  "
      line +=
        size.rates.map { $0.denominator == 1 ? "\($0)" : decimal($0.perSecond) }
        .joined(separator: size.ratesAreRange ? " to " : ", ")
      print(line)
    }
  }
}
