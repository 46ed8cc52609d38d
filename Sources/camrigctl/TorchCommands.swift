import CamrigModel

let torchCommands = [
  Command(
    name: "torch", operands: "[TORCH [on|off|LEVEL]]", summary: "the rig's lights; switches one",
    options: [OptionSyntax("--camera", value: "CAMERA", help: "the torch that belongs to this camera")]
  ) { arguments, rig in
    var words = arguments.words
    if let stray = words.dropFirst(2).first { throw UsageError("unexpected \"\(stray)\"") }
    guard words.last.flatMap({ TorchWish($0) }) != nil || arguments["--camera"] != nil || words.count == 2 else {
      let (torches, json) = try rig.call(.torchList, as: [TorchDescription].self)
      if let name = words.first {
        guard let torch = torches.first(where: { $0.id == name || $0.name == name }) else {
          throw UsageError("there is no torch \"\(name)\"; see: camrigctl torch")
        }
        return try rig.show([torch], json: JSONValue(encoding: torch))
      }
      return try rig.show(torches, json: json)
    }
    guard let wish = words.popLast().flatMap({ TorchWish($0) }) else {
      throw UsageError("say on, off or a level, a whole number")
    }
    let request = TorchSetRequest(torch: words.first, camera: arguments["--camera"], on: wish.on, level: wish.level)
    let (torch, json) = try rig.call(.torchSet, request, as: TorchDescription.self)
    return try rig.show([torch], json: json)
  }
]

/// `on`, `off` or a level.
private struct TorchWish {
  var on: Bool?
  var level: Int?

  init?(_ word: String) {
    switch word {
    case "on": on = true
    case "off": on = false
    default:
      guard let level = Int(word), level >= 0 else { return nil }
      self.level = level
    }
  }
}

extension Connection {
  fileprivate func show(_ torches: [TorchDescription], json: JSONValue) throws -> ExitStatus {
    if self.json {
      try printJSON(json)
      return .ok
    }
    guard !torches.isEmpty else {
      print("This rig has no torch. Name one in [Torch] of /etc/camrig/camrig.conf.")
      return .ok
    }
    printTable(
      [["TORCH", "STATE", "LEVEL", "BY", "CAMERA"]]
        + torches.map { torch in
          [
            torch.id, torch.on ? "on" : "off", "\(torch.level) of \(torch.maxLevel)", torch.backend.rawValue,
            torch.camera?.rawValue ?? "",
          ]
        })
    for torch in torches where !torch.message.isEmpty { print("\(torch.id): \(torch.message)") }
    return .ok
  }
}
