import CamrigModel

/// Chooses what to ask of a camera. The user's wish comes first, or what comes nearest to it; what the user leaves
/// open becomes the target or the best below.
package struct FormatPolicy {
  /// Below this share of the wished rate a format counts as too slow, however large its pictures.
  private static let enoughOfRate = 0.8
  /// Pictures a second that still look like motion.
  private static let leastSmooth = 15.0

  private let formats: [FormatDescription]
  private let target: FormatTarget

  package init(_ description: DeviceDescription, target: FormatTarget = FormatTarget()) {
    self.init(formats: description.formats.filter { $0.pixelFormat != nil }, target: target)
  }

  /// Nil: it offers nothing that camrig can record.
  package func choice(for wish: FormatWish) -> FormatChoice? {
    let wanted = wish.rate ?? target.rate
    var choices = choices(wish.size, rate: wanted)
    if let pixelFormat = wish.pixelFormat {
      let ofFormat = choices.filter { $0.pixelFormat == pixelFormat }
      if !ofFormat.isEmpty { choices = ofFormat }
    }
    if let size = wish.size, let nearest = nearest(to: size, choices.map(\.size)) {
      choices.removeAll { $0.size != nearest }
    } else {
      let below = choices.filter { fitsTarget($0.size) }
      if below.isEmpty, let smallest = choices.map(\.size).min() {
        choices.removeAll { $0.size != smallest }
      } else {
        choices = below
      }
      let fast = choices.filter { perSecond($0) >= wanted.perSecond * Self.enoughOfRate }
      if fast.isEmpty, let fastest = choices.map(perSecond).max() {
        choices.removeAll { perSecond($0) < fastest * Self.enoughOfRate }
      } else {
        choices = fast
      }
      if let largest = choices.map(\.size).max() { choices.removeAll { $0.size != largest } }
    }
    return choices.min { a, b in
      // The nearest rate first; of equal ones the format that costs the least work.
      let (distanceA, distanceB) = (distance(a, wanted), distance(b, wanted))
      return abs(distanceA - distanceB) > 0.01 ? distanceA < distanceB : cost(a.pixelFormat) < cost(b.pixelFormat)
    }
  }

  /// What to try next when the bus has no room for `last`: of all that takes at least a quarter less, compressed
  /// pictures first, then those that still move, then those of the same shape, then the most that is left.
  package func smaller(than last: FormatChoice, excluding tried: Set<FormatChoice>) -> FormatChoice? {
    let smooth = min(perSecond(last), Self.leastSmooth)
    func rank(_ choice: FormatChoice) -> (Int, Double, Int) {
      let merits = [
        choice.pixelFormat.isCompressed, perSecond(choice) >= smooth * Self.enoughOfRate, hasShape(of: last, choice),
      ]
      return (merits.reduce(0) { $0 * 2 + ($1 ? 1 : 0) }, choice.bytesPerSecond, choice.size.area)
    }
    return allChoices.filter { !tried.contains($0) && $0.bytesPerSecond <= last.bytesPerSecond * 0.75 }
      .max { rank($0) < rank($1) }
  }

  /// What to try next when `last` would not start for a reason that says nothing of the bus: another format that
  /// comes near, then a smaller one.
  package func other(than last: FormatChoice, excluding tried: Set<FormatChoice>) -> FormatChoice? {
    let wish = FormatWish(size: last.size, rate: last.rate)
    let others = Set(formats.compactMap(\.pixelFormat)).subtracting(tried.map(\.pixelFormat))
    let policy = FormatPolicy(formats: formats.filter { $0.pixelFormat.map(others.contains) ?? false }, target: target)
    return policy.choice(for: wish) ?? smaller(than: last, excluding: tried)
  }

  /// The same without a format; nil if it is the only one.
  package func without(_ pixelFormat: PixelFormat) -> FormatPolicy? {
    let rest = formats.filter { $0.pixelFormat != pixelFormat }
    return rest.isEmpty ? nil : FormatPolicy(formats: rest, target: target)
  }

  /// What differs between the asked and the granted, in words; nil if nothing that matters does.
  package static func difference(asked: FormatWish, granted: VideoFormat) -> String? {
    var differs = false
    if let pixelFormat = asked.pixelFormat, pixelFormat != granted.pixelFormat { differs = true }
    if let size = asked.size, size != granted.size { differs = true }
    if let rate = asked.rate, let got = granted.rate, !isSame(rate.perSecond, got.perSecond) { differs = true }
    guard differs else { return nil }
    let words = [asked.pixelFormat?.rawValue, asked.size?.description, asked.rate.map { "at \($0)" }]
    return "asked \(words.compactMap { $0 }.joined(separator: " ")), got \(granted)"
  }

  private init(formats: [FormatDescription], target: FormatTarget) {
    self.formats = formats
    self.target = target
  }

  private var allChoices: [FormatChoice] {
    formats.flatMap { format in
      format.sizes.flatMap { entry in
        entry.usualSizes.flatMap { size -> [FormatChoice] in
          guard let pixelFormat = format.pixelFormat else { return [] }
          let rates: [FrameRate?] = entry.rates.isEmpty ? [nil] : entry.rates
          return rates.map { FormatChoice(pixelFormat, size, $0) }
        }
      }
    }
  }

  /// Each format and size at the offered rate that is nearest to `rate`.
  private func choices(_ wished: PixelSize?, rate: FrameRate) -> [FormatChoice] {
    formats.flatMap { format in
      format.sizes.flatMap { entry -> [FormatChoice] in
        guard let pixelFormat = format.pixelFormat else { return [] }
        let extra = [wished, target.size].compactMap { $0 }.filter(entry.contains)
        return Set(entry.usualSizes + extra).map {
          FormatChoice(pixelFormat, $0, nearest(to: rate, entry))
        }
      }
    }
  }

  private func nearest(to rate: FrameRate, _ entry: SizeDescription) -> FrameRate? {
    guard let fastest = entry.rates.max(), let slowest = entry.rates.min() else { return rate }
    if entry.ratesAreRange { return min(max(rate, slowest), fastest) }
    // A camera's 30.0003 is 30.
    let atMost = entry.rates.filter { $0.perSecond <= rate.perSecond * 1.01 }
    return atMost.max() ?? slowest
  }

  /// The size itself; else the largest that is no larger in either direction, of the same shape if there is one;
  /// else the smallest.
  private func nearest(to wished: PixelSize, _ sizes: [PixelSize]) -> PixelSize? {
    if sizes.contains(wished) { return wished }
    let below = sizes.filter { $0.width <= wished.width && $0.height <= wished.height }
    let shaped = below.filter { $0.width * wished.height == $0.height * wished.width }
    return shaped.max() ?? below.max() ?? sizes.min()
  }

  private func fitsTarget(_ size: PixelSize) -> Bool {
    size.width <= target.size.width && size.height <= target.size.height
  }

  private func perSecond(_ choice: FormatChoice) -> Double { choice.rate?.perSecond ?? target.rate.perSecond }

  /// How far from the wished rate, as a share of it.
  private func distance(_ choice: FormatChoice, _ wanted: FrameRate) -> Double {
    abs(perSecond(choice) - wanted.perSecond) / wanted.perSecond
  }

  private func hasShape(of a: FormatChoice, _ b: FormatChoice) -> Bool {
    a.size.width * b.size.height == a.size.height * b.size.width
  }

  /// Compressed pictures go to disk as they are; raw ones must be encoded, the grey ones have no colour.
  private func cost(_ format: PixelFormat) -> Int {
    switch format {
    case .mjpeg: 0
    case .h264: 1
    case .nv12: 2
    case .yu12: 3
    case .yuyv: 4
    case .uyvy: 5
    case .grey: 6
    }
  }

  private static func isSame(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 0.01 * max(a, b) }
}
