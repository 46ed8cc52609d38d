import CamrigModel

/// The forms that a preview may fall back to, best first: fewer pictures down to about ten a second, then smaller ones
/// while faces can be told, then half as many, then the smallest, and then ever fewer.
package struct PreviewLadder: Hashable, Sendable {
  package struct Step: Hashable, Sendable {
    package let size: PixelSize
    package let rate: FrameRate
  }

  private static let clearEdge = 400

  /// Never empty; the first is what was asked for.
  package let steps: [Step]

  /// - Parameter cameraRate: what the camera sends.
  package init(_ wish: PreviewForm, source: PreviewSource, cameraRate: FrameRate) {
    let full = min(wish.rate ?? cameraRate, cameraRate)
    let asked = source.size(for: wish)
    let sizes = [asked] + source.sizes.filter { $0.longEdge < asked.longEdge }
    let rates = [full] + [full.times(3, 4), full.times(1, 2), full.times(1, 3)].filter { $0.perSecond >= 10 }
    var steps = rates.map { Step(size: asked, rate: $0) }
    let slow = rates[rates.count - 1]
    let smaller = sizes.dropFirst()
    steps += smaller.filter { $0.longEdge >= Self.clearEdge }.map { Step(size: $0, rate: slow) }
    let slower = slow.times(1, 2)
    if slower.perSecond >= 1 { steps.append(Step(size: steps[steps.count - 1].size, rate: slower)) }
    let last = steps[steps.count - 1].rate
    steps += smaller.filter { $0.longEdge < Self.clearEdge }.map { Step(size: $0, rate: last) }
    let small = sizes[sizes.count - 1]
    steps += [last.times(1, 2), last.times(1, 4)].filter { $0.perSecond >= 1 }.map { Step(size: small, rate: $0) }
    self.steps = steps
  }
}

extension FrameRate {
  fileprivate func times(_ numerator: Int, _ denominator: Int) -> FrameRate {
    // Drivers name fractions of any size; the preview needs no more than thousandths.
    let thousandths = max(1, Int((perSecond * 1000).rounded()))
    return FrameRate(thousandths * numerator, 1000 * denominator)
  }
}
