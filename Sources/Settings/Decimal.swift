/// A number as people write it in a file, `2` or `1.5`: exact, no sign, no exponent.
struct Decimal {
  private let whole: Int64
  private let fraction: Int64
  private let scale: Int64

  init?(_ text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2, let whole = Self.digits(parts[0], limit: 18) else { return nil }
    self.whole = whole
    guard parts.count == 2 else {
      fraction = 0
      scale = 1
      return
    }
    guard let fraction = Self.digits(parts[1], limit: 6) else { return nil }
    self.fraction = fraction
    scale = (0..<parts[1].utf8.count).reduce(1) { scale, _ in scale * 10 }
  }

  var isWhole: Bool { fraction == 0 }

  /// Nil beyond 63 bits; a rest is cut off.
  func times(_ factor: Int64) -> Int64? {
    let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
    let (part, partOverflow) = fraction.multipliedReportingOverflow(by: factor)
    let (sum, sumOverflow) = product.addingReportingOverflow(part / scale)
    return overflow || partOverflow || sumOverflow ? nil : sum
  }

  private static func digits(_ text: Substring, limit: Int) -> Int64? {
    guard !text.isEmpty, text.utf8.count <= limit, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }
}
