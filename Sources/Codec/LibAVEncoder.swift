import CamrigModel
import Frames

/// H.264 through libavcodec: by hardware if there is any that works, else by libx264.
package final class LibAVEncoder: VideoEncoder {
  package private(set) var parameterSets = H264ParameterSets()
  private let format: VideoFormat
  private let settings: EncoderSettings
  private let pool: FramePool
  private var candidates: [EncoderCandidate]
  private var session: LibAVSession
  private var isHardware: Bool
  private var finished = false

  /// Sources of the pictures inside the encoder, by the time it was given.
  private var inside: [Int64: Source] = [:]
  /// The encoder's time 0.
  private var origin: MediaTime?
  private var lastTime: Int64?
  private var lastKeyframe: Int64?
  private var keyframeWanted = false

  private struct Source {
    let presentationTime: MediaTime
    let run: Int
    let sequence: UInt64
  }

  /// - Parameters:
  ///   - format: raw, as the camera delivers it.
  ///   - candidates: nil for what this machine has.
  package init(
    format: VideoFormat, settings: EncoderSettings = EncoderSettings(), pool: FramePool = FramePool(),
    candidates: [EncoderCandidate]? = nil
  ) throws(CodecError) {
    guard !format.pixelFormat.isCompressed else { throw .notRaw(format.pixelFormat) }
    let size = format.size
    // 16384 is the most that H.264's levels allow for.
    guard size.width.isMultiple(of: 2), size.height.isMultiple(of: 2), (16...16384).contains(size.width),
      (16...16384).contains(size.height)
    else { throw .encoderSize(size) }
    self.format = format
    self.settings = settings
    self.pool = pool
    self.candidates = candidates ?? EncoderCandidate.candidates(settings.choice)
    (session, isHardware) = try Self.open(&self.candidates, format, settings)
    takeHeader()
  }

  package var encoderName: String { session.name }

  package func requestKeyframe() { keyframeWanted = true }

  package func encode(_ frame: Frame) throws(CodecError) -> [EncodedPicture] {
    guard !finished else { throw .encoding(encoder: session.name, reason: "it is finished") }
    guard frame.format == format.pixelFormat, frame.size == format.size else {
      throw .otherFormat(
        found: "\(frame.format.rawValue) \(frame.size)", expected: "\(format.pixelFormat.rawValue) \(format.size)")
    }
    let origin = origin ?? frame.presentationTime
    let time = (frame.presentationTime - origin).inNanoseconds / 1000
    guard time > lastTime ?? -1 else { throw .timeRunsBackwards }
    self.origin = origin

    let keyframe = keyframeWanted || keyframeIsDue(at: time)
    let isFirst = lastTime == nil
    do throws(CodecError) {
      return try push(frame, time: time, keyframe: keyframe)
    } catch {
      // Hardware that opens may still refuse its first picture.
      guard isHardware, isFirst, error.isOfEncoder else { throw error }
      (session, isHardware) = try Self.open(&candidates, format, settings)
      inside = [:]
      takeHeader()
      return try push(frame, time: time, keyframe: keyframe)
    }
  }

  private func push(_ frame: Frame, time: Int64, keyframe: Bool) throws(CodecError) -> [EncodedPicture] {
    try session.send(frame, time: time, keyframe: keyframe)
    inside[time] = Source(presentationTime: frame.presentationTime, run: frame.run, sequence: frame.sequence)
    lastTime = time
    if keyframe {
      lastKeyframe = time
      keyframeWanted = false
    }
    return try receive()
  }

  package func finish() throws(CodecError) -> [EncodedPicture] {
    guard !finished else { return [] }
    finished = true
    // Some encoders do not like to be ended before they began.
    guard lastTime != nil else { return [] }
    try session.sendEnd()
    return try receive()
  }

  /// Keyframes come on the first picture of each interval. Half a frame time early counts, else a jitter of
  /// microseconds would put every other one a whole frame late.
  private func keyframeIsDue(at time: Int64) -> Bool {
    guard let lastKeyframe else { return true }
    let slack = (format.rate?.frameTime ?? .zero) / 2
    return time - lastKeyframe >= (settings.keyframeInterval - slack).inNanoseconds / 1000
  }

  private func receive() throws(CodecError) -> [EncodedPicture] {
    var pictures: [EncodedPicture] = []
    try session.receive { (bytes, time) throws(CodecError) in
      let unit: H264AccessUnit
      do throws(H264Fault) {
        unit = try H264AccessUnit(bytes)
      } catch {
        throw .encoding(encoder: session.name, reason: "\(error)")
      }
      _ = parameterSets.take(unit, from: bytes)
      guard unit.hasPicture else { return }
      guard let source = inside.removeValue(forKey: time)
      else { throw .encoding(encoder: session.name, reason: "it gave a picture with a time that it was never given") }
      // There is no reordering, so earlier ones that hardware swallowed will not come any more.
      inside = inside.filter { $0.key > time }
      let buffer = pool.buffer(count: unit.sampleByteCount) { unit.copySample(of: bytes, into: $0) }
      pictures.append(
        EncodedPicture(
          sample: Frame(
            buffer, format: .h264, size: format.size, presentationTime: source.presentationTime, run: source.run,
            sequence: source.sequence, isKeyframe: unit.isKeyframe)))
    }
    return pictures
  }

  private func takeHeader() {
    parameterSets = H264ParameterSets()
    let header = session.header
    // Encoders without a header send the sets with their keyframes.
    guard let unit = try? H264AccessUnit(header) else { return }
    _ = parameterSets.take(unit, from: header)
  }

  /// The first of `candidates` that opens; it and those before it are taken off the list.
  private static func open(
    _ candidates: inout [EncoderCandidate], _ format: VideoFormat, _ settings: EncoderSettings
  ) throws(CodecError) -> (LibAVSession, isHardware: Bool) {
    var said: [String] = []
    while !candidates.isEmpty {
      let candidate = candidates.removeFirst()
      do throws(CodecError) {
        return (try LibAVSession(candidate, format: format, settings: settings), candidate.isHardware)
      } catch {
        said.append("\(error)")
      }
    }
    throw .noEncoder(said.isEmpty ? "there is none" : said.joined(separator: " "))
  }
}

extension CodecError {
  /// As against a picture that no encoder would take.
  package var isOfEncoder: Bool {
    switch self {
    case .encoding: true
    case .testPatternSize, .testPatternFormat, .notRaw, .encoderSize, .noEncoder, .otherFormat, .shortPicture,
      .timeRunsBackwards, .decoding, .jpeg, .soundFormat, .outOfMemory:
      false
    }
  }
}
