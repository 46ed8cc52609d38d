import CamrigModel
import Frames

/// A preview's message for a monitor's media connection.
package struct MediaMessage: Sendable {
  package let header: MediaHeader
  /// The picture, to be sent right behind the header.
  package let frame: Frame
}

/// Sends one camera's preview to one monitor: only while the monitor has granted credit, the newest picture first,
/// and in the form that its link carries. It holds no picture; the socket layer holds the one that it sends.
///
/// `next` is for the connection's thread; everything else may come from anywhere. All calls return at once.
package final class PreviewSender: Sendable {
  private struct State {
    var window: CreditWindow
    var tuning: PreviewTuning
    var reader: PreviewReader?
    var isClosed = false
    var sequence: UInt64 = 0
    /// Of the last one: the next one will be about as large.
    var lastByteCount = 0
    /// `next` gave nil and `ready` was not called since.
    var waits = false
    var skipped: UInt64 = 0
    var lastTook: Duration?
  }

  private let preview: CameraPreview
  private let stream: UInt32
  private let clock: any RigClock
  private let ready: @Sendable () -> Void
  private let state: Guarded<State>

  /// - Parameters:
  ///   - stream: the number in the header of each message.
  ///   - credit: pictures on their way at most, 1...4.
  ///   - roundTrip: of the connection so far, where the network tells it (`tcpi_min_rtt`).
  ///   - ready: called once after `next` gave nil, when there may be something; from the camera's thread among others, so
  ///     it must return at once.
  package init(
    _ preview: CameraPreview, stream: UInt32, form: PreviewForm, credit: Int, roundTrip: Duration? = nil,
    clock: any RigClock = SystemClock(), ready: @escaping @Sendable () -> Void
  ) {
    self.preview = preview
    self.stream = stream
    self.clock = clock
    self.ready = ready
    let tuning = PreviewTuning(form, roundTrip: roundTrip)
    state = Guarded(State(window: CreditWindow(size: credit, byteLimit: tuning.byteLimit), tuning: tuning))
    let reader = preview.open(tuning.form) { [weak self] in self?.tellIfWaiting() }
    state.withLock { $0.reader = reader }
  }

  deinit { close() }

  /// The next message; nil if there is no picture or no credit. Ask first, and ask again whenever one was sent.
  package func next() -> MediaMessage? {
    let reader = state.withLock { state -> PreviewReader? in
      guard !state.isClosed else { return nil }
      state.waits = true
      return state.window.hasRoom(for: state.lastByteCount) ? state.reader : nil
    }
    guard let reader, let picture = reader.next() else { return nil }
    let source = preview.source
    let cameraRate = preview.cameraRate
    let now = clock.now
    return state.withLock { state in
      state.waits = false
      let sequence = state.sequence
      state.sequence += 1
      let byteCount = MediaHeader.byteCount + picture.frame.byteCount
      state.window.send(sequence, byteCount: byteCount, at: now)
      if let source { state.tuning.setSource(source, cameraRate: cameraRate) }
      state.tuning.send(byteCount: byteCount, size: picture.size)
      state.lastByteCount = byteCount
      state.skipped += UInt64(picture.skipped)
      return MediaMessage(
        header: MediaHeader(
          picture, flags: state.tuning.isReduced ? .reduced : [], stream: stream, sequence: sequence),
        frame: picture.frame)
    }
  }

  /// The monitor has all pictures up to this one.
  /// - Parameter leastRoundTrip: of its connection, where the network tells it (`tcpi_min_rtt`).
  package func acknowledge(_ sequence: UInt64, leastRoundTrip: Duration? = nil) {
    let now = clock.now
    change { state in
      guard let receipt = state.window.acknowledge(sequence, at: now) else { return }
      state.tuning.arrive(receipt, leastRoundTrip: leastRoundTrip)
      state.window.byteLimit = state.tuning.byteLimit
      state.lastTook = receipt.took
    }
  }

  package func setForm(_ form: PreviewForm) { change { $0.tuning.setWish(form) } }

  /// Pictures on their way at most, 1...4.
  package func setCredit(_ credit: Int) { change { $0.window.setSize(credit) } }

  /// Idempotent.
  package func close() {
    let reader = state.withLock { state in
      state.isClosed = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.close()
  }

  package var status: PreviewSenderStatus {
    state.withLock { state in
      PreviewSenderStatus(
        sentCount: state.sequence, skippedCount: state.skipped, form: state.tuning.form,
        isReduced: state.tuning.isReduced, picturesInFlight: state.window.picturesInFlight,
        bytesInFlight: state.window.bytesInFlight, bytesPerSecond: state.tuning.bytesPerSecond,
        lastTook: state.lastTook)
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let (reader, form) = state.withLock { state -> (PreviewReader?, PreviewForm) in
      let before = state.tuning.form
      body(&state)
      let form = state.tuning.form
      return (form == before ? nil : state.reader, form)
    }
    // The preview may call back at once, so no lock is held.
    reader?.setForm(form)
    tellIfWaiting()
  }

  private func tellIfWaiting() {
    let mustTell = state.withLock { state in
      guard state.waits, !state.isClosed, state.window.hasRoom(for: state.lastByteCount) else { return false }
      state.waits = false
      return true
    }
    if mustTell { ready() }
  }
}
