import CamrigModel
import Codec
import Dispatch
import Movie
import Settings

extension ClipRecorder {
  /// So long the end of a clip waits for sound that is on its way.
  static let soundLimit: Duration = .milliseconds(150)
  /// A microphone that has not come by then is told of.
  private static let absenceLimit: Duration = .seconds(2)

  /// Before the thread begins.
  func makeLines(_ microphones: [TakeMicrophone], from time: MediaTime) {
    guard context.options.sound != .none else { return }
    for microphone in microphones where !lines.contains(where: { $0.microphone.id == microphone.id }) {
      let line = MicrophoneLine(microphone, grid: grid, patience: soundLength)
      line.listen(from: time)
      lines.append(line)
    }
  }

  /// So much sound may have to wait: as much as pictures.
  private var soundLength: Duration { context.options.queueLength + preroll }

  /// Keeps the lines up with their queues.
  func takeSound() {
    let joining = shared.withLock { shared in
      defer { shared.joining = [] }
      return shared.joining
    }
    makeLines(joining, from: context.clock.now)
    for line in lines {
      line.take()
      if clip?.track(of: line) == nil { line.trim(before: grid.index(context.clock.now - soundLength - .seconds(2))) }
      tellSilence(of: line)
      tellRate(of: line)
    }
    // Once it is there: what it has is known then, and nothing of it is lost but by the distance of keyframes.
    if let clip, lines.contains(where: { clip.track(of: $0)?.isTooNarrow ?? $0.hasCome }), plan.cutForSound() {
      maker?.requestKeyframe()
    }
  }

  private func tellSilence(of line: MicrophoneLine) {
    let name = line.microphone.name
    let trouble: String?
    if let problem = line.problem {
      trouble = "\(name) cannot be recorded: \(problem)"
    } else if let end = line.ended {
      trouble =
        "\(name) gives no sound any more (\(end.reason.rawValue)); \(camera.name) is recorded on with silence."
        + (end.message.isEmpty ? "" : " \(end.message)")
    } else if !line.hasCome, context.clock.now - max(context.start.media, line.since) > Self.absenceLimit {
      trouble = "\(name) gives no sound yet; \(camera.name) is recorded with silence until it does."
    } else if line.isFullOfHoles(at: context.clock.now) {
      trouble =
        "\(name)'s sound has a hole again and again (\(HoleAlarm.most) within a minute): its driver loses sound, this "
        + "machine is too slow to fetch it, or its clock is unsteady. The holes are silence of their length. Try another "
        + "USB socket, microphone or sound card."
    } else {
      trouble = nil
    }
    guard soundTroubles[line.microphone.id] != trouble else { return }
    soundTroubles[line.microphone.id] = trouble
    if let trouble { self.trouble(.sound, trouble) }
  }

  private func tellRate(of line: MicrophoneLine) {
    let given = line.hasCome ? line.wrongRate?.given : nil
    guard toldRates[line.microphone.id] != given else { return }
    toldRates[line.microphone.id] = given
    guard given != nil, let rate = line.wrongRate else { return }
    trouble(
      .sound,
      "\(line.microphone.name)'s driver says \(rate.stated) Hz, and \(rate.given) Hz come. Its sound is converted from "
        + "what comes; where sound matters, use another microphone or sound card.")
  }

  /// The tracks for a clip that opens with the picture of this time.
  func soundTracks(at time: MediaTime, _ container: MovieContainer) -> [SoundTrack] {
    let first = grid.index(time)
    return lines.enumerated().map { place, line in
      let offset = line.microphone.offset
      let encoder = encoder(for: line, container)
      let record = ClipMicrophone(
        id: line.microphone.id, name: line.microphone.name, track: place + 1, codec: encoder == nil ? .pcm : .aac,
        rate: SoundGrid.rate, channels: line.channels,
        offsetSeconds: offset == .zero ? nil : offset.inSeconds)
      return SoundTrack(line, record: record, encoder: encoder, container: container, first: first)
    }
  }

  /// Nil: PCM.
  private func encoder(for line: MicrophoneLine, _ container: MovieContainer) -> AACEncoder? {
    switch context.options.sound {
    case .pcm, .none: return nil
    case .auto where container == .quickTime: return nil
    case .auto, .aac: break
    }
    do throws(CodecError) {
      return try AACEncoder(rate: SoundGrid.rate, channels: line.channels)
    } catch {
      // Larger files are better than none.
      trouble(.sound, "\(line.microphone.name)'s sound is recorded as PCM: \(error)")
      return nil
    }
  }

  /// What goes with pictures that end at `endTick` of the clip.
  ///
  /// - Parameter closing: nothing follows in this clip.
  func gatherSound(_ clip: OpenClip, endTick: Int64, closing: Bool) -> [GatheredSound] {
    guard !clip.sounds.isEmpty else { return [] }
    let end = grid.index(clip.record.firstTime + .microseconds(endTick))
    let begin = DispatchTime.now()
    let now = context.clock.now
    return clip.sounds.compactMap { sound in
      sound.line.take()
      // Sound that is to be earlier than it came is waited for longer.
      let patience = Self.soundLimit + max(.zero, .zero - sound.line.microphone.offset)
      if closing { sound.line.wait(upTo: end, until: begin + .nanoseconds(Int(patience.inNanoseconds))) }
      sound.line.fill(upTo: end, now: closing ? nil : now)
      do throws(CodecError) {
        return try sound.gather(upTo: end, closing: closing)
      } catch {
        soundFailed(sound, error)
        return nil
      }
    }
  }

  /// An encoder that ran has no reason to fail; if it does, the track ends here and the pictures go on.
  private func soundFailed(_ sound: SoundTrack, _ error: CodecError) {
    trouble(.sound, "\(sound.record.name)'s sound cannot be encoded and ends in this clip: \(error)")
  }
}
