/// Header fields in their order. Names are kept in small letters; a name may come several times.
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  package private(set) var fields: [Field] = []

  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package init() {}

  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// What would end the line or the header is left out of `value`: a name of a file, say, can add no header.
  package mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name.lowercased(), value: String(value.filter { !$0.isNewline && $0 != "\0" })))
  }

  package mutating func remove(_ name: String) { fields.removeAll { $0.name == name.lowercased() } }

  /// Every value of the name.
  package func all(_ name: String) -> [String] { fields.filter { $0.name == name.lowercased() }.map(\.value) }

  /// The values as one (RFC 9110, 5.3), cookies joined as cookies are; nil where there is none.
  package subscript(name: String) -> String? {
    let values = all(name)
    guard !values.isEmpty else { return nil }
    return values.joined(separator: name.lowercased() == "cookie" ? "; " : ", ")
  }

  /// The elements of a list such as `Sec-WebSocket-Protocol`, without spaces around them and without empty ones.
  package func list(_ name: String) -> [String] {
    all(name).flatMap { $0.split(separator: ",") }.map { $0.trimmed }.filter { !$0.isEmpty }
  }
}

extension Substring {
  /// Without the spaces and tabs around it.
  var trimmed: String {
    var rest = self
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return String(rest)
  }
}
