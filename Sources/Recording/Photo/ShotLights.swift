import CamrigModel

/// The lights over one shot: on early enough before each picture, and off where the next is far. One task uses it.
struct ShotLights {
  /// What became of them, and from when on a picture has their light.
  struct Outcome: Sendable {
    let lit: PhotoFlash.Lit
    let since: MediaTime
  }

  private let flash: PhotoFlash?
  private let session: PhotoSession
  private let clock: any RigClock
  private var going: Task<Outcome, Never>?
  /// There are no more pictures.
  private var isOver = false

  init(_ flash: PhotoFlash?, _ session: PhotoSession, clock: any RigClock) {
    self.flash = flash
    self.session = session
    self.clock = clock
  }

  /// Puts them on when it is time.
  /// - Parameters:
  ///   - due: of the next picture.
  ///   - warming: what the cameras are busy with; they are looked at for one thing at a time.
  mutating func prepare(due: MediaTime, after warming: Task<Bool, Never>) {
    guard let flash, !isOver, going == nil, clock.now >= due - PhotoFlash.lead else { return }
    going = Task { [session, clock] in
      _ = await warming.value
      let lit = await flash.on()
      let since = clock.now
      if !lit.isDark { await WorkerThread.run("photo") { session.settle(since: since) } }
      return Outcome(lit: lit, since: lit.isDark ? since : clock.now)
    }
  }

  /// When `prepare` is to be called again, while the shutter waits until `time`.
  func wakes(before time: MediaTime, due: MediaTime) -> MediaTime {
    flash == nil || going != nil ? time : min(time, due - PhotoFlash.lead)
  }

  /// Nil: no light was asked for.
  var outcome: Outcome? {
    get async { await going?.value }
  }

  /// - Parameter next: when the next picture is due; nil: there is none.
  mutating func picturesTaken(next: MediaTime?) async {
    isOver = next == nil
    guard let running = going else { return }
    if let next, next - clock.now <= PhotoFlash.longestBetween { return }
    going = nil
    _ = await running.value
    await flash?.restore()
  }
}
