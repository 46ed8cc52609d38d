import CamrigModel
import Monitor
import TestSupport
import Testing

@Suite("The document of the control protocol")
struct ControlProtocolTests {
  private static let text: String = {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    return String(decoding: FileBytes.read(root + "/docs/ref/control-protocol.md"), as: UTF8.self)
  }()
  /// What goes over the wire in its examples.
  private static let messages = text.split(separator: "\n").filter { $0.hasPrefix("{") }

  private func message(_ text: Substring) throws -> JSONValue { try JSONValue(json: text.utf8) }

  @Test("has every method and every event under a heading of its own, and no other")
  func complete() {
    let headings = Self.text.split(separator: "\n").filter { $0.hasPrefix("### `") }
      .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(headings == RigMethod.allCases.map(\.rawValue) + RigEventName.allCases.map(\.rawValue))
  }

  @Test("has a request for every method and a notification for every event")
  func examples() throws {
    let messages = try Self.messages.map(message)
    let requests = messages.filter { $0["id"] != nil }.compactMap { $0["method"]?.asString }
    let notifications = messages.filter { $0["id"] == nil }.compactMap { $0["method"]?.asString }
    #expect(Set(requests) == Set(RigMethod.allCases.map(\.rawValue)))
    #expect(notifications == RigEventName.allCases.map(\.rawValue))
  }

  @Test("has requests that the rig can read, and each method's first is the example of the OpenRPC document")
  func requests() throws {
    var seen: Set<RigMethod> = []
    for text in Self.messages where text.hasPrefix(#"{"jsonrpc":"2.0","id":1,"method""#) {
      let request = try RPCRequest.read(text.utf8)
      let method = try #require(RigMethod(rawValue: request.method))
      try method.contract.read(request)
      if seen.insert(method).inserted { #expect(try method.contract.example().text == request.params.text) }
    }
    #expect(seen == Set(RigMethod.allCases))
  }

  @Test("has answers that are just what the rig writes")
  func answers() throws {
    var method: RigMethod?
    var count = 0
    for text in Self.messages {
      let message = try message(text)
      if let name = message["method"]?.asString { method = RigMethod(rawValue: name) }
      guard let result = message["result"], let method else { continue }
      #expect(try method.contract.sameResult(result).text == result.text, "\(method)")
      #expect(message.text == text, "\(method)")
      count += 1
    }
    #expect(count >= 6)
  }

  @Test("has notifications that are just what the rig writes")
  func notifications() throws {
    for text in Self.messages where !text.contains(#""id":1"#) {
      let message = try message(text)
      let params = try #require(message["params"])
      let event = try #require(RigEventName(rawValue: message["method"]?.asString ?? ""))
      #expect(try event.contract.sameParams(params).text == params.text, "\(event)")
    }
  }

  @Test("has every error with its number")
  func errors() {
    let rows = RigErrorCode.allCases.map { "| \($0.number) | `\($0.rawValue)`: " }
    for row in rows { #expect(Self.text.contains("\n" + row), "\(row)") }
  }

  @Test("has the code of every control that is refused, and no other")
  func refusals() {
    #expect(codes(under: "### Controls that are refused") == ControlRefusalCode.allCases.map(\.rawValue))
  }

  @Test("has the code of every problem of the rig, and no other")
  func problems() {
    #expect(codes(under: "### Problems of the rig") == RigProblemCode.allCases.map(\.rawValue))
  }

  /// Of the table under that heading: what stands first in its rows.
  private func codes(under heading: String) -> [String] {
    let lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != heading }.dropFirst()
    return lines.prefix { !$0.hasPrefix("#") }.filter { $0.hasPrefix("| `") }.compactMap {
      $0.split(separator: "`").dropFirst().first.map(String.init)
    }
  }
}
