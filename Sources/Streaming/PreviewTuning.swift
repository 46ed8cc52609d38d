import CamrigModel

/// Fits a monitor's preview to its link: takes fewer and smaller pictures before they grow old on the way, and comes
/// back slowly when the link has room. Over a long way it begins with a small picture and grows with what arrives: the
/// first one in full size would be a second old on a slow link. It knows no clock and no socket; it is told of what
/// arrived.
package struct PreviewTuning: Sendable {
  /// A picture may keep the link busy for so long; with more it is too large.
  private static let mostService: Duration = .milliseconds(150)
  private static let goodService: Duration = .milliseconds(100)
  /// Of the link's time, in percent.
  private static let mostLoad = 85
  private static let goodLoad = 70
  /// One that takes so long at the very start, or two in a row, need no further proof.
  private static let hopelessService: Duration = .milliseconds(400)
  /// Samples before a verdict on a step.
  private static let samplesForVerdict = 4
  private static let patience: ClosedRange<Duration> = .seconds(4) ... .seconds(40)
  /// A step up that has to be taken back so soon was a mistake.
  private static let probation: Duration = .seconds(15)
  /// From such a round trip on a link is tried with small pictures first: no local network has it.
  private static let longWay: Duration = .milliseconds(20)
  private static let firstEdge = 320
  /// What is not larger comes soon anywhere.
  private static let smallEdge = 640
  /// One trial has so many times the pixels of the one before.
  private static let growth = 3
  private static let leastBytes = 16 << 10
  private static let mostBytes = 4 << 20

  private var wish: PreviewForm
  private var ladder: PreviewLadder?
  private var source: PreviewSource?
  private var cameraRate: FrameRate?
  package private(set) var step = 0
  private var link = LinkEstimate()
  /// Of pictures as the camera sends them, and of made ones.
  private var bytesPerPixel: (asSent: Double?, made: Double?) = (nil, nil)
  private var steadySince: MediaTime?
  private var patience = Self.patience.lowerBound
  private var lastRise: MediaTime?
  private var hopelessInARow = 0
  private var arrived = 0
  /// The long edge with which the link is tried; nil once it is known.
  private var trialEdge: Int?

  /// - Parameter roundTrip: of the connection, where the network tells it.
  package init(_ wish: PreviewForm, roundTrip: Duration? = nil) {
    self.wish = wish
    if let roundTrip, roundTrip >= Self.longWay, wish.longEdge > Self.smallEdge { trialEdge = Self.firstEdge }
  }

  /// What to ask the preview for.
  package var form: PreviewForm {
    if let trialEdge {
      return PreviewForm(longEdge: min(trialEdge, wish.longEdge), rate: wish.rate, quality: wish.quality)
    }
    guard let ladder, step > 0 else { return wish }
    let step = ladder.steps[step]
    return PreviewForm(longEdge: step.size.longEdge, rate: step.rate, quality: wish.quality)
  }

  /// It is less than what was asked for.
  package var isReduced: Bool { step > 0 || trialEdge.map { $0 < wish.longEdge } ?? false }

  /// What may be on its way.
  package private(set) var byteLimit = 64 << 10

  package var bytesPerSecond: Int? { link.bytesPerSecond }

  package mutating func setWish(_ wish: PreviewForm) {
    guard wish != self.wish else { return }
    self.wish = wish
    if let source, let cameraRate {
      self.cameraRate = nil
      setSource(source, cameraRate: cameraRate)
    }
  }

  /// What the camera sends; to be told before `send`. Another source begins at the same place on its own ladder.
  package mutating func setSource(_ source: PreviewSource, cameraRate: FrameRate) {
    guard ladder == nil || source != self.source || cameraRate != self.cameraRate else { return }
    let ladder = PreviewLadder(wish, source: source, cameraRate: cameraRate)
    if let old = self.ladder, step > 0 {
      let now = old.steps[step]
      step = ladder.steps.firstIndex { $0.size.area <= now.size.area && $0.rate <= now.rate } ?? ladder.steps.count - 1
    }
    if source != self.source { bytesPerPixel = (nil, nil) }
    self.ladder = ladder
    self.source = source
    self.cameraRate = cameraRate
    steadySince = nil
  }

  /// A picture is on its way.
  package mutating func send(byteCount: Int, size: PixelSize) {
    guard let source, size.area > 0 else { return }
    let now = Double(byteCount) / Double(size.area)
    if source.format == .mjpeg, size == source.size {
      bytesPerPixel.asSent = bytesPerPixel.asSent.map { $0 * 0.8 + now * 0.2 } ?? now
    } else {
      bytesPerPixel.made = bytesPerPixel.made.map { $0 * 0.8 + now * 0.2 } ?? now
    }
  }

  /// Pictures have arrived.
  /// - Parameter leastRoundTrip: of the connection, where the network tells it.
  package mutating func arrive(_ receipt: CreditWindow.Receipt, leastRoundTrip: Duration? = nil) {
    link.add(receipt, leastRoundTrip: leastRoundTrip)
    arrived += 1
    guard let ladder else { return }
    limitBytes(ladder.steps[step])
    if let trialEdge {
      judgeTrial(trialEdge, ladder, receipt)
      return
    }
    if isHopeless() {
      fall(ladder, at: receipt.acknowledged)
      return
    }
    guard link.sampleCount >= Self.samplesForVerdict else { return }
    let now = ladder.steps[step]
    if load(now) > Self.mostLoad || service(now) > Self.mostService {
      fall(ladder, at: receipt.acknowledged)
    } else {
      considerRise(ladder, at: receipt.acknowledged)
    }
  }

  /// What the link carries in a round trip and a tenth of a second more, but not more than keeps the pictures coming:
  /// should the link get worse, all that is on its way comes late.
  private mutating func limitBytes(_ now: PreviewLadder.Step) {
    guard let rate = link.bytesPerSecond else { return }
    let carried = Double(rate) * (link.roundTrip.inSeconds + 0.1)
    let bytes = byteCount(now)
    let pictures = 1 + (now.rate.perSecond * (link.roundTrip + link.service(bytes)).inSeconds).rounded(.up)
    let needed = pictures * Double(bytes) * 1.25
    byteLimit = Int(min(max(min(carried, needed), Double(Self.leastBytes)), Double(Self.mostBytes)))
  }

  // MARK: The beginning

  /// Larger as long as the pictures come easily, then what fits by what was measured.
  private mutating func judgeTrial(_ edge: Int, _ ladder: PreviewLadder, _ receipt: CreditWindow.Receipt) {
    let full = ladder.steps[0]
    let sizes = Set(ladder.steps.map(\.size)).sorted { $0.area < $1.area }
    let now = sizes.last { $0.longEdge <= edge } ?? sizes[0]
    // Those that were on their way before it grew tell nothing new, and less well.
    guard receipt.byteCount * 2 > byteCount(PreviewLadder.Step(size: now, rate: full.rate)) else { return }
    link.forget(keeping: 1)
    var next = sizes.first { $0.area >= now.area * Self.growth } ?? full.size
    if full.size.area < next.area * Self.growth { next = full.size }
    let isEasy = service(PreviewLadder.Step(size: next, rate: full.rate)) <= Self.goodService
    if isEasy, next != full.size || load(full) <= Self.goodLoad {
      trialEdge = next == full.size ? nil : next.longEdge
      link.forget()
    } else {
      trialEdge = nil
      step = fitting(ladder.steps[...]) ?? ladder.steps.count - 1
    }
  }

  private func fitting(_ steps: ArraySlice<PreviewLadder.Step>) -> Int? {
    steps.firstIndex { load($0) <= Self.goodLoad && service($0) <= Self.goodService }
  }

  // MARK: Down

  private mutating func isHopeless() -> Bool {
    guard let last = link.lastService, last > Self.hopelessService else {
      hopelessInARow = 0
      return false
    }
    hopelessInARow += 1
    guard hopelessInARow > 1 || arrived == 1 else { return false }
    // What was measured before was another link.
    link.forget(keeping: hopelessInARow)
    hopelessInARow = 0
    return true
  }

  private mutating func fall(_ ladder: PreviewLadder, at time: MediaTime) {
    steadySince = nil
    guard step + 1 < ladder.steps.count else { return }
    step = fitting(ladder.steps[(step + 1)...]) ?? ladder.steps.count - 1
    if let lastRise, time - lastRise < Self.probation { patience = min(patience * 2, Self.patience.upperBound) }
    lastRise = nil
  }

  // MARK: Up

  private mutating func considerRise(_ ladder: PreviewLadder, at time: MediaTime) {
    guard step > 0 else { return }
    let better = ladder.steps[step - 1]
    let bytes = byteCount(better)
    let best = link.bestService(bytes)
    guard best <= Self.goodService, percent(best, better.rate) <= Self.goodLoad,
      load(ladder.steps[step]) <= Self.goodLoad
    else {
      steadySince = nil
      return
    }
    let since = steadySince ?? time
    steadySince = since
    guard time - since >= patience else { return }
    // The step before was right.
    if let lastRise, time - lastRise >= Self.probation { patience = Self.patience.lowerBound }
    step -= 1
    lastRise = time
    steadySince = nil
    // Smaller pictures tell little of how these will do.
    link.forget()
  }

  // MARK: What a step costs

  private func byteCount(_ step: PreviewLadder.Step) -> Int {
    let isAsSent = source?.format == .mjpeg && step.size == source?.size
    let known = isAsSent ? bytesPerPixel.asSent ?? bytesPerPixel.made : bytesPerPixel.made ?? bytesPerPixel.asSent
    return Int((known ?? 0) * Double(step.size.area))
  }

  private func service(_ step: PreviewLadder.Step) -> Duration { link.service(byteCount(step)) }

  /// Of the link's time, in percent.
  private func load(_ step: PreviewLadder.Step) -> Int { percent(link.meanService(byteCount(step)), step.rate) }

  private func percent(_ service: Duration, _ rate: FrameRate) -> Int {
    Int(min(service.inSeconds * rate.perSecond * 100, 1_000_000))
  }
}
