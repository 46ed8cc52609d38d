/// An automatic and the controls that it works, which have no effect while it is on. Setting one of them switches the
/// automatic off first; of several values the automatics are set first.
package struct AutomaticPair: Hashable, Sendable {
  package let automatic: UInt32
  package let dependents: [UInt32]
  /// Values of the automatic with which the dependents count, the best first.
  package let manualItems: [Int64]
  package let automaticItems: [Int64]

  private init(_ automatic: UInt32, _ dependents: [UInt32], manual: [Int64] = [0], automaticItems: [Int64] = [1]) {
    self.automatic = automatic
    self.dependents = dependents
    manualItems = manual
    self.automaticItems = automaticItems
  }

  package static func of(automatic id: UInt32) -> AutomaticPair? { all.first { $0.automatic == id } }
  package static func of(dependent id: UInt32) -> AutomaticPair? { all.first { $0.dependents.contains(id) } }

  /// By V4L2's numbers (linux/v4l2-controls.h), which are fixed for ever.
  package static let all: [AutomaticPair] = [
    // V4L2_CID_EXPOSURE_AUTO: 0 all by itself, 1 manual, 2 the aperture by itself, 3 the time by itself.
    AutomaticPair(0x009a_0901, [0x009a_0902, 0x0098_0911], manual: [1, 2], automaticItems: [3, 0]),
    AutomaticPair(0x0098_0912, [0x0098_0913, 0x009e_0903]),  // AUTOGAIN: GAIN, ANALOGUE_GAIN
    // AUTO_WHITE_BALANCE: WHITE_BALANCE_TEMPERATURE, RED_BALANCE, BLUE_BALANCE
    AutomaticPair(0x0098_090c, [0x0098_091a, 0x0098_090e, 0x0098_090f]),
    AutomaticPair(0x009a_090c, [0x009a_090a]),  // FOCUS_AUTO: FOCUS_ABSOLUTE
    AutomaticPair(0x0098_0919, [0x0098_0903]),  // HUE_AUTO: HUE
    AutomaticPair(0x0098_0920, [0x0098_0900]),  // AUTOBRIGHTNESS: BRIGHTNESS
    AutomaticPair(0x0098_091d, [0x0098_0924]),  // CHROMA_AGC: CHROMA_GAIN
    AutomaticPair(0x009a_0918, [0x009a_0917]),  // ISO_SENSITIVITY_AUTO: ISO_SENSITIVITY
  ]
}
