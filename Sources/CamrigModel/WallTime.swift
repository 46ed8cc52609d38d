/// A moment in the time of day, in nanoseconds since 1970-01-01T00:00:00Z (`CLOCK_REALTIME`).
/// It can step; only an anchor beside `MediaTime`, never a PTS. In JSON an RFC 3339 text in UTC with microseconds.
package struct WallTime: Hashable, Comparable, Sendable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func < (a: WallTime, b: WallTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// `2026-11-30T09:05:07.123456Z`
  package var rfc3339: String {
    let (date, time) = civil
    return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))T"
      + "\(pad(time.hour, 2)):\(pad(time.minute, 2)):\(pad(time.second, 2)).\(pad(time.microsecond, 6))Z"
  }

  /// `20261130T090507Z`: ISO 8601's basic form, safe in file names and sorted by time.
  package var compact: String {
    let (date, time) = civil
    return "\(pad(date.year, 4))\(pad(date.month, 2))\(pad(date.day, 2))T"
      + "\(pad(time.hour, 2))\(pad(time.minute, 2))\(pad(time.second, 2))Z"
  }

  /// `20261130T090507.123Z`: the same with milliseconds, cut off.
  package var compactMilliseconds: String {
    "\(compact.dropLast()).\(pad(civil.time.microsecond / 1000, 3))Z"
  }

  /// The time of day at an offset from UTC, as EXIF writes it: `2026:11:30 10:05:07`.
  package func exif(offsetSeconds: Int) -> String {
    let (date, time) = WallTime(nanoseconds: nanoseconds &+ Int64(offsetSeconds) &* 1_000_000_000).civil
    return "\(pad(date.year, 4)):\(pad(date.month, 2)):\(pad(date.day, 2)) "
      + "\(pad(time.hour, 2)):\(pad(time.minute, 2)):\(pad(time.second, 2))"
  }

  /// Microseconds within the second, six digits.
  package var secondFraction: String { pad(civil.time.microsecond, 6) }

  /// Nil unless `text` is RFC 3339 in UTC (`Z`), with or without a fraction, of a day that exists between 1678 and 2261
  /// (what nanoseconds in an `Int64` reach).
  package init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte >= 48, byte <= 57 else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      return value
    }
    guard bytes[4] == 45, bytes[7] == 45, bytes[10] == 84, bytes[13] == 58, bytes[16] == 58,
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1678...2261).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      let digits = bytes.count - 21
      guard bytes[19] == 46, (1...9).contains(digits), let value = number(20..<(20 + digits)) else { return nil }
      fraction = Int64(value)
      for _ in digits..<9 { fraction *= 10 }
    }
    let days = Self.days(year: year, month: month, day: day)
    guard Self.date(days: days) == (year, month, day) else { return nil }
    nanoseconds = (Int64(days) * 86400 + Int64(hour * 3600 + minute * 60 + second)) * 1_000_000_000 + fraction
  }

  private var civil:
    (date: (year: Int, month: Int, day: Int), time: (hour: Int, minute: Int, second: Int, microsecond: Int))
  {
    var seconds = nanoseconds / 1_000_000_000
    var rest = nanoseconds % 1_000_000_000
    if rest < 0 {
      rest += 1_000_000_000
      seconds -= 1
    }
    var days = Int(seconds / 86400)
    var second = Int(seconds % 86400)
    if second < 0 {
      second += 86400
      days -= 1
    }
    return (
      Self.date(days: days), (second / 3600, second / 60 % 60, second % 60, Int(rest / 1000))
    )
  }

  // Days since 1970-01-01 in the proleptic Gregorian calendar; a year counts from March, so that
  // the leap day is its last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146097 + dayOfEra - 719468
  }

  private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719468
    let era = (shifted >= 0 ? shifted : shifted - 146096) / 146097
    let dayOfEra = shifted - era * 146097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

private func pad(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension WallTime: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = WallTime(rfc3339: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no RFC 3339 time in UTC")
    }
    self = time
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rfc3339)
  }
}
