/// What a camera's driver says of it, asked without starting it.
package struct DeviceDescription: Hashable, Codable, Sendable {
  /// `uvcvideo`, `vivid`, `test-pattern`
  package var driver: String
  /// The camera's own name, always valid text.
  package var card: String
  /// `usb-0000:00:14.0-1`
  package var bus: String
  /// Where it is now (`/dev/video2`): for logs and the curious, never stored, never the name.
  package var node: String
  package var formats: [FormatDescription]

  package init(driver: String, card: String, bus: String, node: String, formats: [FormatDescription]) {
    self.driver = driver
    self.card = card
    self.bus = bus
    self.node = node
    self.formats = formats
  }
}

package struct FormatDescription: Hashable, Codable, Sendable {
  /// `MJPG`; the hex code (`0x494c4552`) where it is no printable text.
  package var fourcc: String
  /// The driver's name for it.
  package var label: String
  /// Nil: camrig cannot record it.
  package var pixelFormat: PixelFormat?
  package var sizes: [SizeDescription]

  package init(fourcc: String, label: String, pixelFormat: PixelFormat?, sizes: [SizeDescription]) {
    self.fourcc = fourcc
    self.label = label
    self.pixelFormat = pixelFormat
    self.sizes = sizes
  }
}

/// One size, or a range of sizes, with the rates offered for it. Sorted, without doubles.
package struct SizeDescription: Hashable, Codable, Sendable {
  /// The size, or the largest of the range.
  package var size: PixelSize
  /// Only for a range (stepwise or continuous): the smallest, and the step in both directions.
  package var smallest: PixelSize?
  package var step: PixelSize?
  /// Fastest first. For a range of rates its two ends.
  package var rates: [FrameRate]
  package var ratesAreRange: Bool

  package init(
    size: PixelSize, smallest: PixelSize? = nil, step: PixelSize? = nil, rates: [FrameRate],
    ratesAreRange: Bool = false
  ) {
    self.size = size
    self.smallest = smallest
    self.step = step
    self.rates = rates
    self.ratesAreRange = ratesAreRange
  }
}

/// What a user asked of a camera's stream; what is nil, the policy chooses.
package struct FormatWish: Hashable, Codable, Sendable {
  package var pixelFormat: PixelFormat?
  package var size: PixelSize?
  package var rate: FrameRate?

  package init(pixelFormat: PixelFormat? = nil, size: PixelSize? = nil, rate: FrameRate? = nil) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.rate = rate
  }
}
