/// How much of a USB bus isochronous streams may have, by the kernel's own reckoning (usb_calc_bus_time).
package struct USBBus: Hashable, Sendable {
  /// `480` or `5000`: of the camera's own link, in megabits a second.
  package let megabits: Int

  package init(megabits: Int) { self.megabits = megabits }

  package var intervalsPerSecond: Int { megabits >= 480 ? 8000 : 1000 }

  /// The share of the time that may be reserved which `bytes` in each interval take.
  package func share(bytesPerInterval bytes: Int) -> Double {
    guard bytes > 0 else { return 0 }
    // The longest that stuffed bits can get.
    let bits = Double(bytes) * 8 * 7 / 6
    switch megabits {
    case ..<480:
      // Microseconds of 900 in each frame of a millisecond.
      return (7.268 + 0.083_54 * (3.167 + bits)) / 900
    case ..<5000:
      // Of 100 in each microframe; up to 1024 bytes a transaction.
      let transactions = Double((bytes + 1023) / 1024)
      return (transactions * 38 * 8 * 0.002_083 + 0.002_083 * (3.167 + bits)) / 100
    default:
      // Eight bits are ten on the wire; nine tenths of the interval of 125 µs.
      return Double(bytes) * 10 / Double(megabits) / (125 * 0.9)
    }
  }
}
