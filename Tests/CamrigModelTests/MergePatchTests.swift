import CamrigModel
import Testing

@Suite("Merge patches")
struct MergePatchTests {
  @Test(
    "the patch between two states turns the one into the other",
    arguments: [
      (#"{}"#, #"{"a":1}"#, #"{"a":1}"#),
      (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"{"a":null}"#),
      (#"{"a":{"b":1,"c":[1,2]}}"#, #"{"a":{"b":1,"c":[1]}}"#, #"{"a":{"c":[1]}}"#),
      (#"{"a":{"b":1}}"#, #"{"a":"text"}"#, #"{"a":"text"}"#),
      (#"{"a":"text"}"#, #"{"a":{"b":{}}}"#, #"{"a":{"b":{}}}"#),
    ])
  func between(from: String, to: String, patch: String) throws {
    let (from, to) = (try JSONValue(json: from.utf8), try JSONValue(json: to.utf8))
    let found = try #require(from.mergePatch(to: to))
    #expect(found == (try JSONValue(json: patch.utf8)))
    #expect(from.merged(with: found) == to)
  }

  @Test("equal states have no patch")
  func equal() throws {
    let state = try JSONValue(json: #"{"a":{"b":[1,{"c":2}]}}"#.utf8)
    #expect(state.mergePatch(to: state) == nil)
  }

  /// RFC 7396, appendix A.
  @Test(
    "patches of others are merged as the standard says",
    arguments: [
      (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
      (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
      (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#), (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
  func standard(target: String, patch: String, result: String) throws {
    let merged = try JSONValue(json: target.utf8).merged(with: try JSONValue(json: patch.utf8))
    #expect(merged == (try JSONValue(json: result.utf8)))
  }
}
