import CamrigModel

extension ClipRecorder {
  /// The camera delivers nothing at present.
  struct Pause {
    var gap: TakeGap
    /// It stands in the manifest.
    var isAnnounced: Bool
  }

  /// From the end of the last picture on, or from the take's start; the first reason stays.
  func openPause(_ reason: TakeGap.Reason, message: String?, announce: Bool) {
    if var pause {
      if announce, !pause.isAnnounced {
        pause.gap.reason = reason
        self.pause = pause
        announcePause()
      }
      return
    }
    let from = last.map { $0.time + spacing } ?? context.start.media
    pause = Pause(
      gap: TakeGap(
        reason: reason, from: from, fromWall: context.clock.anchor.wallTime(of: from), message: message),
      isAnnounced: false)
    if announce { announcePause() }
  }

  private func announcePause() {
    guard let gap = pause?.gap else { return }
    pause?.isAnnounced = true
    context.book.update(camera.id) { $0.gaps.append(gap) }
    context.tell(.gapOpened(TakeGapEvent(take: context.id, camera: camera.id, gap: gap)))
  }

  /// Pictures come again, beginning with `picture`.
  func resume(with picture: Picture, _ cut: ClipPlan.Cut) {
    switch cut {
    case .gap, .clock, .first:
      if pause == nil, let reason = silence(before: picture) { openPause(reason, message: nil, announce: false) }
    case .form, .length, .bytes, .refused, .sound: break
    }
    guard var gap = pause?.gap else { return }
    if pause?.isAnnounced == false {
      guard picture.time - gap.from > context.limits.gap else {
        pause = nil
        return
      }
      announcePause()
    }
    pause = nil
    gap.to = picture.time
    gap.toWall = context.clock.anchor.wallTime(of: picture.time)
    let closed = gap
    context.book.update(camera.id) { record in
      if !record.gaps.isEmpty { record.gaps[record.gaps.count - 1] = closed }
    }
    context.tell(.gapClosed(TakeGapEvent(take: context.id, camera: camera.id, gap: closed)))
  }

  /// Why pictures are missing before `picture`, where nobody has said that they stay away; nil: none are.
  private func silence(before picture: Picture) -> TakeGap.Reason? {
    if last == nil {
      guard picture.time - context.start.media > plan.limits.gap else { return nil }
      // Its camera took a while to begin.
      if let firstTime, firstTime - context.start.media > plan.limits.gap { return .absent }
    }
    // They were lost, or the driver skipped the time.
    return lostSinceLast ? .lost : .stalled
  }

  /// The take ends, and nothing came of this camera in all its time. There is nobody left to tell but the manifest.
  func noteAbsence() {
    guard firstTime == nil, pause == nil else { return }
    let gap = TakeGap(reason: .absent, from: context.start.media, fromWall: context.start.wall)
    context.book.update(camera.id) { $0.gaps.append(gap) }
  }
}
