import CamrigModel

/// One answer of ENUM_FRAMESIZES.
package enum OfferedSize: Hashable, Sendable {
  case discrete(PixelSize)
  case range(smallest: PixelSize, largest: PixelSize, step: PixelSize)
}

/// One answer of ENUM_FRAMEINTERVALS.
package enum OfferedRate: Hashable, Sendable {
  case discrete(FrameRate)
  case range(fastest: FrameRate, slowest: FrameRate)
  /// An interval of zero or beyond all reason.
  case nonsense
}

/// The three enumerations of a device, entry by entry. Nil ends the list, as EINVAL does.
package protocol FormatSource {
  func format(at index: Int) -> (fourcc: FourCC, label: String)?
  func size(of fourcc: FourCC, at index: Int) -> OfferedSize?
  func rate(of fourcc: FourCC, size: PixelSize, at index: Int) -> OfferedRate?
}
