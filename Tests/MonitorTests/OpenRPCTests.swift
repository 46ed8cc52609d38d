import CamrigModel
import Glibc
import Monitor
import TestSupport
import Testing

@Suite("The OpenRPC document", .timeLimit(.minutes(5)))
struct OpenRPCTests {
  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

  @Test("has every method and event once, in the order of the code, with its least role")
  func complete() throws {
    let document = try OpenRPCDocument.make()
    let methods = document["methods"]?.asArray ?? []
    #expect(
      methods.map { $0["name"]?.asString }
        == RigMethod.allCases.map(\.rawValue) + MediaMethod.allCases.map(\.rawValue))
    #expect(
      methods.map { $0["x-least-role"]?.asString }
        == RigMethod.allCases.map(\.leastRole.rawValue) + MediaMethod.allCases.map(\.leastRole.rawValue))
    let events = document["x-notifications"]?.asArray ?? []
    #expect(
      events.map { $0["name"]?.asString }
        == RigEventName.allCases.map(\.rawValue) + MediaEventName.allCases.map(\.rawValue))
    let elsewhere = (methods + events).filter { $0["servers"] != nil }.compactMap { $0["name"]?.asString }
    #expect(elsewhere == MediaMethod.allCases.map(\.rawValue) + MediaEventName.allCases.map(\.rawValue))
    let errors = document["components"]?["errors"]?.asObject ?? [:]
    #expect(
      errors.mapValues { $0["code"]?.asInteger }
        == Dictionary(
          uniqueKeysWithValues: RigErrorCode.allCases.map { ($0.rawValue, Int64($0.number)) }))
  }

  @Test("tells what a type reads: which members there must be, of what form")
  func schemas() throws {
    struct Inner: Codable { let rate: FrameRate? }
    struct Outer: Codable {
      let camera: CameraID
      let count: UInt64?
      let list: [PixelSize]
      let lost: [LossCause: UInt64]
      let role: AccessRole
      let wall: WallTime
    }
    let members = try SchemaBook().members(of: Outer.self)
    #expect(members.map(\.name) == ["camera", "count", "list", "lost", "role", "wall"])
    #expect(members.map(\.isRequired) == [true, false, true, true, true, true])
    #expect(
      members.map(\.schema.text) == [
        #"{"type":"string"}"#, #"{"minimum":0,"type":"integer"}"#,
        #"{"items":{"pattern":"^[0-9]{1,5}x[0-9]{1,5}$","type":"string"},"type":"array"}"#,
        #"{"additionalProperties":{"minimum":0,"type":"integer"},"type":"object"}"#,
        #"{"enum":["viewer","operator","admin"],"type":"string"}"#, #"{"format":"date-time","type":"string"}"#,
      ])
    let book = SchemaBook()
    #expect(try book.schema(of: FormatWish.self).text == ##"{"$ref":"#/components/schemas/FormatWish"}"##)
    #expect(book.components["FormatWish"]?["required"] == nil)
  }

  @Test("is shipped as it is served (after a change: make openrpc)")
  func shipped() throws {
    let path = Self.root + "/docs/ref/openrpc.json"
    let text = try OpenRPCDocument.make().indented + "\n"
    if getenv("CAMRIG_WRITE_OPENRPC") != nil { FileBytes.write(Array(text.utf8), to: path) }
    #expect(String(decoding: FileBytes.read(path), as: UTF8.self) == text)
  }

  @Test("is a valid one, and all messages of the protocol's document are what its schemas say")
  func valid() async throws {
    let check = await Program.ended(
      "python3", [Self.root + "/Tests/OpenRPC/check.py", Self.root + "/docs/ref"], seconds: 60)
    #expect(check.status == 0, "\(check.text)")
  }
}

extension JSONValue {
  /// For people, and so that a change of one method is a change of its lines.
  fileprivate var indented: String {
    func lines(_ value: JSONValue, _ depth: Int) -> String {
      let space = "\n" + String(repeating: " ", count: depth)
      switch value {
      case .object(let members) where !members.isEmpty:
        let inner = members.sorted { $0.key < $1.key }
          .map { space + " " + JSONValue.string($0.key).text + ": " + lines($0.value, depth + 1) }
        return "{" + inner.joined(separator: ",") + space + "}"
      case .array(let elements) where elements.contains { $0.asObject != nil }:
        return "[" + elements.map { space + " " + lines($0, depth + 1) }.joined(separator: ",") + space + "]"
      case .object, .array, .null, .bool, .integer, .number, .string: return value.text
      }
    }
    return lines(self, 0)
  }
}
