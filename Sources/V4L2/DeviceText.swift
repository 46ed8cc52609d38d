/// A name out of a driver's fixed array: up to its first zero byte, as valid text without control characters.
/// Cheap cameras put anything there.
package func deviceText(_ bytes: UnsafeRawBufferPointer) -> String {
  let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    default: scalar
    }
  }
  var view = String.UnicodeScalarView(scalars)
  while view.last == " " { view.removeLast() }
  while view.first == " " { view.removeFirst() }
  return String(view)
}

func deviceText<T>(of array: T) -> String { withUnsafeBytes(of: array) { deviceText($0) } }
