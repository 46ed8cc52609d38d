/// How a timelapse's pictures are called: `STEM-000001.jpg`, by the number of their moment.
package enum TimelapsePicture {
  package static func name(_ stem: String, _ number: Int) -> String {
    let digits = String(number)
    return "\(stem)-\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits).jpg"
  }

  /// Nil: it is no picture of that stem.
  package static func number(_ name: String, of stem: String) -> Int? {
    guard name.hasPrefix(stem + "-"), name.hasSuffix(".jpg") else { return nil }
    let digits = name.dropFirst(stem.count + 1).dropLast(4)
    return digits.utf8.count == 6 && digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
  }
}
