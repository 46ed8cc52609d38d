import CamrigModel

let monitorCommands = [pairCommand, monitorsCommand, revokeCommand]

private let pairCommand = Command(
  name: "pair", operands: "[--role ROLE]", summary: "a one-time code with which a phone or computer pairs",
  options: [
    OptionSyntax("--role", value: "ROLE", help: "viewer, operator (as without it) or admin")
  ]
) { arguments, rig in
  _ = try arguments.operands()
  var role: AccessRole?
  if let text = arguments["--role"] {
    guard let known = AccessRole(rawValue: text) else {
      throw UsageError("--role takes \(AccessRole.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    role = known
  }
  let (offer, json) = try rig.call(.pairingCreate, PairingRequest(role: role), as: PairingOffer.self)
  if rig.json {
    try printJSON(json)
    return .ok
  }
  print("code         \(offer.code)   (once, within \(offer.expiresSeconds / 60) min, as \(offer.role.rawValue))")
  for (number, url) in offer.urls.enumerated() { print("\(number == 0 ? "open         " : "             ")\(url)") }
  print("fingerprint  \(grouped(offer.fingerprint))")
  return .ok
}

private let monitorsCommand = Command(
  name: "monitors", operands: "", summary: "the paired monitors"
) { arguments, rig in
  _ = try arguments.operands()
  let (monitors, json) = try rig.call(.monitorList, as: [MonitorDescription].self)
  if rig.json {
    try printJSON(json)
  } else if monitors.isEmpty {
    print("No monitor is paired. Pair one with: camrigctl pair")
  } else {
    printTable(
      [["ID", "NAME", "ROLE", "LAST SEEN", ""]]
        + monitors.map { monitor in
          [
            monitor.id, monitor.name, monitor.role.rawValue, monitor.lastSeen.map { text(time: $0) } ?? "never",
            monitor.connected ? "connected" + (monitor.address.map { " from \($0)" } ?? "") : "",
          ]
        })
  }
  return .ok
}

private let revokeCommand = Command(
  name: "monitors revoke", operands: "MONITOR", summary: "takes a monitor's pairing away, and sends it away"
) { arguments, rig in
  let monitor = try arguments.operands("MONITOR")[0]
  _ = try rig.call(.monitorRevoke, MonitorReference(monitor: monitor), as: [String: String].self)
  if rig.json { try printJSON(.object([:])) } else { print("\(monitor) is no longer paired") }
  return .ok
}

/// A fingerprint in groups of four, to be compared by eye.
func grouped(_ fingerprint: String) -> String {
  var text = ""
  for (place, digit) in fingerprint.drop(while: { $0 != ":" }).dropFirst().enumerated() {
    if place > 0, place % 4 == 0 { text += " " }
    text.append(digit)
  }
  return text
}
