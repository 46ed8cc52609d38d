import CamrigModel
import Glibc
import Movie

extension ClipRecorder {
  /// Writes the pictures that wait as one fragment.
  ///
  /// - Parameters:
  ///   - end: when its last picture stops being shown; nil: that is not known, so as long as the one before.
  ///   - keepingLast: the last picture stays, and opens the next fragment.
  ///   - closing: it is the clip's last one.
  func writeFragment(end: MediaTime?, keepingLast: Bool = false, closing: Bool = false) {
    guard let clip, pendingPictures > 0 else { return }
    let kept = keepingLast ? keepLast() : []
    do throws(MovieError) {
      try append(end, to: clip, closing: closing)
    } catch {
      if case .fileTooLarge = error { retryInNewClip(end, closing: closing) } else { fail(error) }
    }
    if hasFailed {
      for case .picture(let picture) in kept { lose(picture, .disk) }
    } else {
      pending += kept
      pendingPictures += kept.contains { !$0.isLoss } ? 1 : 0
    }
  }

  private func keepLast() -> [Entry] {
    guard let index = pending.lastIndex(where: { !$0.isLoss }) else { return [] }
    let kept = Array(pending[index...])
    pending.removeSubrange(index...)
    pendingPictures -= 1
    return kept
  }

  private func append(_ end: MediaTime?, to clip: OpenClip, closing: Bool) throws(MovieError) {
    var pictures: [Picture] = []
    pictures.reserveCapacity(pendingPictures)
    var note = FragmentNote()
    // What one note has no room for stands in the next one.
    var rest: [Entry] = []
    for entry in pending {
      switch entry {
      case .picture(let picture):
        pictures.append(picture)
        note.wrote(run: picture.run, sequence: picture.sequence)
      case .lost(let loss) where note.lost.count < FragmentNote.mostLosses: note.lost(loss)
      case .lost: rest.append(entry)
      }
    }
    guard let first = pictures.first, let last = pictures.last else { return }

    // Strictly rising, whatever the camera's clock does.
    var ticks: [Int64] = []
    ticks.reserveCapacity(pictures.count + 1)
    ticks.append(clip.tick(first.time, earliest: clip.endTick))
    for picture in pictures.dropFirst() { ticks.append(clip.tick(picture.time, earliest: ticks[ticks.count - 1] + 1)) }
    ticks.append(clip.tick(end ?? last.time + spacing, earliest: ticks[ticks.count - 1] + 1))

    let lengths = UnitLengths(pictures)
    defer { lengths.free() }
    var samples: [FragmentSample] = []
    samples.reserveCapacity(pictures.count)
    for (index, picture) in pictures.enumerated() {
      samples.append(
        FragmentSample(
          duration: ticks[index + 1] - ticks[index], isKeyframe: picture.isKeyframe,
          pieces: lengths.pieces(of: picture)))
    }
    let sounds = gatherSound(clip, endTick: ticks[ticks.count - 1], closing: closing)
    for sound in sounds { note.wrote(sound.account) }
    // `pictures` and `sounds` hold the memory that the pieces point to.
    let result = Result { () throws(MovieError) in
      try clip.movie.append(
        [FragmentTrack(track: 0, firstTime: ticks[0], samples: samples)] + sounds.map(\.fragment), note: note.bytes)
    }
    withExtendedLifetime((pictures, sounds)) {}
    _ = try result.get()

    clip.wrote(note, sounds, last: last.time, endTick: ticks[ticks.count - 1])
    plan.wrote(soundBytes: sounds.reduce(0) { $0 + $1.pieces.byteCount })
    let packets = sounds.reduce(0) { $0 + $1.pieces.samples.count }
    shared.withLock { $0.soundPackets &+= UInt64(packets) }
    account(note, bytes: clip.record.bytes)
    pending.removeAll(keepingCapacity: true)
    pending += rest
    pendingPictures = 0
    clip.syncer.wrote(
      ClipSyncer.Point(run: last.run, sequence: last.sequence, time: last.time))
  }

  private func account(_ note: FragmentNote, bytes: UInt64) {
    note.enter(into: &ledger)
    shared.withLock {
      $0.written = ledger.written
      $0.openBytes = bytes
    }
  }

  /// The volume holds no larger file: the same pictures go into the next one.
  private func retryInNewClip(_ end: MediaTime?, closing: Bool) {
    guard let first = firstPending, let full = clip, full.record.frames > 0 else {
      return fail(.fileTooLarge(clip?.movie.path ?? context.folder))
    }
    handOver(full)
    openClip(at: first)
    guard let clip else { return }
    plan.restarted(at: first.time, bytes: 0)
    // The clip may open in the midst of a group of pictures; the sooner the next one begins the better.
    if !first.isKeyframe { maker?.requestKeyframe() }
    do throws(MovieError) {
      try append(end, to: clip, closing: closing)
    } catch {
      fail(error)
    }
  }

  /// The clip ends, nothing more can be written, and the take must stop.
  func fail(_ error: MovieError) {
    hasFailed = true
    var lost: [Loss] = []
    for entry in pending {
      switch entry {
      case .picture(let picture):
        let loss = Loss(
          cause: .disk, run: picture.run, firstSequence: picture.sequence, count: 1, time: picture.time)
        lostNotTold[.disk, default: 0] &+= 1
        shared.withLock { $0.lost &+= 1 }
        if losses.count < TakeCameraRecord.listedLossesLimit { losses.append(coalescing: loss) }
        lost.append(coalescing: loss)
      case .lost(let loss): lost.append(coalescing: loss)
      }
    }
    pending = lost.map(Entry.lost)
    pendingPictures = 0
    let stop = TakeStop(movieError: error, folder: context.folder)
    trouble(.diskFailed, stop.message)
    context.failed(stop)
    if let clip { handOver(clip) }
  }
}

extension TakeStop {
  /// Why a take ends when its volume does not take a fragment.
  init(movieError: MovieError, folder: String) {
    let media = Folder.parent(folder)
    switch movieError {
    case .diskFull: self.init(.diskFull, RecordingError.diskFull(media).description)
    case .readOnly: self.init(.diskReadOnly, RecordingError.of(EROFS, media).description)
    case .missing: self.init(.diskMissing, RecordingError.directoryMissing(media).description)
    case .failed(_, let path, let number): self.init(.diskFailed, RecordingError.of(number, path).description)
    case .exists, .fileTooLarge, .unsupported, .badFragment, .closed: self.init(.diskFailed, movieError.description)
    }
  }
}
