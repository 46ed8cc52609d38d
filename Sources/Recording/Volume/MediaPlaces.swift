/// Where takes and shots are: the directory that they go to, and another one for the time when its volume fails.
package struct MediaPlaces: Hashable, Sendable {
  package let first: MediaDirectory
  package let second: MediaDirectory?

  package init(_ first: MediaDirectory, second: MediaDirectory? = nil) {
    self.first = first
    self.second = second
  }

  package var all: [MediaDirectory] { second.map { [first, $0] } ?? [first] }
}
