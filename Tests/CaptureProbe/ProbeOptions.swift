import CamrigModel

struct ProbeOptions {
  var wish = FormatWish()
  var frames = Int.max
  var runs = Int.max
  var length: Duration = .seconds(20)
  var allowsSmaller = true

  /// Nil: not understood.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--no-smaller" {
        allowsSmaller = false
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--format":
        guard let format = PixelFormat(rawValue: value) else { return nil }
        wish.pixelFormat = format
      case "--size":
        guard let size = PixelSize(value) else { return nil }
        wish.size = size
      case "--rate":
        guard let rate = FrameRate(value) else { return nil }
        wish.rate = rate
      case "--frames":
        guard let count = Int(value) else { return nil }
        frames = count
      case "--runs":
        guard let count = Int(value) else { return nil }
        runs = count
      case "--seconds":
        guard let seconds = Int(value) else { return nil }
        length = .seconds(seconds)
      default: return nil
      }
    }
  }
}
