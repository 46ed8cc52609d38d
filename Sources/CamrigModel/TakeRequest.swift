/// A wish to record.
package struct TakeRequest: Hashable, Codable, Sendable {
  /// For people; becomes part of the folder's name as far as a file name allows.
  package var name: String?
  /// How far before Record the take begins, where a camera's ring reaches that far.
  package var prerollSeconds: Double

  package init(name: String? = nil, prerollSeconds: Double = 0) {
    self.name = name
    self.prerollSeconds = prerollSeconds
  }

  package var preroll: Duration { .milliseconds(Int64(min(max(prerollSeconds, 0), 3600) * 1000)) }
}
