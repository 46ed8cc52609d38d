import CamrigModel
import Glibc

let monitorCommands = [pairCommand, monitorsCommand, requestsCommand, approveCommand, denyCommand, revokeCommand]

private let pairCommand = Command(
  name: "pair", operands: "[--role ROLE]", summary: "a one-time code with which a phone or computer pairs",
  options: [roleOption, OptionSyntax("--no-qr", help: "no QR code, which is shown on a terminal")]
) { arguments, rig in
  _ = try arguments.operands()
  let (offer, json) = try rig.call(.pairingCreate, PairingRequest(role: try role(arguments)), as: PairingOffer.self)
  if rig.json {
    try printJSON(json)
    return .ok
  }
  print("code         \(offer.code)   (once, within \(offer.expiresSeconds / 60) min, as \(offer.role.rawValue))")
  for (number, url) in offer.urls.enumerated() { print("\(number == 0 ? "open         " : "             ")\(url)") }
  print("fingerprint  \(grouped(offer.fingerprint))")
  if isatty(STDOUT_FILENO) == 1, !arguments.has("--no-qr"), let rows = offer.forCamera {
    for line in QRText(rows: rows).lines { print(line) }
  }
  return .ok
}

extension PairingOffer {
  /// The code that a phone's camera shall read: of a link by number, which needs no help from the network's names.
  fileprivate var forCamera: [String]? {
    let secure = urls.indices.filter { urls[$0].hasPrefix("https://") }
    let best = secure.first { urls[$0].dropFirst(8).first?.isNumber == true } ?? secure.first ?? urls.indices.first
    guard let best, let rows = qrCodes?.dropFirst(best).first, !rows.isEmpty else { return nil }
    return rows
  }
}

private let roleOption = OptionSyntax("--role", value: "ROLE", help: "viewer, operator (as without it) or admin")

private func role(_ arguments: Arguments) throws(UsageError) -> AccessRole? {
  guard let text = arguments["--role"] else { return nil }
  guard let role = AccessRole(rawValue: text) else {
    throw UsageError("--role takes \(AccessRole.allCases.map(\.rawValue).joined(separator: ", "))")
  }
  return role
}

private let monitorsCommand = Command(
  name: "monitors", operands: "", summary: "the paired monitors, and who asks to become one"
) { arguments, rig in
  _ = try arguments.operands()
  let (monitors, json) = try rig.call(.monitorList, as: [MonitorDescription].self)
  if rig.json {
    try printJSON(json)
    return .ok
  }
  let waiting = try rig.call(.pairingList, as: [PairingRequestDescription].self).0
  for request in waiting {
    print(
      "! \(request.name) at \(request.address) asks to be let in and shows \(request.check). If that is so: "
        + "camrigctl monitors approve \(request.check)")
  }
  if monitors.isEmpty {
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

private let requestsCommand = Command(
  name: "monitors requests", operands: "", summary: "the devices that ask to be let in"
) { arguments, rig in
  _ = try arguments.operands()
  let (waiting, json) = try rig.call(.pairingList, as: [PairingRequestDescription].self)
  if rig.json {
    try printJSON(json)
  } else if waiting.isEmpty {
    print("Nobody asks to be let in.")
  } else {
    printTable(
      [["DIGITS", "NAME", "ADDRESS", "SINCE (UTC)"]]
        + waiting.map { [$0.check, $0.name, $0.address, text(time: $0.at)] })
  }
  return .ok
}

private let approveCommand = Command(
  name: "monitors approve", operands: "DIGITS [--role ROLE]",
  summary: "lets the device in that asks and shows these four digits", options: [roleOption]
) { arguments, rig in
  let request = try rig.waiting(arguments)
  let approval = PairingApproval(request: request.request, role: try role(arguments))
  _ = try rig.call(.pairingApprove, approval, as: [String: String].self)
  if rig.json {
    try printJSON(.object([:]))
  } else {
    print("\(request.name) at \(request.address) may come in as \((approval.role ?? .operator).rawValue)")
  }
  return .ok
}

private let denyCommand = Command(
  name: "monitors deny", operands: "DIGITS", summary: "sends the device away that asks and shows these four digits"
) { arguments, rig in
  let request = try rig.waiting(arguments)
  _ = try rig.call(.pairingDeny, PairingDenial(request: request.request), as: [String: String].self)
  if rig.json { try printJSON(.object([:])) } else { print("\(request.name) at \(request.address) was sent away") }
  return .ok
}

extension Connection {
  /// The one with the digits that a person has read on the device: nobody is let in unseen.
  fileprivate func waiting(_ arguments: Arguments) throws -> PairingRequestDescription {
    let digits = try arguments.operands("DIGITS")[0]
    let waiting = try call(.pairingList, as: [PairingRequestDescription].self).0
    guard let request = waiting.first(where: { $0.check == digits }) else {
      throw ControlClientError.refused(
        RPCError(.pairingUnknown, "No device that asks to be let in shows \(digits). See: camrigctl monitors requests"))
    }
    return request
  }
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
