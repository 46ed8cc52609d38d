import CamrigModel

/// How raw pictures become H.264.
package struct EncoderSettings: Hashable, Sendable {
  package enum Choice: String, Codable, CaseIterable, Sendable {
    /// Hardware if there is any that works, else libx264.
    case automatic
    /// libx264, for cameras whose hardware encoder is not to be trusted.
    case software
    /// The codec of a system on chip, else libx264.
    case v4l2
    /// A graphics card, else libx264.
    case vaapi
    /// None: each picture becomes a JPEG.
    case jpeg
  }

  package let choice: Choice
  /// x264's constant rate factor, 0...51; less is better and larger. 21 cannot be told from the camera's picture at
  /// a normal distance.
  package let rateFactor: Int
  /// Between two keyframes, by the pictures' time: a new clip or viewer waits at most so long.
  package let keyframeInterval: Duration

  package init(choice: Choice = .automatic, rateFactor: Int = 21, keyframeInterval: Duration = .seconds(1)) {
    self.choice = choice
    self.rateFactor = min(max(rateFactor, 0), 51)
    self.keyframeInterval = keyframeInterval
  }
}
