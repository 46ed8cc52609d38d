/// Live pictures of a camera, at most in this form; what is absent is the camera's own.
package struct PreviewStartRequest: Codable, Sendable {
  /// A number of the monitor's own for this stream of its connection.
  package var stream: UInt32
  package var camera: String
  package var longEdge: Int?
  package var rate: FrameRate?
  package var quality: Int?
  /// Pictures on their way at most.
  package var credit: Int?

  package init(
    stream: UInt32, camera: String, longEdge: Int? = nil, rate: FrameRate? = nil, quality: Int? = nil,
    credit: Int? = nil
  ) {
    self.stream = stream
    self.camera = camera
    self.longEdge = longEdge
    self.rate = rate
    self.quality = quality
    self.credit = credit
  }
}

package struct PreviewStarted: Codable, Sendable {
  package var stream: UInt32
  package var camera: CameraID

  package init(stream: UInt32, camera: CameraID) {
    self.stream = stream
    self.camera = camera
  }
}

package struct SoundStartRequest: Codable, Sendable {
  package var stream: UInt32
  /// ID or name.
  package var microphone: String
  /// Messages on their way at most.
  package var credit: Int?

  package init(stream: UInt32, microphone: String, credit: Int? = nil) {
    self.stream = stream
    self.microphone = microphone
    self.credit = credit
  }
}

package struct SoundStarted: Codable, Sendable {
  package var stream: UInt32
  package var microphone: MicrophoneID
  /// Sample frames a second.
  package var rate: Int

  package init(stream: UInt32, microphone: MicrophoneID, rate: Int) {
    self.stream = stream
    self.microphone = microphone
    self.rate = rate
  }
}

/// A file by the path that it has over HTTP, or a part of it.
package struct FileStartRequest: Codable, Sendable {
  package var stream: UInt32
  /// `/takes/TAKE/FILE`, not percent-encoded.
  package var path: String
  package var offset: UInt64?
  /// Bytes; absent: to the end, wherever that is when it is reached.
  package var length: UInt64?
  /// Messages on their way at most.
  package var credit: Int?

  package init(
    stream: UInt32, path: String, offset: UInt64? = nil, length: UInt64? = nil, credit: Int? = nil
  ) {
    self.stream = stream
    self.path = path
    self.offset = offset
    self.length = length
    self.credit = credit
  }
}

package struct FileStarted: Codable, Sendable {
  package var stream: UInt32
  package var offset: UInt64
  /// The whole file's, just now.
  package var bytes: UInt64
  /// As over HTTP: another one is another content.
  package var entityTag: String

  package init(stream: UInt32, offset: UInt64, bytes: UInt64, entityTag: String) {
    self.stream = stream
    self.offset = offset
    self.bytes = bytes
    self.entityTag = entityTag
  }
}

/// All messages of the stream up to this one have arrived.
package struct MediaCredit: Codable, Sendable {
  package var stream: UInt32
  package var sequence: UInt64

  package init(stream: UInt32, sequence: UInt64) {
    self.stream = stream
    self.sequence = sequence
  }
}

package struct MediaStreamReference: Codable, Sendable {
  package var stream: UInt32
  package init(stream: UInt32) { self.stream = stream }
}

package struct MediaStreamEnded: Codable, Sendable {
  package var stream: UInt32
  /// For people.
  package var reason: String

  package init(stream: UInt32, reason: String) {
    self.stream = stream
    self.reason = reason
  }
}
