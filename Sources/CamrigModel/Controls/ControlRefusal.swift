/// Why a control is not set. The text is what the operator reads.
package enum ControlRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  case unknown(String, nearest: String?)
  case readOnly(String)
  case disabled(String)
  case unsupported(String)
  case notBoolean(String)
  case notNumber(String)
  case noSuchItem(String, String, items: [String])
  case unknownBits(String, known: Int64)
  case badLength(String, least: Int64, most: Int64, step: Int64)
  /// It has no effect as things are; nil: the driver says so, and no automatic that is known works it.
  case inactive(String, by: Automatic?)
  /// Not while the camera streams.
  case grabbed(String)
  case hasNoDefault(String)
  /// The camera has not answered yet; the value is set as soon as it does.
  case late(String)
  /// The driver said no: in words, and as its name in errno.h.
  case device(String, String, errno: String?)
  /// The camera went away before it was set.
  case unplugged(String)

  /// What works a control by itself.
  package struct Automatic: Hashable, Sendable {
    package let key: String
    /// What it is set to, in words; nil: it cannot be switched off.
    package let value: String?

    package init(key: String, value: String?) {
      self.key = key
      self.value = value
    }
  }

  package var description: String {
    switch self {
    case .unknown(let key, let nearest):
      "This camera has no control \(key)."
        + (nearest.map { " Is \($0) meant?" } ?? " What it has shows: camrigctl controls CAMERA")
    case .readOnly(let key): "\(key) can only be read."
    case .disabled(let key): "\(key) is disabled by the driver."
    case .unsupported(let key): "\(key) is of a kind that camrig can only list."
    case .notBoolean(let key): "\(key) is on or off."
    case .notNumber(let key): "\(key) takes a whole number."
    case .noSuchItem(let key, let asked, let items):
      "\(key) has no item \(asked). It has \(items.joined(separator: ", "))."
    case .unknownBits(let key, let known): "\(key) has only the bits of 0x\(String(known, radix: 16))."
    case .badLength(let key, let least, let most, let step):
      "\(key) takes a text of \(least) to \(most) bytes" + (step > 1 ? " in steps of \(step)" : "") + ", without zeros."
    case .inactive(let key, let by):
      "\(key) has no effect just now"
        + (by.map { ", since \($0.key) \($0.value.map { "is \($0)" } ?? "cannot be switched off")" } ?? "") + "."
    case .grabbed(let key): "\(key) cannot be changed while the camera streams."
    case .hasNoDefault(let key): "\(key) has no default to go back to."
    case .late(let key):
      "The camera has not answered within 2 s. \(key) is set as soon as it does, unless another value comes first."
    case .device(let key, let reason, _): "\(key) was refused: \(reason)."
    case .unplugged(let key): "The camera was unplugged before \(key) was set."
    }
  }
}
