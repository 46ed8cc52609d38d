package struct RecordingStartRequest: Codable, Sendable {
  /// IDs or names; absent: every camera that is online and enabled.
  package var cameras: [String]?
  /// For people; becomes a part of the folder's name.
  package var name: String?
  package init(cameras: [String]? = nil, name: String? = nil) {
    self.cameras = cameras
    self.name = name
  }
}

package struct RecordingStopRequest: Codable, Sendable {
  /// An ID: only this one is ended, and not a take that has begun since; absent: whichever runs.
  package var take: String?
  package init(take: String? = nil) { self.take = take }
}

package struct RecordingArmRequest: Codable, Sendable {
  /// True: the cameras stay open, so that pre-roll is there when Record is pressed.
  package var armed: Bool
  package init(armed: Bool) { self.armed = armed }
}

package struct TakeListRequest: Codable, Sendable {
  /// The newest so many; absent: 1000.
  package var limit: Int?
  package init(limit: Int? = nil) { self.limit = limit }
}

/// Which take: its ID, or `last`.
package struct TakeReference: Codable, Sendable {
  package var take: String
  package init(take: String) { self.take = take }
}
