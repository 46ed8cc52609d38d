import CamrigModel
import Codec
import Frames
import Glibc
import Movie

extension ClipRecorder {
  func makePictureMaker(_ run: StreamRun) -> (any PictureMaker)? {
    switch run.format.pixelFormat {
    case .mjpeg: JPEGPassthrough(format: run.format)
    case .h264:
      H264Passthrough(
        format: run.format, known: camera.parameterSets() ?? H264ParameterSets(),
        askForKeyframe: camera.requestKeyframe)
    case .yuyv, .uyvy, .nv12, .yu12, .grey: makeEncoder(run.format)
    }
  }

  private func makeEncoder(_ format: VideoFormat) -> (any PictureMaker)? {
    let (encoders, settings) = (context.encoders, context.options.encoder)
    do throws(CodecError) {
      if settings.choice != .jpeg {
        do throws(CodecError) {
          return try EncodedPictures(format: format, settings: settings, make: encoders)
        } catch {
          // Larger files are better than none.
          let maker = try JPEGPictures(format: format, rateFactor: settings.rateFactor)
          trouble(.encoder, "\(camera.name)'s pictures are recorded as JPEGs: \(error)")
          return maker
        }
      }
      return try JPEGPictures(format: format, rateFactor: settings.rateFactor)
    } catch {
      problem(.encoder, "\(camera.name)'s pictures cannot be encoded: \(error)")
      return nil
    }
  }

  /// Opens the next clip; `hasFailed` if that cannot be.
  func openClip(at picture: Picture) {
    guard let maker, let media = maker.media else { return fail(.unsupported("\(camera.name)'s pictures")) }
    let anchor = context.clock.anchor
    while true {
      clipNumber += 1
      let file = TakeName.clip(stem: stem, number: clipNumber, fileExtension: maker.container.fileExtension)
      let record = ClipRecord(
        file: file, number: clipNumber, state: .recording, format: format(of: picture, maker),
        encoder: maker.encoderName, anchor: anchor, firstTime: picture.time, lastTime: picture.time)
      do throws(MovieError) {
        try open(record, maker.container, media)
        return
      } catch {
        // A name that is taken is somebody's file; the next number is free sooner or later.
        if case .exists = error, clipNumber < 1_000_000 { continue }
        return fail(error)
      }
    }
  }

  private func open(_ record: ClipRecord, _ container: MovieContainer, _ media: TrackMedia) throws(MovieError) {
    let path = context.folder + "/" + record.file
    let output: LateSyncOutput
    switch wait.during({ context.files.create(path) }) {
    case .success(let file): output = LateSyncOutput(file, wait)
    case .failure(let failure):
      switch failure.errno {
      case EEXIST: throw .exists(path)
      case ENOENT, ENOTDIR: throw .missing(path)
      case ENOSPC, EDQUOT: throw .diskFull(path)
      case EROFS: throw .readOnly(path)
      default: throw .failed(action: "created", path: path, errno: failure.errno)
      }
    }
    var record = record
    let sounds = soundTracks(at: record.firstTime, container)
    record.microphones = sounds.isEmpty ? nil : sounds.map(\.record)
    let note = ClipNote(
      take: context.id, takeName: context.name, takeStart: context.start, camera: camera.id, cameraName: camera.name,
      clip: record.number, format: record.format, encoder: record.encoder, anchor: record.anchor,
      firstTime: record.firstTime, microphones: record.microphones, version: context.options.version)
    let movie = try MovieWriter(
      path: path, output: output, container: container,
      tracks: [TrackDescription(media: media)] + sounds.map { TrackDescription(media: $0.media) },
      note: ManifestFile.json(note, pretty: false))
    output.begin()
    let number = record.number
    let syncer = ClipSyncer(movie: movie, folder: context.folder, clock: context.clock, wait: wait) {
      [self] report in
      heard(report, clip: number)
    }
    shared.withLock {
      $0.syncers.removeAll(where: \.isDone)
      $0.syncers.append(syncer)
    }
    clip = OpenClip(movie: movie, syncer: syncer, record: record, sounds: sounds)
    recordAccount()
    let opened = record
    context.book.update(camera.id) {
      $0.clips.append(opened)
      $0.format = opened.format
    }
    context.tell(.clipOpened(TakeClipEvent(take: context.id, camera: camera.id, clip: opened)))
    // Last: what it reports is answered and told by others, and nobody shall hear of that before the clip.
    syncer.start("sync-\(stem)")
  }

  private func format(of picture: Picture, _ maker: any PictureMaker) -> VideoFormat {
    let format = maker.format
    guard format.size != picture.form.size else { return format }
    return VideoFormat(format.pixelFormat, picture.form.size, rate: format.rate)
  }

  /// Writes what waits for it and lets its thread finish it, while the next one may begin.
  func closeClip(end: MediaTime?) {
    guard clip != nil else { return }
    writeFragment(end: end, closing: true)
    // Writing may have failed, or gone on in a new clip.
    if let clip { handOver(clip) }
  }

  func handOver(_ closing: OpenClip) {
    clip = nil
    let record = closing.record
    shared.withLock {
      $0.bytes &+= record.bytes
      $0.openBytes = 0
    }
    recordAccount()
    context.book.update(camera.id) { $0.replace(record) }
    closing.syncer.finish()
  }

  // MARK: From the sync threads

  private func heard(_ report: ClipSyncer.Report, clip number: Int) {
    shared.withLock { $0.mark.lastMoved = context.clock.now }
    switch report {
    case .durable: context.delivered(camera.id)
    case .synced(let point, let length): synced(point, length, number)
    case .finished(let end):
      context.book.update(camera.id) { record in
        guard let index = record.clips.firstIndex(where: { $0.number == number }) else { return }
        record.clips[index].state = end.fragmentCount == 0 ? .empty : .finished
        record.clips[index].bytes = UInt64(end.byteCount)
      }
    case .failed(let error):
      context.book.update(camera.id) { record in
        guard let index = record.clips.firstIndex(where: { $0.number == number }) else { return }
        record.clips[index].state = .unfinished
        record.clips[index].note = error.description
      }
      let stop = TakeStop(movieError: error, folder: context.folder)
      trouble(.diskFailed, stop.message)
      context.failed(stop)
    }
  }

  private func synced(_ point: ClipSyncer.Point, _ length: Duration, _ number: Int) {
    let newest = camera.hub.newest
    let progress = shared.withLock { shared in
      TakeProgress(
        take: context.id, camera: camera.id, clip: number, run: newest?.run ?? point.run,
        capturedSequence: newest?.sequence ?? point.sequence,
        capturedTime: newest?.presentationTime ?? point.time, written: shared.written, syncedRun: point.run,
        syncedSequence: point.sequence, syncedTime: point.time, syncSeconds: length.inSeconds, lost: shared.lost,
        bytes: shared.bytes &+ shared.openBytes)
    }
    context.tell(.progress(progress))
    let isSlow = shared.withLock { shared in
      guard length > shared.slowest else { return false }
      // The next one that is worth a line takes twice as long.
      shared.slowest = length * 2
      return true
    }
    if isSlow {
      let seconds = Double(Int(length.inSeconds * 10)) / 10
      trouble(
        .diskSlow,
        "The volume of \(context.options.mediaDirectory) took \(seconds) s to confirm what was written: "
          + "a power cut may cost as much more. Use a faster volume where that matters.")
    }
  }
}

extension TakeCameraRecord {
  /// The sync thread may have failed already; its word on the state stays.
  mutating func replace(_ clip: ClipRecord) {
    guard let index = clips.firstIndex(where: { $0.number == clip.number }) else { return }
    let known = clips[index]
    clips[index] = clip
    guard known.state != .recording else { return }
    clips[index].state = known.state
    clips[index].note = known.note
  }
}
