/// What the listeners of a microphone have had.
package struct SoundStatus: Hashable, Sendable {
  package let listenerCount: Int
  /// Messages given to listeners since the start, and those that they did not get because they were slower.
  package let sentCount: Int
  package let skippedCount: Int

  package init(listenerCount: Int, sentCount: Int = 0, skippedCount: Int = 0) {
    self.listenerCount = listenerCount
    self.sentCount = sentCount
    self.skippedCount = skippedCount
  }
}
