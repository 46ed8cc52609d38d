import CamrigModel
import Monitor
import TestSupport
import Testing

@Suite("Malformed requests", .timeLimit(.minutes(5)))
struct MalformedRequestTests {
  private static let unreadableTexts = [
    "", "{", "}", "nul", "'a'", "\u{FEFF}{}", "{}{}", "{\"a\":1,}", "[1,]", "\"\u{0}\"",
  ]

  private static let invalidTexts = [
    "[]", "\"x\"", "123", "null", "true", "{}", #"[{"jsonrpc":"2.0","id":1,"method":"rig.echo"}]"#,
    #"{"op":"1"}"#, #"{"op":null}"#, #"{"op":1.5}"#, #"{"op":-1}"#, #"{"op":[]}"#,
    #"{"jsonrpc":"2.0","id":[],"method":"rig.echo"}"#, #"{"jsonrpc":"2.0","id":1.5,"method":"rig.echo"}"#,
    #"{"jsonrpc":"2.0","id":true,"method":"rig.echo"}"#, #"{"jsonrpc":2.0,"id":5,"method":"rig.echo"}"#,
    #"{"jsonrpc":"1.0","id":5,"method":"rig.echo"}"#, #"{"jsonrpc":"2.0","id":5,"method":7}"#,
    #"{"jsonrpc":"2.0","id":5,"method":""}"#, #"{"jsonrpc":"2.0","id":5}"#,
  ]

  /// The answer to `bytes`, and to a good request after it on the same connection.
  private func answer(to bytes: [UInt8], of test: ServerUnderTest) async throws -> RPCError {
    let (line, after) = try await onThread {
      let monitor = try RawMonitor(test.path)
      monitor.send(bytes + [0x0A])
      let line = monitor.line()
      monitor.send(#"{"jsonrpc":"2.0","id":"after","method":"rig.echo"}"#)
      return (line, monitor.line())
    }
    #expect(after == #"{"id":"after","jsonrpc":"2.0","result":{}}"#)
    let response = try #require(RPCResponse(json: try JSONValue(json: line ?? "")))
    guard case .failure(let error) = response.outcome else {
      Issue.record("\(String(decoding: bytes.prefix(80), as: UTF8.self)) was taken")
      return RPCError(.internalError, "")
    }
    return error
  }

  @Test("what is no JSON gets -32700, and the connection goes on", arguments: unreadableTexts)
  func unreadable(_ text: String) async throws {
    let test = try ServerUnderTest()
    let error = try await answer(to: Array(text.utf8), of: test)
    #expect(error.number == -32700 && error.code == .requestUnreadable)
    test.server.stop()
  }

  @Test("what is no request gets -32600, and the connection goes on", arguments: invalidTexts)
  func invalid(_ text: String) async throws {
    let test = try ServerUnderTest()
    let error = try await answer(to: Array(text.utf8), of: test)
    #expect(error.number == -32600 && error.code == .requestInvalid)
    test.server.stop()
  }

  @Test("bytes that are not text, numbers beyond all bounds and members named twice are refused")
  func hostile() async throws {
    let test = try ServerUnderTest()
    let texts: [[UInt8]] = [
      Array("\"".utf8) + [0xC3, 0x28] + Array("\"".utf8), [0xC3, 0x28], [0, 0, 0, 0], [0xFF, 0xFE],
      Array(#"{"op":1e400}"#.utf8), Array(#"{"jsonrpc":"2.0","id":1,"id":2,"method":"rig.echo"}"#.utf8),
      Array(#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#.utf8),
    ]
    for text in texts {
      #expect(try await answer(to: text, of: test).code == .requestUnreadable)
    }
    #expect(test.rig.methods == Array(repeating: "rig.echo", count: texts.count))
    test.server.stop()
  }

  @Test("nesting a hundred thousand deep is refused", arguments: ["[", #"{"a":"#])
  func deep(_ opening: String) async throws {
    let test = try ServerUnderTest()
    let text = String(repeating: opening, count: 100_000)
    let error = try await answer(to: Array(text.utf8), of: test)
    #expect(error.code == .requestUnreadable && error.message.contains("nested deeper than 64"))
    test.server.stop()
  }

  @Test("a line of 64 MB is refused once, without being kept")
  func huge() async throws {
    let test = try ServerUnderTest()
    let error = try await answer(to: [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 20), of: test)
    #expect(error.code == .requestTooLarge)
    test.server.stop()
  }

  @Test("the error carries the request's ID wherever it could be read")
  func keepsID() throws {
    func id(_ text: String) -> RPCID? {
      do throws(RPCResponse) {
        _ = try RPCRequest.read(text.utf8)
        return nil
      } catch {
        return error.id
      }
    }
    #expect(id(#"{"jsonrpc":"2.0","id":5,"method":7}"#) == .number(5))
    #expect(id(#"{"id":"a","method":"rig.echo"}"#) == .text("a"))
    #expect(id(#"{"jsonrpc":"2.0","id":5,"method":"rig.echo","params":[1]}"#) == .number(5))
    #expect(id("{") == .null)
  }
}
