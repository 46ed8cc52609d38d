/// Something of the rig as a whole that a person should look at.
package struct RigProblem: Hashable, Codable, Sendable {
  /// A `RigProblemCode`; of a newer rig perhaps another.
  package var code: String
  /// The take or the directory that it is about.
  package var about: String?
  /// For people, with the cure.
  package var text: String

  package init(_ code: RigProblemCode, about: String? = nil, _ text: String) {
    self.code = code.rawValue
    self.about = about
    self.text = text
  }
}

/// What it is about, for programs. Once released it keeps its meaning.
package enum RigProblemCode: String, Codable, CaseIterable, Sendable {
  case takeListRemade = "take-list.remade"
  case takeListNotSaved = "take-list.not-saved"
  case takeEnded = "take.ended"
  case takeElsewhere = "take.elsewhere"
  case diskFailed = "disk.failed"
  case tallyFailed = "tally.failed"
  case settingsNotSaved = "settings.not-saved"
  case notListening = "network.not-listening"
  case certificateUnusable = "network.certificate"
}

extension RigProblem {
  /// Keys that stay while others come and go: a problem's code, with what it is about. Of two that are alike the second
  /// has a number behind.
  package static func keyed(_ problems: [RigProblem]) -> [(key: String, problem: RigProblem)] {
    var seen: [String: Int] = [:]
    return problems.map { problem in
      let name = problem.code + (problem.about.map { ":\($0)" } ?? "")
      let number = (seen[name] ?? 0) + 1
      seen[name] = number
      return (number == 1 ? name : "\(name)#\(number)", problem)
    }
  }
}
