import CamrigModel
import Testing

@Suite("JSON")
struct JSONValueTests {
  @Test("a value is written as one line with sorted members")
  func writes() {
    let value: JSONValue = ["b": [1, -2.5, true, nil], "a": "ü \"\\\n\t\u{1}", "c": [:], "d": []]
    #expect(value.text == #"{"a":"ü \"\\\n\u0009\u0001","b":[1,-2.5,true,null],"c":{},"d":[]}"#)
  }

  @Test("what was written is read back as it was")
  func roundTrip() throws {
    let value: JSONValue = [
      "text": "a\u{0}b\u{1F4F7}\u{7F}\r", "numbers": [0, -1, 9_223_372_036_854_775_807, 1e-5, 1e300, 0.1],
      "deep": [[[["x": false]]]],
    ]
    #expect(try JSONValue(json: value.text) == value)
  }

  @Test("whole numbers are whole where they fit, all others are Doubles")
  func numbers() throws {
    #expect(try JSONValue(json: "-9223372036854775808") == .integer(.min))
    #expect(try JSONValue(json: "9223372036854775808") == .number(9_223_372_036_854_775_808))
    #expect(try JSONValue(json: "1.0") == .number(1))
    #expect(try JSONValue(json: "1e2") == .number(100))
    #expect(try JSONValue(json: "-0") == .integer(0))
    #expect(JSONValue.number(.infinity).text == "null")
  }

  @Test("escapes are read, surrogate pairs too")
  func escapes() throws {
    #expect(
      try JSONValue(json: #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000""#) == .string("\"\\/\u{8}\u{C}\n\r\té😀\u{0}"))
  }

  @Test(
    "what is not JSON is refused with its place",
    arguments: [
      ("", 0), ("  ", 2), ("01", 0), ("+1", 0), (".5", 0), ("1.", 2), ("1e", 2), ("-", 0), ("NaN", 0), ("tru", 0),
      ("[1,]", 3), ("[1 2]", 3), (#"{"a"}"#, 4), (#"{"a":1,}"#, 7), ("{1:2}", 1), (#"{"a":1,"a":2}"#, 7),
      ("\"", 1), ("\"\n\"", 1), (#""\x""#, 1), (#""\u12g4""#, 5), (#""\ud800""#, 1), (#""\ud800\ud800""#, 1),
      (#""\udc00""#, 1), ("1 2", 2), ("1e999", 0), ("[[1]", 4), ("/* */1", 0), ("\"\u{0}\"", 1),
    ])
  func refused(_ text: String, _ offset: Int) {
    do {
      let value = try JSONValue(json: text)
      Issue.record("\(text) was read as \(value.text)")
    } catch {
      #expect(error.offset == offset, "\(text): \(error)")
    }
  }

  @Test("bytes that are not UTF-8 are refused, in whatever disguise")
  func notText() {
    for bytes: [UInt8] in [[0xC3, 0x28], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF]] {
      #expect(throws: JSONError.self) { try JSONValue(json: [0x22] + bytes + [0x22]) }
      #expect(throws: JSONError.self) { try JSONValue(json: bytes) }
    }
  }

  @Test("nesting is read to its limit and refused beyond")
  func depth() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    _ = try JSONValue(json: nested(JSONValue.deepest))
    #expect(throws: JSONError.self) { try JSONValue(json: nested(JSONValue.deepest + 1)) }
    #expect(throws: JSONError.self) { try JSONValue(json: String(repeating: "[", count: 1_000_000)) }
  }

  @Test("inside another Codable value it is itself")
  func codable() throws {
    let value: [String: JSONValue] = ["a": [1, 1.5, nil, true, "x", ["y": -3]]]
    #expect(try JSONValue(encoding: value).text == #"{"a":[1,1.5,null,true,"x",{"y":-3}]}"#)
    #expect(try JSONValue(encoding: value).decode([String: JSONValue].self) == value)
  }
}
