import CamrigModel
import Frames

extension ClipRecorder {
  func lose(_ frame: Frame, _ cause: LossCause) {
    lose(Loss(of: frame, cause))
  }

  func lose(_ picture: Picture, _ cause: LossCause) {
    lose(Loss(cause: cause, run: picture.run, firstSequence: picture.sequence, count: 1, time: picture.time))
  }

  func lose(_ loss: Loss) {
    if ledger.isEmpty, pendingPictures == 0, !pending.contains(where: \.isLoss), !ledger.opens(loss) { return }
    if case .lost(let before)? = pending.last {
      var both = [before]
      both.append(coalescing: loss)
      pending.removeLast()
      pending += both.map(Entry.lost)
    } else {
      pending.append(.lost(loss))
    }
    if losses.count < TakeCameraRecord.listedLossesLimit { losses.append(coalescing: loss) }
    lostNotTold[loss.cause, default: 0] &+= loss.count
    lostSinceLast = true
    shared.withLock { $0.lost &+= loss.count }
  }

  /// At most once a second.
  func tellLosses(last: Bool = false) {
    guard !lostNotTold.isEmpty else { return }
    let now = context.clock.now
    if !last, let lossTold, now - lossTold < .seconds(1) { return }
    lossTold = now
    var total = ledger.lost
    for case .lost(let loss) in pending { total[loss.cause, default: 0] &+= loss.count }
    context.tell(
      .lossNoticed(TakeLossEvent(take: context.id, camera: camera.id, lost: lostNotTold, total: total)))
    lostNotTold = [:]
  }

  /// Into the manifest's copy; it is written with the next change.
  func recordAccount() {
    let (runs, lost, losses) = (ledger.runs, ledger.lost, losses)
    context.book.update(camera.id, write: false) {
      $0.runs = runs
      $0.lost = lost
      $0.losses = losses
    }
  }
}

extension Loss {
  init(of frame: Frame, _ cause: LossCause) {
    self.init(cause: cause, run: frame.run, firstSequence: frame.sequence, count: 1, time: frame.presentationTime)
  }
}

extension ClipRecorder.Entry {
  var isLoss: Bool {
    switch self {
    case .lost: true
    case .picture: false
    }
  }
}
