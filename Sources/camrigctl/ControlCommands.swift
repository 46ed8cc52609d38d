import CamrigModel
import FoundationEssentials
import Glibc

let controlCommands: [Command] = [
  Command(
    name: "controls", operands: "CAMERA", summary: "what can be turned on a camera: values, ranges, what each is for"
  ) { arguments, rig in
    let reference = CameraReference(camera: try arguments.operands("CAMERA")[0])
    let (controls, json) = try rig.call(.controlList, reference, as: [ControlDescription].self)
    rig.json ? try printJSON(json) : show(controls)
    return .ok
  },
  Command(
    name: "set", operands: "CAMERA KEY=VALUE…",
    summary: "turns controls, by their keys or roles, such as zoom=200 focus-auto=off; they stay so"
  ) { arguments, rig in
    guard arguments.words.count >= 2 else {
      throw UsageError(arguments.words.isEmpty ? "CAMERA is missing" : "KEY=VALUE is missing")
    }
    var values: [String: ControlValue] = [:]
    for word in arguments.words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else { throw UsageError("\"\(word)\" is not KEY=VALUE") }
      // The rig knows what kind of value it is.
      values[String(parts[0])] = .text(String(parts[1]))
    }
    return try rig.turn(.controlSet, ControlSetRequest(camera: arguments.words[0], values: values))
  },
  Command(
    name: "controls reset", operands: "CAMERA [KEY…]",
    summary: "controls back to the camera's defaults, all or those named; nothing is kept of them"
  ) { arguments, rig in
    guard let camera = arguments.words.first else { throw UsageError("CAMERA is missing") }
    let names = Array(arguments.words.dropFirst())
    return try rig.turn(.controlReset, ControlResetRequest(camera: camera, controls: names.isEmpty ? nil : names))
  },
  Command(
    name: "controls export", operands: "CAMERA > FILE", summary: "a camera's controls as a JSON document"
  ) { arguments, rig in
    let reference = CameraReference(camera: try arguments.operands("CAMERA")[0])
    try printJSON(try rig.call(.controlExport, reference, as: ControlExport.self).1)
    return .ok
  },
  Command(
    name: "controls import", operands: "CAMERA FILE",
    summary: "sets what controls export has written; - reads standard input"
  ) { arguments, rig in
    let words = try arguments.operands("CAMERA", "FILE")
    let text = try contents(of: words[1])
    guard let file = try? JSONDecoder().decode(ControlExport.self, from: Data(text)) else {
      throw UsageError("\(words[1]) is not what camrigctl controls export writes")
    }
    return try rig.turn(.controlImport, ControlImportRequest(camera: words[0], controls: file.controls))
  },
]

extension Connection {
  fileprivate func turn(_ method: RigMethod, _ request: some Encodable & Sendable) throws -> ExitStatus {
    let (outcome, reply) = try call(method, request, as: ControlOutcome.self)
    if json {
      try printJSON(reply)
    } else {
      for (key, value) in outcome.granted.sorted(by: { $0.key < $1.key }) { print("\(key)=\(value)") }
      for (_, why) in outcome.refused.sorted(by: { $0.key < $1.key }) { printError(why) }
    }
    return outcome.refused.isEmpty ? .ok : .unavailable
  }
}

private func show(_ controls: [ControlDescription]) {
  guard !controls.isEmpty else {
    print("This camera has no controls.")
    return
  }
  printTable(
    [["CONTROL", "VALUE", "DEFAULT", "ROLE", "NOTE", "MAY BE"]]
      + controls.map { control in
        [
          control.key, control.value.map(control.words) ?? "", control.defaultValue.map(control.words) ?? "",
          control.role?.rawValue ?? "", note(control), range(control),
        ]
      })
}

private func range(_ control: ControlDescription) -> String {
  let (least, most) = (control.minimum ?? 0, control.maximum ?? 0)
  let steps = control.step.map { $0 > 1 ? " in steps of \($0)" : "" } ?? ""
  switch control.type {
  case .integer, .integer64: return "\(least) to \(most)\(steps)"
  case .boolean: return "on, off"
  case .menu, .integerMenu:
    return (control.items ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
  case .button: return "(does something when set)"
  case .bitmask: return "bits of 0x\(String(most, radix: 16))"
  case .string: return "text of \(least) to \(most) bytes\(steps)"
  case .unsupported: return "(only listed)"
  }
}

private func note(_ control: ControlDescription) -> String {
  let flags = ControlFlag.allCases.filter(control.flags.contains).map(\.rawValue)
  return ((control.unit.map { ["in \($0)"] } ?? []) + flags).joined(separator: ", ")
}

private func contents(of path: String) throws(UsageError) -> [UInt8] {
  let file = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw UsageError("\(path) cannot be read: \(String(cString: strerror(errno)))") }
  defer { if file != 0 { close(file) } }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 64 << 10)
  while bytes.count < 1 << 20 {
    let count = read(file, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw UsageError("\(path) cannot be read: \(String(cString: strerror(errno)))") }
    if count == 0 { break }
    bytes += buffer[..<count]
  }
  return bytes
}
