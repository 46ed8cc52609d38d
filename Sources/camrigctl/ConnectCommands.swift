import CamrigModel
import HTTP
import RigClient

let connectCommands = [connectCommand, rigsCommand, forgetCommand]

private let connectCommand = Command(
  name: "connect", operands: "HOST[:PORT] [--code CODE | --ask] [--fingerprint SHA256]",
  summary: "pairs with a rig in the network, for --host",
  options: [
    OptionSyntax("--code", value: "CODE", help: "from camrigctl pair on the rig; without it you are asked"),
    OptionSyntax("--ask", help: "a paired monitor decides, instead of a code"),
    OptionSyntax(
      "--fingerprint", value: "SHA256", help: "the rig's, from camrigctl status there; without it you are asked"),
  ]
) { arguments, rig in
  let text = try arguments.operands("HOST")[0]
  guard let address = RigAddress(text) else {
    throw UsageError("\"\(text)\" is no address; write it like rig.local, 192.0.2.7 or rig.local:8470")
  }
  var given: CertificateFingerprint?
  if let text = arguments["--fingerprint"] {
    guard let fingerprint = CertificateFingerprint(text) else {
      throw UsageError("--fingerprint takes the 64 digits that camrigctl status shows on the rig")
    }
    given = fingerprint
  }
  let connecting = Connecting(
    address: address, given: given, code: arguments["--code"], asksMonitors: arguments.has("--ask"),
    book: try RigBook.own())
  let result = try connecting.run()
  if rig.json {
    try printJSON(result.json)
  } else {
    print(result.sentence)
    print("Now, for example: camrigctl --host \(result.rig.name.isPlainWord ? result.rig.name : "\(address)") status")
  }
  return .ok
}

private let rigsCommand = Command(
  name: "rigs", operands: "", summary: "the rigs in the network that this user paired with"
) {
  arguments, rig in
  _ = try arguments.operands()
  let rigs = try RigBook.own().read().rigs
  if rig.json {
    // Not the tokens: they are secrets.
    try printJSON(.array(rigs.map(\.shown)))
  } else if rigs.isEmpty {
    print("None yet. Pair with one: camrigctl connect HOST")
  } else {
    printTable(
      [["NAME", "ADDRESS", "FINGERPRINT"]] + rigs.map { [$0.name, "\($0.address)", $0.fingerprint.grouped] })
  }
  return .ok
}

private let forgetCommand = Command(
  name: "rigs forget", operands: "HOST", summary: "forgets a rig, and gives the pairing back where it can be reached"
) { arguments, rig in
  let text = try arguments.operands("HOST")[0]
  let book = try RigBook.own()
  guard let known = try book.read().find(text) else { throw RemoteRigError.unknown(text) }
  // The rig may be gone or another by now; that is the usual reason to forget it.
  let web = try RigWeb(known)
  let isReturned = (try? web.send(.post, "/unpair"))?.status == 204
  try book.change { $0.forget(known) }
  if rig.json {
    try printJSON(["unpaired": .bool(isReturned)])
  } else {
    print(
      "\(known.name) is forgotten"
        + (isReturned ? "" : "; it could not be told, so on the rig run: camrigctl monitors revoke"))
  }
  return .ok
}

extension KnownRig {
  var shown: JSONValue {
    ["name": .string(name), "address": .string("\(address)"), "fingerprint": .string("\(fingerprint)")]
  }
}

extension String {
  /// Needs no quotes in a shell.
  var isPlainWord: Bool {
    !isEmpty && utf8.first != 45
      && utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 || $0 == 95
      }
  }
}
