import CamrigModel
import Testing

@Suite("The time of day")
struct WallTimeTests {
  // Checked with `date -u -d … +%s`.
  private static let known: [(String, Int64)] = [
    ("1970-01-01T00:00:00.000000Z", 0),
    ("2000-02-29T12:00:00.000000Z", 951_825_600),
    ("1900-03-01T00:00:00.000000Z", -2_203_891_200),
    ("2024-12-31T23:59:59.000000Z", 1_735_689_599),
    ("2026-11-30T09:05:07.000000Z", 1_796_029_507),
    ("1969-12-31T23:59:59.000000Z", -1),
    ("2100-02-28T23:59:59.000000Z", 4_107_542_399),
    ("2100-03-01T00:00:00.000000Z", 4_107_542_400),
  ]

  @Test("is written and read as RFC 3339, leap years and times before 1970 included", arguments: known)
  func rfc3339(_ text: String, _ seconds: Int64) {
    let time = WallTime(nanoseconds: seconds * 1_000_000_000)
    #expect(time.rfc3339 == text)
    #expect(WallTime(rfc3339: text) == time)
  }

  @Test("counts the fraction of a moment before 1970 upwards too")
  func negativeFraction() {
    #expect(WallTime(nanoseconds: -1_000).rfc3339 == "1969-12-31T23:59:59.999999Z")
    #expect(WallTime(rfc3339: "1969-12-31T23:59:59.999999Z")?.nanoseconds == -1_000)
  }

  @Test("every day of four hundred years comes back as itself")
  func everyDay() {
    for day in stride(from: Int64(-60_000), to: 86_097, by: 1) {
      let time = WallTime(nanoseconds: day * 86_400 * 1_000_000_000)
      #expect(WallTime(rfc3339: time.rfc3339) == time)
    }
  }

  @Test("fractions of one to nine digits are read")
  func fractions() {
    #expect(WallTime(rfc3339: "1970-01-01T00:00:00.5Z")?.nanoseconds == 500_000_000)
    #expect(WallTime(rfc3339: "1970-01-01T00:00:00.123456789Z")?.nanoseconds == 123_456_789)
    #expect(WallTime(rfc3339: "1970-01-01T00:00:00Z")?.nanoseconds == 0)
  }

  @Test(
    "what is no time in UTC is refused",
    arguments: [
      "", "2026-11-30", "2026-11-30T09:05:07", "2026-11-30T09:05:07+01:00", "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
      "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01 00:00:00Z", "x026-01-01T00:00:00Z",
      "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "9999-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
    ])
  func refused(_ text: String) {
    #expect(WallTime(rfc3339: text) == nil)
  }

  @Test("the ends of its range are written, and read where the year is whole")
  func ends() {
    #expect(WallTime(nanoseconds: .max).rfc3339 == "2262-04-11T23:47:16.854775Z")
    #expect(WallTime(nanoseconds: .min).rfc3339 == "1677-09-21T00:12:43.145224Z")
    #expect(WallTime(rfc3339: "2261-12-31T23:59:60.999999999Z") != nil)
  }

  @Test("in names of folders it is short, and sorts by time")
  func compact() {
    #expect(WallTime(rfc3339: "2026-11-30T09:05:07.9Z")?.compact == "20261130T090507Z")
    #expect(WallTime(rfc3339: "1678-01-02T03:04:05Z")?.compact == "16780102T030405Z")
  }

  @Test("in JSON it is the RFC 3339 text")
  func json() throws {
    let time = try #require(WallTime(rfc3339: "2026-11-30T09:05:07.25Z"))
    #expect(try JSONValue(encoding: [time]).text == #"["2026-11-30T09:05:07.250000Z"]"#)
    #expect(try JSONValue(json: #"["2026-11-30T09:05:07.25Z"]"#).decode([WallTime].self) == [time])
    #expect(throws: DecodingError.self) { try JSONValue(json: #"["yesterday"]"#).decode([WallTime].self) }
  }
}
