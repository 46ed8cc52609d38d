import CamrigModel

/// Time spans as systemd writes them: `500ms`, `2s`, `1h`, `1min 30s`; a bare number is seconds.
package enum TimeSpan {
  private static let units: [(names: [String], nanoseconds: Int64)] = [
    (["d", "day", "days"], 86_400_000_000_000),
    (["h", "hr", "hour", "hours"], 3_600_000_000_000),
    (["min", "m", "minute", "minutes"], 60_000_000_000),
    (["s", "", "sec", "second", "seconds"], 1_000_000_000),
    (["ms", "msec"], 1_000_000),
    (["us", "usec"], 1000),
  ]

  /// Nil where `text` is no time span.
  package static func parse(_ text: String) -> Duration? {
    var rest = text[...]
    var total: Int64 = 0
    var parts = 0
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      if rest.isEmpty { break }
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[number.endIndex...].drop { $0 == " " }
      let name = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest[name.endIndex...]
      guard let amount = Decimal(number), let unit = units.first(where: { $0.names.contains(String(name)) }),
        let nanoseconds = amount.times(unit.nanoseconds)
      else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(nanoseconds)
      guard !overflow else { return nil }
      total = sum
      parts += 1
    }
    return parts > 0 ? .nanoseconds(total) : nil
  }

  /// With the largest unit that leaves no rest.
  package static func text(_ span: Duration) -> String {
    let nanoseconds = span.inNanoseconds
    guard nanoseconds != 0 else { return "0" }
    for unit in units where nanoseconds % unit.nanoseconds == 0 {
      return "\(nanoseconds / unit.nanoseconds)\(unit.names[0])"
    }
    return "\(nanoseconds)ns"
  }
}
