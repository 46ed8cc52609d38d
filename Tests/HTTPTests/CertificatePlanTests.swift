import CamrigModel
import HTTP
import Testing

@Suite("When a certificate is made anew")
struct CertificatePlanTests {
  private let begin = WallTime(rfc3339: "2027-03-01T00:00:00Z")!

  private func judge(
    _ days: Int64, present: [String]? = ["rig.local", "192.0.2.7"], wanted: [String] = ["192.0.2.7", "rig.local"]
  ) -> CertificatePlan.Verdict {
    let clock = WallTime(nanoseconds: begin.nanoseconds + days * 86_400_000_000_000)
    return CertificatePlan.judge(
      names: present, validity: CertificatePlan.validity(at: begin), wanted: wanted, at: clock)
  }

  @Test("it is kept for two thirds of its time")
  func age() {
    #expect(judge(0) == .keep)
    #expect(judge(260) == .keep)
    #expect(judge(265) == .issue(.old))
    #expect(judge(500) == .issue(.old))
  }

  @Test("other names are another certificate; their order is none")
  func names() {
    #expect(judge(0, wanted: ["rig.local"]) == .issue(.names))
    #expect(judge(0, wanted: ["rig.local", "192.0.2.7", "192.0.2.8"]) == .issue(.names))
    #expect(judge(0, present: nil) == .issue(.none))
  }

  @Test("one that begins in the future was made with a wrong clock")
  func future() {
    #expect(judge(-1) == .keep)
    #expect(judge(-2) == .issue(.future))
  }

  @Test("it lasts what browsers accept, and begins a day early for their clocks")
  func length() {
    let validity = CertificatePlan.validity(at: begin)
    #expect(validity.lowerBound.rfc3339 == "2027-02-28T00:00:00.000000Z")
    #expect(validity.upperBound.rfc3339 == "2028-03-30T23:59:59.000000Z")
  }

  @Test("a clock that was never set makes a certificate for the time of this program, kept until the clock is set")
  func neverSet() {
    let never = WallTime(nanoseconds: 0)
    let validity = CertificatePlan.validity(at: never)
    #expect(validity.contains(CertificatePlan.earliest))
    #expect(CertificatePlan.judge(names: ["a"], validity: validity, wanted: ["a"], at: never) == .keep)
    #expect(CertificatePlan.judge(names: ["a"], validity: validity, wanted: ["a"], at: begin) == .keep)
    let late = WallTime(rfc3339: "2029-01-01T00:00:00Z")!
    #expect(CertificatePlan.judge(names: ["a"], validity: validity, wanted: ["a"], at: late) == .issue(.old))
  }

  @Test("a fingerprint is read as people write it")
  func fingerprint() throws {
    let hex = String(repeating: "0123456789abcdef", count: 4)
    let fingerprint = try #require(CertificateFingerprint("sha256:" + hex))
    #expect("\(fingerprint)" == "sha256:" + hex)
    #expect(fingerprint.grouped.hasPrefix("0123 4567 89ab cdef 0123"))
    #expect(CertificateFingerprint(fingerprint.grouped) == fingerprint)
    #expect(CertificateFingerprint(hex.uppercased()) == fingerprint)
    #expect(CertificateFingerprint("SHA256:" + hex) == fingerprint)
    #expect(CertificateFingerprint(String(hex.dropLast())) == nil)
    #expect(CertificateFingerprint("g" + hex.dropFirst()) == nil)
    #expect(CertificateFingerprint("") == nil)
  }
}
